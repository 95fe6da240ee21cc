import LedgerStorage
import MembershipLedger
import Testing

/// The log's tables as they lie on disk, to be looked at and spoiled.
struct LogFile {
  private let environment: StorageEnvironment

  init(_ ledger: String) throws {
    environment = try StorageEnvironment.open(
      ledger + "/log", EnvironmentOptions(application: "membership-ledger", formatVersion: 1))
  }

  /// All rows of a table in the order of their keys.
  func rows(of name: String) throws -> [(key: [UInt8], value: [UInt8])] {
    guard let table = try environment.table(named: name) else { return [] }
    return try environment.read { (transaction) throws(StorageError) in
      var rows: [(key: [UInt8], value: [UInt8])] = []
      var entries = try transaction.entries(in: table)
      while let entry = try entries.next() {
        rows.append((entry.key.copied(), entry.value.copied()))
      }
      return rows
    }
  }

  func put(_ value: [UInt8], for key: [UInt8], in name: String) throws {
    guard let table = try environment.table(named: name) else { return }
    try environment.write { (transaction) throws(StorageError) in
      try transaction.put(value.span, for: key.span, in: table)
    }
  }

  func delete(_ key: [UInt8], in name: String) throws {
    guard let table = try environment.table(named: name) else { return }
    try environment.write { (transaction) throws(StorageError) in
      _ = try transaction.delete(key.span, in: table)
    }
  }

  static func dataPath(_ ledger: String) -> String { ledger + "/log/data.mdb" }

  /// Where LMDB's records of a table begin in a data file, those of earlier commits too.
  static func tables(named name: String, in bytes: [UInt8]) -> [Int] {
    // A node: length of the value, flag of a table, length of the key, key, value.
    let start: [UInt8] = [48, 0, 0, 0, 2, 0, UInt8(name.utf8.count), 0] + Array(name.utf8)
    return bytes.indices.dropLast(start.count + 48).filter { place in
      bytes[place..<place + start.count].elementsEqual(start)
    }.map { $0 + start.count }
  }

  /// The number of a table's root page in the newest commit, whose tree of tables is one page.
  static func root(of name: String, in bytes: [UInt8]) throws -> Int {
    func number(_ place: Int) -> Int {
      bytes[place..<place + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    let meta = number(144) > number(4096 + 144) ? 0 : 4096
    let page = number(meta + 128)
    let record = try #require(
      tables(named: name, in: bytes).first { $0 / 4096 == page }, "no table \(name)")
    return number(record + 40)
  }

  /// Turns over one bit of a row's value.
  func flip(_ byte: Int, ofRow index: Int, in name: String) throws {
    var row = try rows(of: name)[index]
    row.value[byte] ^= 1
    try put(row.value, for: row.key, in: name)
  }
}
