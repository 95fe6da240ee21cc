internal import CLedgerLMDB

/// The order in which a scan yields keys.
package enum ScanOrder: Sendable {
  case ascending, descending
}

/// A key and its value, in place.
package struct Entry: ~Escapable {
  package let key: Span<UInt8>
  package let value: Span<UInt8>

  @_lifetime(copy key, copy value)
  init(key: Span<UInt8>, value: Span<UInt8>) {
    self.key = key
    self.value = value
  }
}

extension ReadTransaction {
  /// The entries of a table in key order, one by `next()` after the other.
  ///
  /// - Parameters:
  ///   - table: The table to scan.
  ///   - prefix: What all keys begin with; nil for any.
  ///   - from: Where to begin, this key included; it need not exist. It begins with the prefix.
  ///   - after: Where to begin, this key excluded, in the order of the scan; instead of `from`.
  ///   - order: Ascending or descending.
  /// - Returns: The scan, which keeps the transaction borrowed.
  /// - Throws: `tableMissing` or `invalidKey`.
  @_lifetime(borrow self, copy prefix, copy from, copy after)
  package borrowing func entries(
    in table: Table, prefix: Span<UInt8>? = nil, from: Span<UInt8>? = nil,
    after: Span<UInt8>? = nil, order: ScanOrder = .ascending
  ) throws(StorageError) -> Entries {
    precondition(from == nil || after == nil, "a scan begins from a key or after one, not both")
    if let from { try checkKey(from, in: table) }
    if let after { try checkKey(after, in: table) }
    let tableHandle = try unsafe core.tables.handle(of: table)
    try checkExists(table)
    var cursor: OpaquePointer?
    // Safe because the transaction is live while self is borrowed.
    try check(unsafe mdb_cursor_open(handle, tableHandle, &cursor), table.name)
    guard let cursor = unsafe cursor else { preconditionFailure("LMDB opened no cursor") }
    let isStartIncluded = after == nil
    let entries = unsafe Entries(
      cursor: cursor, table: table, prefix: prefix, start: isStartIncluded ? from : after,
      isStartIncluded: isStartIncluded, order: order)
    return unsafe _overrideLifetime(entries, borrowing: self)
  }
}

/// A scan under way; see `ReadTransaction.entries`.
@safe package struct Entries: ~Copyable, ~Escapable {
  private let cursor: OpaquePointer
  private let table: Table
  private let prefix: Span<UInt8>?
  private let start: Span<UInt8>?
  private let isStartIncluded: Bool
  private let order: ScanOrder
  private var isPositioned = false
  private var isDone = false

  @_lifetime(copy prefix, copy start)
  fileprivate init(
    cursor: OpaquePointer, table: Table, prefix: Span<UInt8>?, start: Span<UInt8>?,
    isStartIncluded: Bool, order: ScanOrder
  ) {
    unsafe self.cursor = cursor
    self.table = table
    self.prefix = prefix
    self.start = start
    self.isStartIncluded = isStartIncluded
    self.order = order
  }

  deinit {
    // Safe because the cursor is ours alone and its transaction outlives self.
    unsafe mdb_cursor_close(cursor)
  }

  /// The next entry, or nil at the end, where it stays.
  @_lifetime(copy self)
  package mutating func next() throws(StorageError) -> Entry? {
    guard !isDone else { return nil }
    var key = unsafe MDB_val()
    var value = unsafe MDB_val()
    let returnCode: Int32
    if isPositioned {
      returnCode = unsafe move(order == .ascending ? MDB_NEXT : MDB_PREV, &key, &value)
    } else {
      isPositioned = true
      returnCode = unsafe position(&key, &value)
    }
    if returnCode == MDB_NOTFOUND {
      isDone = true
      return nil
    }
    try check(returnCode, table.name)
    if unsafe !hasPrefix(key.span) {
      isDone = true
      return nil
    }
    // Safe because the bytes stay as long as the transaction that self depends on is borrowed.
    return unsafe _overrideLifetime(Entry(key: key.span, value: value.span), copying: self)
  }

  private func move(
    _ operation: MDB_cursor_op, _ key: inout MDB_val, _ value: inout MDB_val
  ) -> Int32 {
    // Safe because the cursor is open and both places are valid.
    unsafe mdb_cursor_get(cursor, &key, &value, operation)
  }

  private func seek(
    _ target: Span<UInt8>, _ key: inout MDB_val, _ value: inout MDB_val
  ) -> Int32 {
    // Safe because LMDB only reads the target, and replaces `key` by a place in the map.
    unsafe target.withUnsafeBufferPointer { (buffer) -> Int32 in
      unsafe key = MDB_val(buffer)
      return unsafe mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE)
    }
  }

  private func position(_ key: inout MDB_val, _ value: inout MDB_val) -> Int32 {
    order == .ascending
      ? unsafe positionAscending(&key, &value) : unsafe positionDescending(&key, &value)
  }

  private func positionAscending(_ key: inout MDB_val, _ value: inout MDB_val) -> Int32 {
    guard let start else {
      guard let prefix, !prefix.isEmpty else { return unsafe move(MDB_FIRST, &key, &value) }
      return unsafe seek(prefix, &key, &value)
    }
    let returnCode = unsafe seek(start, &key, &value)
    if returnCode == MDB_SUCCESS, !isStartIncluded, unsafe key.span.elementsEqual(start) {
      return unsafe move(MDB_NEXT, &key, &value)
    }
    return returnCode
  }

  private func positionDescending(_ key: inout MDB_val, _ value: inout MDB_val) -> Int32 {
    let returnCode: Int32
    if let start {
      returnCode = unsafe seek(start, &key, &value)
      if returnCode == MDB_SUCCESS, isStartIncluded, unsafe key.span.elementsEqual(start) {
        return returnCode
      }
    } else if let end = firstKeyBeyondPrefix() {
      returnCode = unsafe seek(end.span, &key, &value)
    } else {
      return unsafe move(MDB_LAST, &key, &value)
    }
    return switch returnCode {
    case MDB_SUCCESS: unsafe move(MDB_PREV, &key, &value)
    case MDB_NOTFOUND: unsafe move(MDB_LAST, &key, &value)
    default: returnCode
    }
  }

  /// The smallest key that is greater than all with the prefix, or nil if there is none.
  private func firstKeyBeyondPrefix() -> [UInt8]? {
    guard let prefix else { return nil }
    var bytes = prefix.copied()
    while let last = bytes.popLast() {
      if last < 0xff {
        bytes.append(last + 1)
        return bytes
      }
    }
    return nil
  }

  private func hasPrefix(_ key: Span<UInt8>) -> Bool {
    guard let prefix else { return true }
    return key.count >= prefix.count
      && key.extracting(0..<prefix.count).elementsEqual(prefix)
  }
}

extension Span<UInt8> {
  /// Whether both hold the same bytes.
  package func elementsEqual(_ other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    for index in indices where self[index] != other[index] {
      return false
    }
    return true
  }
}
