/// A walk over all pages of one snapshot that checks the structure LMDB relies on.
struct PageWalk: ~Copyable {
  /// No more than so many faults of one tree are listed.
  private static let faultLimit = 20
  /// LMDB's own limit on the height of a tree.
  private static let depthLimit = 32
  private static let overflowFlag: UInt16 = 0x04
  private static let pageHeaderLength = 16

  private let file: PageFile
  private let meta: PageMeta
  /// Whether tables are followed to their root page only.
  private let isShallow: Bool
  private var seen: [UInt64]
  private(set) var faults: [StructureFault] = []
  private var faultCounts: [StructureFault.Tree: Int] = [:]
  private(set) var freePages: Set<UInt64> = []
  private(set) var pages: UInt64 = 0
  /// The last page that is in the file and counted by the header, which may be nonsense.
  private let reach: UInt64

  init(_ file: consuming PageFile, _ meta: PageMeta, isShallow: Bool = false) {
    reach = min(meta.lastPage, max(file.size / UInt64(meta.pageSize), 1) - 1)
    self.file = file
    self.isShallow = isShallow
    self.meta = meta
    seen = [UInt64](repeating: 0, count: Int((reach + 64) / 64))
  }

  /// Walks the list of free pages and all tables.
  mutating func walkAll() throws(StorageError) {
    try walkFreeList()
    try walkTableTree()
    for page in freePages where isSeen(page) {
      report(.freePages, "page \(page) is both free and in use")
    }
  }

  /// Walks the tree of tables: what LMDB reads before it knows which table is wanted.
  mutating func walkTableTree() throws(StorageError) {
    try walk(meta.main, .tables)
  }

  /// Walks the list of free pages and collects them.
  mutating func walkFreeList() throws(StorageError) {
    try walk(meta.free, .freePages)
  }

  /// Adds the pages of one list: their count, then their numbers.
  private mutating func collectFree(_ list: [UInt8]) {
    guard list.count >= 8, let count = Int(exactly: list.uint64(0)), count <= list.count / 8 - 1
    else {
      report(.freePages, "one of its entries is nonsense")
      return
    }
    for index in 0..<count { freePages.insert(list.uint64(8 + 8 * index)) }
  }

  private mutating func report(_ tree: StructureFault.Tree, _ rule: String) {
    faultCounts[tree, default: 0] += 1
    if faultCounts[tree, default: 0] <= PageWalk.faultLimit {
      faults.append(StructureFault(tree: tree, rule: rule))
    }
  }

  private func isSeen(_ page: UInt64) -> Bool {
    page <= reach && seen[Int(page / 64)] & 1 << (page % 64) != 0
  }

  /// Notes `count` pages from `page` on; false, with a fault, if one is out of place or known.
  private mutating func mark(_ page: UInt64, _ count: UInt64, _ tree: StructureFault.Tree) -> Bool {
    guard page >= 2, count > 0, page <= reach, count <= reach - page + 1 else {
      report(tree, "page \(page) lies outside of the file")
      return false
    }
    for page in page..<page + count {
      guard !isSeen(page) else {
        report(tree, "page \(page) is used twice")
        return false
      }
      seen[Int(page / 64)] |= 1 << (page % 64)
    }
    pages += count
    return true
  }
}

extension PageWalk {
  /// What a walk found of one tree.
  private struct Found {
    var branchPages: UInt64 = 0
    var leafPages: UInt64 = 0
    var overflowPages: UInt64 = 0
    var entries: UInt64 = 0
  }

  private struct Step {
    let page: UInt64
    let depth: Int
  }

  /// Walks one tree, and with it the tables that it names.
  private mutating func walk(_ tree: PageTree, _ name: StructureFault.Tree) throws(StorageError) {
    guard !tree.isEmpty else {
      if tree.entries != 0 { report(name, "it counts entries and has no root") }
      return
    }
    var found = Found()
    let faultsBefore = faultCounts[name, default: 0]
    var steps = [Step(page: tree.root, depth: 1)]
    while let step = steps.popLast() {
      guard mark(step.page, 1, name) else { continue }
      guard step.depth <= PageWalk.depthLimit, let page = try page(step.page) else {
        report(name, "page \(step.page) is not a page of a tree")
        continue
      }
      if page.isBranch { found.branchPages += 1 } else { found.leafPages += 1 }
      if page.isBranch == (step.depth == Int(tree.depth)) {
        report(name, "page \(step.page) lies at the wrong depth")
        continue
      }
      try walk(page, step, tree, name, &found, &steps)
    }
    let isCounted =
      found.entries == tree.entries && found.branchPages == tree.branchPages
      && found.leafPages == tree.leafPages && found.overflowPages == tree.overflowPages
    if faultCounts[name, default: 0] == faultsBefore && !isCounted {
      report(name, "it counts other entries or pages than it has")
    }
  }

  private mutating func walk(
    _ page: TreePage, _ step: Step, _ tree: PageTree, _ name: StructureFault.Tree,
    _ found: inout Found,
    _ steps: inout [Step]
  ) throws(StorageError) {
    var previous: Range<Int>?
    for index in 0..<page.count {
      guard let (key, value) = page.node(index) else {
        report(name, "node \(index) of page \(step.page) leaves the page")
        continue
      }
      // The first key of a branch stands for all that is smaller, and is empty.
      if !page.isBranch || index > 0 {
        if let previous, !page.precedes(previous, key, asNumbers: tree.hasNumberKeys) {
          report(name, "the keys of page \(step.page) are out of order")
        }
        previous = key
      }
      if case .child(let child) = value {
        steps.append(Step(page: child, depth: step.depth + 1))
      } else {
        found.entries += 1
        try walk(value, of: page, key, tree, name, &found)
      }
    }
  }

  /// Follows a value to its own pages, and the tree of a table; collects free pages.
  private mutating func walk(
    _ value: TreePage.Value, of page: TreePage, _ key: Range<Int>, _ tree: PageTree,
    _ name: StructureFault.Tree, _ found: inout Found
  ) throws(StorageError) {
    switch value {
    case .child:
      break
    case .place(let place):
      if tree.hasNumberKeys { collectFree(Array(page.bytes[place])) }
    case .table(let place):
      let table = StructureFault.Tree.table(String(decoding: page.bytes[key], as: UTF8.self))
      let root = PageTree(page.bytes, at: place.lowerBound)
      if !root.isPlain { report(table, "its flags are nonsense") }
      if isShallow {
        try checkRoot(root, table)
      } else {
        try walk(root, table)
      }
    case .overflow(let first, let length):
      try walkLongValue(first, length, tree, name, &found)
    }
  }

  /// Checks the pages of a long value, which may be more than it needs: LMDB keeps the pages of a
  /// longer one that it replaces.
  private mutating func walkLongValue(
    _ first: UInt64, _ length: Int, _ tree: PageTree, _ name: StructureFault.Tree,
    _ found: inout Found
  ) throws(StorageError) {
    guard first <= reach else {
      report(name, "page \(first) lies outside of the file")
      return
    }
    let wanted = PageWalk.pageHeaderLength + (tree.hasNumberKeys ? length : 0)
    let bytes = try file.bytes(at: first * UInt64(meta.pageSize), count: wanted)
    guard bytes.count == wanted, bytes.uint64(0) == first,
      bytes.uint16(10) == PageWalk.overflowFlag,
      Int(bytes.uint32(12)) * Int(meta.pageSize) >= PageWalk.pageHeaderLength + length
    else {
      report(name, "page \(first) does not begin a long value")
      return
    }
    let count = UInt64(bytes.uint32(12))
    guard mark(first, count, name) else { return }
    found.overflowPages += count
    if tree.hasNumberKeys { collectFree(Array(bytes[PageWalk.pageHeaderLength...])) }
  }

  private mutating func checkRoot(_ tree: PageTree, _ name: StructureFault.Tree)
    throws(StorageError)
  {
    guard !tree.isEmpty, mark(tree.root, 1, name) else { return }
    if try page(tree.root) == nil { report(name, "its root is nonsense") }
  }

  private func page(_ number: UInt64) throws(StorageError) -> TreePage? {
    let size = Int(meta.pageSize)
    let bytes = try file.bytes(at: number * UInt64(size), count: size)
    guard bytes.count == size else { return nil }
    return TreePage(bytes, number: number)
  }
}
