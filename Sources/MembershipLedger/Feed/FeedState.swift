internal import LedgerStorage

/// How far the feed is with one name: how many changes it has, and when time alone makes the next.
///
/// What was announced last follows: it is what the name's access row gives up to that instant.
struct FeedState: Hashable {
  /// How many changes of the name are in the feed.
  var changes: UInt64 = 0
  /// The first instant that is not in the feed at which what is had changes; nil where none comes.
  var next: Timestamp?

  init() {}

  init(decoding bytes: [UInt8]) throws(LedgerError) {
    var decoder = KeyDecoder(bytes.span)
    guard let changes = decoder.uint64(), let next = decoder.uint64(), decoder.isAtEnd else {
      throw LedgerError(.damaged, "the state of the feed cannot be read; run ledger rebuild")
    }
    self.changes = changes
    let instant = StoredKey.instant(decoding: next)
    self.next = instant == .distantFuture ? nil : instant
  }

  var encoded: [UInt8] {
    StoredKey.number(changes) + StoredKey.instant(next ?? .distantFuture)
  }
}

extension StoredKey {
  /// Between a name and what the feed has of it; no name holds it.
  private static let feedMark: UInt8 = 0

  /// The key of a change in the feed.
  static func feed(_ sequence: UInt64) -> [UInt8] { number(sequence) }

  /// The place in the feed that such a key stands for.
  static func sequence(ofFeed key: [UInt8]) -> UInt64 {
    key.reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The key under which the state of the feed of a name stands, and what the keys of its changes
  /// begin with.
  static func customerFeed(_ access: [UInt8]) -> [UInt8] { access + [feedMark] }

  /// The key that says that a change is about a name.
  static func customerFeed(_ access: [UInt8], _ sequence: UInt64) -> [UInt8] {
    customerFeed(access) + number(sequence)
  }

  /// The place in the feed that such a key ends with.
  static func sequence(ofCustomerFeed key: [UInt8]) -> UInt64 {
    key.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The key of a name's next change by time alone.
  static func deadline(_ instant: Timestamp, _ access: [UInt8]) -> [UInt8] {
    self.instant(instant) + access
  }

  /// The key of the access row that a deadline's key ends with.
  static func access(ofDeadline key: [UInt8]) -> [UInt8] { Array(key.dropFirst(8)) }

  /// The instant that a deadline's key begins with.
  static func instant(ofDeadline key: [UInt8]) -> Timestamp {
    instant(decoding: key.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
  }

  /// An instant so that keys sort by time: those before 1970 first.
  static func instant(_ instant: Timestamp) -> [UInt8] {
    number(UInt64(bitPattern: instant.milliseconds) ^ 1 << 63)
  }

  static func instant(decoding number: UInt64) -> Timestamp {
    Timestamp(milliseconds: Int64(bitPattern: number ^ 1 << 63))
  }
}
