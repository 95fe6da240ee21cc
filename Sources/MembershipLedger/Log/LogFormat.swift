internal import LedgerCrypto
internal import LedgerStorage

/// The names and rows of the log's own tables.
enum LogFormat {
  static let application = "membership-ledger"
  static let version: UInt32 = 1
  /// Raised whenever the projections come out otherwise; a ledger with an older one is rebuilt.
  static let projectionVersion: UInt32 = 4

  /// The last version of the projections with heads that carry no hash of their own.
  static let lastUnhashedVersion: UInt32 = 2

  /// Position → leaf hash and record.
  static let log = "log"
  /// Event id → position and digest of the content.
  static let ids = "ids"
  /// What the last commit left: see `LogHead`.
  static let head = "head"

  static let headKey = Array("head".utf8)
  static let saltKey = Array("salt".utf8)
}

/// A record as it stands in the log: behind its leaf hash, which every reading checks.
enum LogRow {
  static func encode(_ record: [UInt8], _ leaf: Digest) -> [UInt8] {
    leaf.bytes + record
  }

  /// The event of a row, with the hash of its record.
  static func decode(
    _ row: [UInt8], at position: Position
  ) throws(LedgerError) -> (event: RecordedEvent, leaf: Digest) {
    let bytes = Array(row.dropFirst(Digest.byteCount))
    guard let leaf = Digest(bytes: Array(row.prefix(Digest.byteCount))),
      leaf == MerkleTree.leafHash(of: bytes)
    else {
      throw LedgerError(
        .damaged,
        "record \(position) does not match its hash: the file is damaged; restore a backup")
    }
    do throws(WireError) {
      let record = try RecordedEvent(decoding: bytes)
      guard record.position == position else {
        throw WireError.invalid(field: "position", rule: "it is \(record.position)")
      }
      return (record, leaf)
    } catch {
      throw LedgerError(.damaged, "record \(position) cannot be read: \(error)")
    }
  }
}

/// What the idempotency index keeps of an event: where it is, and what it says.
struct IDRow: Equatable {
  let position: Position
  let content: Digest

  init(position: Position, content: Digest) {
    self.position = position
    self.content = content
  }

  init(decoding bytes: [UInt8], of id: EventID) throws(LedgerError) {
    guard bytes.count == 40, let content = Digest(bytes: Array(bytes.suffix(32))) else {
      throw LedgerError(
        .damaged, "the index entry of event \(id) cannot be read; run ledger verify")
    }
    position = Position(bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    self.content = content
  }

  var encoded: [UInt8] { StoredKey.position(position) + content.bytes }
}

/// Where the log ends, and the hash of all that it holds.
///
/// Its row ends in a hash of itself: a version that is another's must not be a damaged number.
struct LogHead: Sendable {
  var last = Position.start
  /// The recorded time of the last event; recorded times never go back.
  var recordedAt = Timestamp(milliseconds: 0)
  /// The position of the last event about the terms.
  var termsVersion = Position.start
  /// Which generation of the projection tables is current: 0 or 1.
  var generation = 0
  var projectionVersion = LogFormat.projectionVersion
  var frontier = MerkleFrontier()

  init() {}

  init(decoding bytes: [UInt8]) throws(LedgerError) {
    var decoder = KeyDecoder(bytes.span)
    guard let last = decoder.uint64(), let recordedAt = decoder.uint64(),
      let terms = decoder.uint64(), let generation = decoder.uint32(), generation < 2,
      let version = decoder.uint32(), version > 0, let root = decoder.bytes(32),
      case var rest = decoder.remainingBytes(),
      Self.takeHash(of: bytes, from: &rest, frontierOf: last, version),
      let frontier = MerkleFrontier(serialized: rest), frontier.size == last,
      frontier.root.bytes == root
    else { throw LedgerError(.damaged, "the head of the log cannot be read; restore a backup") }
    self.last = Position(last)
    self.recordedAt = Timestamp(milliseconds: Int64(bitPattern: recordedAt))
    termsVersion = Position(terms)
    self.generation = Int(generation)
    projectionVersion = version
    self.frontier = frontier
  }

  /// Takes the hash of the row off its end, where it has one and may have none only by its age.
  private static func takeHash(
    of row: [UInt8], from rest: inout [UInt8], frontierOf size: UInt64, _ version: UInt32
  ) -> Bool {
    let length = 8 + size.nonzeroBitCount * Digest.byteCount
    if rest.count == length { return version <= LogFormat.lastUnhashedVersion }
    let hash = Array(rest.suffix(Digest.byteCount))
    rest.removeLast(min(Digest.byteCount, rest.count))
    return rest.count == length && hash == SHA256.hash(row.dropLast(Digest.byteCount)).bytes
  }

  var encoded: [UInt8] {
    var bytes = StoredKey.position(last)
    bytes += StoredKey.position(Position(UInt64(bitPattern: recordedAt.milliseconds)))
    bytes += StoredKey.position(termsVersion)
    bytes += EntitlementNumber.encode(UInt32(generation))
    bytes += EntitlementNumber.encode(projectionVersion)
    bytes += frontier.root.bytes + frontier.serialized()
    return bytes + SHA256.hash(bytes).bytes
  }
}
