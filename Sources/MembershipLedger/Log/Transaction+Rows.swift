internal import LedgerStorage

// The ledger builds its keys and rows as arrays.

extension ReadTransaction {
  borrowing func row(_ key: [UInt8], in table: Table) throws(StorageError) -> [UInt8]? {
    try value(for: key.span, in: table)
  }
}

extension WriteTransaction {
  mutating func putRow(
    _ key: [UInt8], _ value: [UInt8], in table: Table, appending: Bool = false
  ) throws(StorageError) {
    try put(value.span, for: key.span, in: table, appending: appending)
  }
}
