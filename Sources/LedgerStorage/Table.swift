internal import Synchronization

/// A named tree of an environment.
///
/// A value to keep: it stays good as long as the environment is open and the table exists, and
/// again once a dropped table has been made anew under its name.
package struct Table: Hashable, Sendable {
  package let name: String
  let index: Int
  let environment: UInt64
}

/// The tables that this process knows, and LMDB's handle for each.
///
/// The handle of a table moves when it is dropped and made again, so a `Table` holds an index into
/// this directory and every operation looks the handle up: one load. Index 0 stands for none.
@safe struct TableDirectory: ~Copyable {
  /// LMDB's number for "free list", which no table ever has.
  static let closed: UInt32 = 0

  let environment: UInt64
  private let capacity: Int
  private let handles: UnsafeMutablePointer<Atomic<UInt32>>
  /// For each table the last snapshot that was seen to have it.
  private let known: UnsafeMutablePointer<Atomic<UInt64>>
  private let indexes = Lock<[String: Int]>([:])
  private static let lastEnvironment = Atomic<UInt64>(0)

  init(capacity: Int) {
    self.capacity = capacity
    environment =
      TableDirectory.lastEnvironment.wrappingAdd(1, ordering: .relaxed).newValue
    // Safe because the memory is owned by this value, initialized whole here, touched only by
    // atomic operations within bounds and freed in deinit.
    unsafe handles = .allocate(capacity: capacity)
    unsafe known = .allocate(capacity: capacity)
    for index in 0..<capacity {
      unsafe (handles + index).initialize(to: Atomic(TableDirectory.closed))
      unsafe (known + index).initialize(to: Atomic(0))
    }
  }

  deinit {
    unsafe handles.deinitialize(count: capacity)
    unsafe handles.deallocate()
    unsafe known.deinitialize(count: capacity)
    unsafe known.deallocate()
  }

  /// LMDB's handle of `table`, or an error if it is not there.
  @inline(__always)
  borrowing func handle(of table: Table) throws(StorageError) -> UInt32 {
    precondition(table.environment == environment, "a table of another environment")
    // Safe because an index is only made by `table(named:)`, within the capacity.
    let handle = unsafe handles[table.index].load(ordering: .acquiring)
    if handle == TableDirectory.closed { throw TableDirectory.missing(table.name) }
    return handle
  }

  /// The table's place in the directory, made on first mention of its name.
  borrowing func table(named name: String) throws(StorageError) -> Table {
    let index = try indexes.withLock { (indexes) throws(StorageError) -> Int in
      if let index = indexes[name] { return index }
      guard indexes.count < capacity else {
        throw StorageError(
          .tooManyTables, name, "opened for \(capacity) tables: raise maximumTables")
      }
      indexes[name] = indexes.count
      return indexes.count - 1
    }
    return Table(name: name, index: index, environment: environment)
  }

  /// Whether LMDB has a handle open for `table`.
  borrowing func isOpen(_ table: Table) -> Bool {
    unsafe handles[table.index].load(ordering: .acquiring) != TableDirectory.closed
  }

  /// Notes the handle under which LMDB has `table` open from now on; `closed` for none.
  borrowing func setHandle(_ handle: UInt32, of table: Table) {
    unsafe handles[table.index].store(handle, ordering: .releasing)
  }

  /// Whether `table` was seen to exist in the snapshot `id`.
  borrowing func isKnown(_ table: Table, at id: UInt64) -> Bool {
    unsafe known[table.index].load(ordering: .relaxed) == id
  }

  /// Notes that `table` exists in the snapshot `id`.
  borrowing func setKnown(_ table: Table, at id: UInt64) {
    unsafe known[table.index].store(id, ordering: .relaxed)
  }

  /// The tables that LMDB has open.
  borrowing func openTables() -> [Table] {
    let known = indexes.withLock { $0 }
    return known.map { Table(name: $0.key, index: $0.value, environment: environment) }
      .filter { isOpen($0) }
  }

  static func missing(_ name: String) -> StorageError {
    StorageError(.tableMissing, name, "no such table: it was never made, or was dropped")
  }
}
