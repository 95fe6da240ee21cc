/// A fault in the structure of a data file, and the tree that it lies in.
package struct StructureFault: Hashable, Sendable, CustomStringConvertible {
  /// A tree of pages.
  package enum Tree: Hashable, Sendable, CustomStringConvertible {
    /// The meta page of the snapshot, from which all trees are reached.
    case meta
    /// The list of free pages, which only a write reads.
    case freePages
    /// The tree that holds the names of tables.
    case tables
    /// The table of that name.
    case table(String)

    package var description: String {
      switch self {
      case .meta: "its meta page"
      case .freePages: "the list of free pages"
      case .tables: "the tree of tables"
      case .table(let name): "table \(name)"
      }
    }
  }

  package let tree: Tree
  /// What is wrong, without the tree.
  let rule: String

  package var description: String { "\(tree): \(rule)" }
}

extension [StructureFault] {
  /// Whether LMDB can read the table of that name: nothing is wrong on the way to it or in it.
  package func allowReading(_ table: String) -> Bool {
    allSatisfy { fault in
      switch fault.tree {
      case .meta, .tables: false
      case .freePages: true
      case .table(let name): name != table
      }
    }
  }
}
