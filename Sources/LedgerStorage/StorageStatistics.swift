internal import CLedgerLMDB
internal import Synchronization

/// What an environment holds and how it is used, at one instant.
package struct StorageStatistics: Sendable {
  package struct TableStatistics: Sendable, Hashable {
    package let name: String
    package let entries: Int
    package let depth: Int
    package let pages: Int
  }

  /// The address space reserved, in bytes.
  package let mapSize: Int
  /// The part of the file that pages have been given out from, in bytes; it never shrinks.
  package let usedBytes: Int
  package let pageSize: Int
  /// The last commit.
  package let transactionID: UInt64
  /// Slots of the reader table.
  package let maximumReaders: Int
  /// Reads under way or waiting to be used again, in all processes.
  package let readerSlots: Int
  /// How many commits the oldest read under way lies behind; 0 if there is none.
  ///
  /// A lag that grows means a file that grows.
  package let oldestReaderLag: UInt64
  /// Slots of dead processes that this process has cleared.
  package let clearedReaders: Int
  package let tables: [TableStatistics]
}

extension StorageEnvironment {
  /// What the environment holds now.
  package func statistics() throws(StorageError) -> StorageStatistics {
    do {
      return try read { (txn) throws(StorageError) in try core.statistics(txn) }
    } catch {
      throw error.storageError
    }
  }
}

extension TransactionError where Body == StorageError {
  /// The error inside, which is the storage's in both cases.
  package var storageError: StorageError {
    switch self {
    case .body(let error), .storage(let error): error
    }
  }
}

extension EnvironmentCore {
  fileprivate func statistics(
    _ txn: borrowing ReadTransaction
  ) throws(StorageError) -> StorageStatistics {
    var info = unsafe MDB_envinfo()
    var main = MDB_stat()
    // Safe because environment and transaction are live and both places valid.
    try check(unsafe mdb_env_info(handle, &info), path)
    try check(unsafe mdb_stat(txn.handle, EnvironmentCore.mainHandle, &main), path)
    let pageSize = Int(main.ms_psize)
    let (slots, oldest) = try readerSlots(besides: txn.id)
    return unsafe StorageStatistics(
      mapSize: info.me_mapsize, usedBytes: (info.me_last_pgno + 1) * pageSize,
      pageSize: pageSize, transactionID: txn.id, maximumReaders: Int(info.me_maxreaders),
      readerSlots: slots, oldestReaderLag: txn.id - min(oldest, txn.id),
      clearedReaders: clearedReaders.load(ordering: .relaxed),
      tables: try tableStatistics(txn))
  }

  private func tableStatistics(
    _ txn: borrowing ReadTransaction
  ) throws(StorageError) -> [StorageStatistics.TableStatistics] {
    var result: [StorageStatistics.TableStatistics] = []
    for name in try tableNames(txn) {
      guard let table = try existingTable(named: name) else { continue }
      var status = MDB_stat()
      // Safe because the transaction is live and `status` a valid place.
      let returnCode = unsafe mdb_stat(txn.handle, try tables.handle(of: table), &status)
      // A table that was opened after the snapshot was taken shows in the next statistics.
      guard returnCode == MDB_SUCCESS else { continue }
      result.append(
        StorageStatistics.TableStatistics(
          name: name, entries: status.ms_entries, depth: Int(status.ms_depth),
          // A damaged count must not end the process.
          pages: status.ms_branch_pages &+ status.ms_leaf_pages &+ status.ms_overflow_pages))
    }
    return result
  }

  /// The names of all tables in the snapshot.
  private func tableNames(_ txn: borrowing ReadTransaction) throws(StorageError) -> [String] {
    var cursor: OpaquePointer?
    // Safe because the transaction is live; the cursor is closed before it ends.
    try check(unsafe mdb_cursor_open(txn.handle, EnvironmentCore.mainHandle, &cursor), path)
    defer { unsafe mdb_cursor_close(cursor) }
    var names: [String] = []
    var key = unsafe MDB_val()
    while unsafe mdb_cursor_get(cursor, &key, nil, MDB_NEXT) == MDB_SUCCESS {
      let bytes = unsafe key.span.copied()
      if bytes != EnvironmentCore.markerKey { names.append(String(decoding: bytes, as: UTF8.self)) }
    }
    return names
  }

  /// How many slots of the reader table are taken, and the oldest snapshot that one of them holds.
  private func readerSlots(
    besides newest: UInt64
  ) throws(StorageError) -> (count: Int, oldest: UInt64) {
    var readers = ReaderList(oldest: newest)
    // Safe because the callback runs during the call only, and its context is `readers`, a valid
    // place for as long. LMDB hands it lines "pid thread snapshot", a dash where there is none.
    let returnCode = unsafe withUnsafeMutablePointer(to: &readers) { (list) -> Int32 in
      unsafe mdb_reader_list(
        handle,
        { (line, context) in
          guard let line = unsafe line, let context = unsafe context else { return 0 }
          let list = unsafe context.assumingMemoryBound(to: ReaderList.self)
          unsafe list.pointee.add(String(cString: line))
          return 0
        }, list)
    }
    // LMDB returns what the last callback returned, 0, or a negative code.
    guard returnCode >= 0 else { throw StorageError(returnCode: returnCode, path) }
    return (readers.count, readers.oldest)
  }
}

/// Lines of LMDB's reader list, counted.
private struct ReaderList {
  var count = 0
  var oldest: UInt64

  mutating func add(_ line: String) {
    let fields = line.split(whereSeparator: \.isWhitespace)
    guard fields.count == 3, Int32(fields[0]) != nil else { return }
    count += 1
    if let snapshot = UInt64(fields[2]) { oldest = min(oldest, snapshot) }
  }
}
