internal import LedgerCrypto
internal import LedgerStorage

/// Keys of the stored projections.
///
/// An identifier stands in a key as it is, so that keys sort in reading order; one too long to share
/// a key with other parts stands as its SHA-256.
enum StoredKey {
  private static let longestPart = 400
  private static let plain: UInt8 = 1
  private static let hashed: UInt8 = 2
  /// Between the key of a thing and the position of an event about it; sorts after the thing alone.
  private static let indexMark: UInt8 = 1

  static func entity(_ key: EntityKey) -> [UInt8] {
    var bytes: [UInt8] = [key.kind.rawValue]
    append(key.environment, to: &bytes)
    append(part: key.id, to: &bytes)
    return bytes
  }

  /// The key of the index entry for an event about a thing.
  static func index(_ key: EntityKey, _ position: Position) -> [UInt8] {
    indexPrefix(key) + number(position.rawValue)
  }

  static func indexPrefix(_ key: EntityKey) -> [UInt8] {
    entity(key) + [indexMark]
  }

  /// The position that an index entry's key ends with.
  static func position(ofIndex key: [UInt8]) -> Position {
    Position(key.suffix(8).reduce(0) { $0 << 8 | UInt64($1) })
  }

  static func position(_ position: Position) -> [UInt8] {
    number(position.rawValue)
  }

  static func change(_ position: Position, _ index: Int) -> [UInt8] {
    number(position.rawValue) + number(UInt64(index)).suffix(4)
  }

  static func access(_ name: CustomerID, _ environment: Environment) -> [UInt8] {
    var key = KeyEncoder()
    append(access: name.rawValue, environment, to: &key)
    return key.bytes.copied()
  }

  /// The key of the row that the hot path reads, built in place.
  @inline(__always)
  static func append(access name: String, _ environment: Environment, to key: inout KeyEncoder) {
    key.append(UInt8(clamping: environment.number))
    let length = name.utf8.count
    if length <= longestPart {
      key.append(plain)
      for byte in name.utf8 { key.append(byte) }
    } else {
      key.append(hashed)
      key.append(SHA256.hash(Array(name.utf8)).bytes)
    }
  }

  /// One byte for the environment; those of newer versions share the last one, since they grant
  /// nothing.
  private static func append(_ environment: Environment, to bytes: inout [UInt8]) {
    bytes.append(UInt8(clamping: environment.number))
  }

  /// A byte that says whether the part is hashed, the part, and a byte that ends it.
  private static func append(part: String, to bytes: inout [UInt8]) {
    if part.utf8.count <= longestPart {
      bytes.append(plain)
      bytes += part.utf8
    } else {
      bytes.append(hashed)
      bytes += SHA256.hash(Array(part.utf8)).bytes
    }
    bytes.append(0)
  }

  private static func number(_ value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
  }
}
