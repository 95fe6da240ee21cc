internal import LedgerCrypto
internal import LedgerStorage

/// Keys of the stored projections.
///
/// An identifier stands in a key as it is, so that keys sort in reading order; one too long to
/// share a key with other parts stands as its SHA-256.
enum StoredKey {
  static let longestPart = 400
  static let plain: UInt8 = 1
  private static let hashed: UInt8 = 2
  /// Between the key of a thing and the position of an event about it; sorts after the thing alone.
  private static let indexMark: UInt8 = 1

  static func entity(_ key: EntityKey) -> [UInt8] {
    var bytes = prefix(key.kind, key.environment)
    append(part: key.id, to: &bytes)
    return bytes
  }

  /// The key of the index entry for an event about a thing.
  static func index(_ key: EntityKey, _ position: Position) -> [UInt8] {
    indexPrefix(key) + number(position.rawValue)
  }

  static func indexPrefix(_ key: EntityKey) -> [UInt8] {
    indexPrefix(ofEntity: entity(key))
  }

  static func indexPrefix(ofEntity key: [UInt8]) -> [UInt8] {
    key + [indexMark]
  }

  /// What the keys of all things of a kind in an environment, and of the events about them, begin
  /// with.
  static func prefix(_ kind: EntityKind, _ environment: Environment) -> [UInt8] {
    [kind.rawValue, byte(of: environment)]
  }

  /// Whether a key is that of a thing, and not of an event about it.
  static func isEntity(_ key: [UInt8]) -> Bool {
    let hashLength = 3 + 32
    let partEnd = key.count > 3 && key[2] == plain ? key.dropFirst(3).firstIndex(of: 0) : hashLength
    return partEnd == key.count - 1
  }

  /// The id in the key of a thing; nil where it stands there as a hash.
  static func plainID(ofEntity key: [UInt8]) -> String? {
    guard key.count > 3, key[2] == plain else { return nil }
    return String(validating: key[3..<key.count - 1], as: UTF8.self)
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

  /// The key of the row that the hot path reads: the environment, whether the name is hashed, and
  /// the name.
  static func access(_ name: CustomerID, _ environment: Environment) -> [UInt8] {
    if name.rawValue.utf8.count <= longestPart {
      return [byte(of: environment), plain] + name.rawValue.utf8
    }
    return [byte(of: environment), hashed] + SHA256.hash(Array(name.rawValue.utf8)).bytes
  }

  /// One byte for the environment; those of newer versions share the last one, since they grant
  /// nothing.
  static func byte(of environment: Environment) -> UInt8 {
    UInt8(clamping: environment.number)
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

  static func number(_ value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
  }
}
