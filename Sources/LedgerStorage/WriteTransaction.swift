internal import CLedgerLMDB

/// The one write under way in an environment.
///
/// It exists only inside the body of `StorageEnvironment.write`, which commits when the body
/// returns and gives up when it throws. `reader` sees what was written so far; bytes and scans
/// taken from it must be done with before the next write, which the compiler enforces.
@safe package struct WriteTransaction: ~Copyable {
  /// What the transaction sees, its own writes included.
  package let reader: ReadTransaction
  /// The first failure that spoils the transaction, whether or not the body noticed.
  private(set) var failure: StorageError?
  /// Tables that this transaction made, to be forgotten if it fails.
  private(set) var created: [Table] = []
  /// Tables emptied here, to be removed by the commit.
  private(set) var dropped: [Table] = []

  init(handle: OpaquePointer, core: EnvironmentCore) {
    reader = unsafe ReadTransaction(handle: handle, core: core, isWriting: true)
  }

  /// The number that the commit will have.
  package var id: UInt64 { reader.id }

  /// Stores `value` under `key`, in place of what was there.
  ///
  /// With `appending`, `key` must be greater than all keys of the table: faster, with full pages.
  package mutating func put(
    _ value: Span<UInt8>, for key: Span<UInt8>, in table: Table, appending: Bool = false
  ) throws(StorageError) {
    try checkKey(key, in: table)
    let tableHandle = try writableHandle(of: table)
    // Safe because the transaction is live and LMDB copies key and value before it returns.
    let returnCode = unsafe key.withUnsafeBufferPointer { (keyBuffer) -> Int32 in
      unsafe value.withUnsafeBufferPointer { (valueBuffer) -> Int32 in
        var key = unsafe MDB_val(keyBuffer)
        var value = unsafe MDB_val(valueBuffer)
        let flags = UInt32(appending ? MDB_APPEND : 0)
        return unsafe mdb_put(reader.handle, tableHandle, &key, &value, flags)
      }
    }
    if returnCode == MDB_KEYEXIST {
      throw StorageError(
        .keyOutOfOrder, table.name, "an appended key must be greater than all others")
    }
    try note(returnCode, table.name)
    try Failpoint.pass("storage.put")
  }

  /// Removes what is stored under `key`; whether there was anything.
  @discardableResult
  package mutating func delete(
    _ key: Span<UInt8>, in table: Table
  ) throws(StorageError) -> Bool {
    try checkKey(key, in: table)
    let tableHandle = try writableHandle(of: table)
    // Safe because the transaction is live and LMDB only reads the key.
    let returnCode = unsafe key.withUnsafeBufferPointer { (buffer) -> Int32 in
      var key = unsafe MDB_val(buffer)
      return unsafe mdb_del(reader.handle, tableHandle, &key, nil)
    }
    if returnCode == MDB_NOTFOUND { return false }
    try note(returnCode, table.name)
    return true
  }

  /// Removes all entries of the table.
  package mutating func clear(_ table: Table) throws(StorageError) {
    let tableHandle = try writableHandle(of: table)
    // Safe because the transaction is live and the handle open.
    try note(unsafe mdb_drop(reader.handle, tableHandle, 0), table.name)
  }

  /// The table of that name, made empty if there is none.
  package mutating func createTable(named name: String) throws(StorageError) -> Table {
    let table = try unsafe reader.core.checkedTable(named: name)
    if let place = dropped.firstIndex(of: table) {
      dropped.remove(at: place)
      return table
    }
    if unsafe reader.core.tables.isOpen(table) { return table }
    let tableHandle = try open(name, UInt32(MDB_CREATE))
    unsafe reader.core.tables.setHandle(tableHandle, of: table)
    created.append(table)
    return table
  }

  /// Removes the table with all its entries when the transaction commits.
  ///
  /// From then on an operation on it fails with `tableMissing`, here and in other processes. The
  /// commit waits for the reads of this process to end.
  package mutating func dropTable(_ table: Table) throws(StorageError) {
    try clear(table)
    dropped.append(table)
  }

  private mutating func writableHandle(of table: Table) throws(StorageError) -> UInt32 {
    if !dropped.isEmpty && dropped.contains(table) {
      throw TableDirectory.missing(table.name)
    }
    return try unsafe reader.core.tables.handle(of: table)
  }

  private mutating func open(_ name: String, _ flags: UInt32) throws(StorageError) -> UInt32 {
    var tableHandle: UInt32 = 0
    // Safe because the transaction is live, the only write of the process, and LMDB copies the
    // name.
    let returnCode = unsafe name.withCString {
      unsafe mdb_dbi_open(reader.handle, $0, flags, &tableHandle)
    }
    try note(returnCode, name)
    return tableHandle
  }

  /// Throws if `returnCode` is a failure, and remembers that the transaction cannot be kept.
  private mutating func note(_ returnCode: Int32, _ name: String) throws(StorageError) {
    guard returnCode != MDB_SUCCESS else { return }
    let error = StorageError(returnCode: returnCode, name)
    if failure == nil { failure = error }
    throw error
  }
}
