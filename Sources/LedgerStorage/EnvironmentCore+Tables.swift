internal import CLedgerLMDB
internal import Glibc
internal import Synchronization

extension EnvironmentCore {
  /// The key of the marker, which no table's name begins like.
  static let markerKey: [UInt8] = [0] + Array("marker".utf8)

  /// Opens the tree that holds the names of tables, without which none can be reached.
  func openMain() throws(StorageError) {
    var transaction: OpaquePointer?
    // Safe because the environment is open and the transaction ends below.
    var returnCode = unsafe mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &transaction)
    if returnCode == MDB_MAP_RESIZED {
      try followGrownMap()
      returnCode = unsafe mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &transaction)
    }
    try check(returnCode, path)
    var mainHandle: UInt32 = 0
    returnCode = unsafe mdb_dbi_open(transaction, nil, 0, &mainHandle)
    precondition(
      returnCode == MDB_SUCCESS && mainHandle == EnvironmentCore.mainHandle, "another LMDB")
    try check(unsafe mdb_txn_commit(transaction), path)
  }

  /// The directory's entry for a permissible name.
  func checkedTable(named name: String) throws(StorageError) -> Table {
    let count = name.utf8.count
    guard count > 0, count <= maximumKeyLength, !name.utf8.contains(0) else {
      throw StorageError(
        .invalidTableName, name,
        "a table's name has 1 to \(maximumKeyLength) bytes, none of them 0")
    }
    return try tables.table(named: name)
  }

  /// The table of that name, opened if it is not; nil if the newest snapshot has none.
  func existingTable(named name: String) throws(StorageError) -> Table? {
    let table = try checkedTable(named: name)
    if tables.isOpen(table) { return table }
    guard !isForked else { throw forkedError() }
    guard writerThread.load(ordering: .relaxed) != ReaderPool.thisThread else {
      throw StorageError(
        .nestedWrite, name, "inside a write a table is reached by the transaction's createTable")
    }
    return try writer.withLock { (_) throws(StorageError) -> Table? in
      // Another thread may have opened it meanwhile.
      if tables.isOpen(table) { return table }
      return try open(table)
    }
  }

  /// Opens `table` in LMDB, under the writer lock; nil if it does not exist.
  func open(_ table: Table) throws(StorageError) -> Table? {
    var transaction: OpaquePointer?
    // Safe because the environment is open; under the writer lock no other table is being opened,
    // which LMDB asks for, and the transaction ends below.
    try check(unsafe mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &transaction), table.name)
    var tableHandle: UInt32 = 0
    let returnCode = unsafe table.name.withCString {
      unsafe mdb_dbi_open(transaction, $0, 0, &tableHandle)
    }
    guard returnCode == MDB_SUCCESS else {
      unsafe mdb_txn_abort(transaction)
      if returnCode == MDB_NOTFOUND { return nil }
      throw StorageError(returnCode: returnCode, table.name)
    }
    // The commit of a read transaction keeps the handle for the environment.
    try check(unsafe mdb_txn_commit(transaction), table.name)
    tables.setHandle(tableHandle, of: table)
    return table
  }

  /// Whether the transaction's snapshot has a table of that name.
  func hasTable(named name: String, _ transaction: OpaquePointer) throws(StorageError) -> Bool {
    try unsafe mainRecord(Array(name.utf8), transaction) != nil
  }

  /// A record of the tree that holds the names of tables, the marker beside them.
  func mainRecord(
    _ key: [UInt8], _ transaction: OpaquePointer
  ) throws(StorageError) -> [UInt8]? {
    var value = unsafe MDB_val()
    // Safe because the transaction is live and LMDB only reads the key.
    let returnCode = unsafe key.withUnsafeBufferPointer { (buffer) -> Int32 in
      var key = unsafe MDB_val(buffer)
      return unsafe mdb_get(transaction, EnvironmentCore.mainHandle, &key, &value)
    }
    if returnCode == MDB_NOTFOUND { return nil }
    try check(returnCode, path)
    return unsafe value.span.copied()
  }

  /// Closes the handles of tables that other processes dropped since this one wrote last.
  ///
  /// LMDB would take such a handle for an empty table in a read, and write into nowhere in a write.
  func closeTablesDroppedByOthers(
    _ transaction: borrowing WriteTransaction
  ) throws(StorageError) {
    var gone: [Table] = []
    for table in tables.openTables() {
      if try unsafe !hasTable(named: table.name, transaction.reader.handle) {
        gone.append(table)
      }
    }
    guard !gone.isEmpty else { return }
    try withoutReads { () throws(StorageError) in
      for table in gone {
        // Safe because no read is under way and this write has not used the handle.
        unsafe mdb_dbi_close(handle, try tables.handle(of: table))
        tables.setHandle(TableDirectory.closed, of: table)
      }
    }
  }
}
