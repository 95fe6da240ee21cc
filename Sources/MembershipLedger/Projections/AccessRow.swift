internal import LedgerStorage

/// What the hot path reads of one name: either another name to look under, or the stretches in
/// which entitlements are had, as bytes that are read in place.
///
/// Layout: byte 0 is the kind. Kind 1: the other name in UTF-8. Kind 0: entries of 24 bytes, each
/// the number of an entitlement (4), zeros (4), start and end in milliseconds (8 each), all
/// little-endian, sorted by entitlement and start.
enum AccessRow {
  private static let direct: UInt8 = 0
  private static let alias: UInt8 = 1
  static let entrySize = 24

  struct Entry: Hashable {
    let entitlement: UInt32
    let period: Period
  }

  static func encode(_ entries: [Entry]) -> [UInt8] {
    var bytes = [direct]
    bytes.reserveCapacity(1 + entries.count * entrySize)
    for entry in entries {
      append(UInt64(entry.entitlement), to: &bytes)
      append(UInt64(bitPattern: entry.period.start.milliseconds), to: &bytes)
      append(UInt64(bitPattern: entry.period.end.milliseconds), to: &bytes)
    }
    return bytes
  }

  static func encode(aliasOf name: CustomerID) -> [UInt8] {
    [alias] + name.rawValue.utf8
  }

  /// The name that a row leads to, or nil where it holds entries itself.
  static func alias(in row: Span<UInt8>) -> String? {
    guard row.count > 0, row[0] == alias else { return nil }
    return String(decoding: row.extracting(1..<row.count).copied(), as: UTF8.self)
  }

  /// The entries of a row that leads to no other name.
  static func entries(in row: Span<UInt8>) -> [Entry] {
    (0..<count(in: row)).map { entry($0, in: row) }
  }

  /// How many entries such a row has.
  static func count(in row: Span<UInt8>) -> Int { max(0, row.count - 1) / entrySize }

  static func entry(_ index: Int, in row: Span<UInt8>) -> Entry {
    let offset = 1 + index * entrySize
    return Entry(
      entitlement: row.uint32(at: offset),
      period: Period(
        start: Timestamp(milliseconds: row.int64(at: offset + 8)),
        end: Timestamp(milliseconds: row.int64(at: offset + 16))))
  }

  /// Whether the entitlement is had at an instant.
  @inline(__always)
  static func gives(_ entitlement: UInt32, at instant: Int64, in row: Span<UInt8>) -> Bool {
    var offset = 1
    while offset + entrySize <= row.count {
      if row.uint32(at: offset) == entitlement, row.int64(at: offset + 8) <= instant,
        instant < row.int64(at: offset + 16)
      {
        return true
      }
      offset += entrySize
    }
    return false
  }

  private static func append(_ value: UInt64, to bytes: inout [UInt8]) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
}
