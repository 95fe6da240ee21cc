internal import CLedgerLMDB
internal import Glibc

/// One snapshot of an environment.
///
/// It exists only inside the body of `StorageEnvironment.read` or `write`; the compiler keeps it,
/// and the bytes it lends, from leaving. A thread may hold several, nested.
@safe package struct ReadTransaction: ~Copyable {
  let handle: OpaquePointer
  /// Unowned without a check, for speed: the environment outlives the body it runs.
  unowned(unsafe) let core: EnvironmentCore
  /// Whether this is what a write sees, which may change until it ends.
  let isWriting: Bool

  init(handle: OpaquePointer, core: EnvironmentCore, isWriting: Bool) {
    unsafe self.handle = handle
    unsafe self.core = core
    self.isWriting = isWriting
  }

  /// LMDB's number of this snapshot: that of the last commit in it, or of the write under way.
  package var id: UInt64 { UInt64(unsafe mdb_txn_id(handle)) }

  /// The value stored under `key`, in place, or nil.
  @_lifetime(borrow self)
  package borrowing func bytes(
    for key: Span<UInt8>, in table: Table
  ) throws(StorageError) -> Span<UInt8>? {
    try checkKey(key, in: table)
    let tableHandle = try unsafe core.tables.handle(of: table)
    var value = unsafe MDB_val()
    // Safe because the transaction is live while self is borrowed, and LMDB neither keeps the key
    // nor writes to it.
    let returnCode = unsafe key.withUnsafeBufferPointer { (buffer) -> Int32 in
      var key = unsafe MDB_val(buffer)
      return unsafe mdb_get(handle, tableHandle, &key, &value)
    }
    if returnCode != MDB_SUCCESS {
      try checkNotFound(returnCode, in: table)
      return nil
    }
    // Safe because the bytes stay until the transaction ends or writes, and it can do neither
    // while self is borrowed, as the result's lifetime demands.
    return unsafe _overrideLifetime(value.span, borrowing: self)
  }

  /// A copy of the value stored under `key`, or nil.
  package borrowing func value(
    for key: Span<UInt8>, in table: Table
  ) throws(StorageError) -> [UInt8]? {
    try bytes(for: key, in: table)?.copied()
  }

  /// Whether anything is stored under `key`.
  package borrowing func contains(
    _ key: Span<UInt8>, in table: Table
  ) throws(StorageError) -> Bool {
    try bytes(for: key, in: table) != nil
  }

  /// How many entries the table has; known without counting.
  package borrowing func count(of table: Table) throws(StorageError) -> Int {
    let tableHandle = try unsafe core.tables.handle(of: table)
    try checkExists(table)
    var status = MDB_stat()
    // Safe because the transaction is live and `status` a valid place.
    try check(unsafe mdb_stat(handle, tableHandle, &status), table.name)
    return Int(status.ms_entries)
  }

  /// The greatest key of the table, or nil if it is empty.
  package borrowing func lastKey(in table: Table) throws(StorageError) -> [UInt8]? {
    var entries = try entries(in: table, order: .descending)
    return try entries.next()?.key.copied()
  }

  /// Throws unless `returnCode` says that an existing table has no such key.
  @inline(never)
  borrowing func checkNotFound(
    _ returnCode: Int32, in table: Table
  ) throws(StorageError) {
    // EINVAL: LMDB opened the table after this transaction began.
    if returnCode == EINVAL { throw TableDirectory.missing(table.name) }
    if returnCode != MDB_NOTFOUND { throw StorageError(returnCode: returnCode, table.name) }
    try checkExists(table)
  }

  /// Throws if the snapshot has no such table, which LMDB shows as one without entries.
  ///
  /// Another process may have dropped it. A write has looked at its beginning; a read looks once
  /// per table and commit.
  borrowing func checkExists(_ table: Table) throws(StorageError) {
    if isWriting { return }
    if unsafe core.tables.isKnown(table, at: id) { return }
    guard try unsafe core.hasTable(named: table.name, handle) else {
      throw TableDirectory.missing(table.name)
    }
    unsafe core.tables.setKnown(table, at: id)
  }
}

/// Refuses a key that LMDB would refuse on writing and silently not find on reading.
@inline(__always)
func checkKey(_ key: Span<UInt8>, in table: Table) throws(StorageError) {
  if key.isEmpty || key.count > maximumKeyLength {
    throw StorageError(
      .invalidKey, table.name,
      "a key has 1 to \(maximumKeyLength) bytes; this one has \(key.count) or more")
  }
}

extension MDB_val {
  /// The bytes of `buffer`, which LMDB only reads through a value that is passed in.
  @inline(__always)
  init(_ buffer: UnsafeBufferPointer<UInt8>) {
    unsafe self.init(
      mv_size: buffer.count, mv_data: UnsafeMutableRawPointer(mutating: buffer.baseAddress))
  }

  /// The bytes that LMDB points at; whoever takes them answers for their lifetime.
  @inline(__always)
  var span: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      // Safe as far as the transaction that gave the value lives.
      guard let start = unsafe mv_data else { return Span() }
      let bytes = unsafe UnsafePointer(start.assumingMemoryBound(to: UInt8.self))
      return unsafe _overrideLifetime(
        Span(_unsafeStart: bytes, count: mv_size), borrowing: self)
    }
  }
}
