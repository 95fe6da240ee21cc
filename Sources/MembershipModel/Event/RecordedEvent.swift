/// A place in the log: 1, 2, 3 and so on, without gaps.
public struct Position: Hashable, Sendable, Comparable, ExpressibleByIntegerLiteral {
  /// The number; 0 stands before the first event.
  public let rawValue: UInt64

  /// Makes a position.
  ///
  /// - Parameter rawValue: The number; 0 stands before the first event.
  public init(_ rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// Makes a position from a literal of the program.
  public init(integerLiteral value: UInt64) {
    self.rawValue = value
  }

  /// The place before the first event.
  public static let start: Position = 0

  /// Orders positions by number.
  public static func < (left: Position, right: Position) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension Position: CustomStringConvertible {
  /// The number in decimal.
  public var description: String { String(rawValue) }
}

extension Position: FieldValue {
  package static var schemaType: String { "uint64" }
  package static var defaultValue: Position { .start }
  package static var isLengthDelimited: Bool { false }

  package func encode(to writer: inout WireWriter) {
    rawValue.encode(to: &writer)
  }

  package static func decode(
    from reader: inout WireReader, depth: Int
  ) throws(WireError) -> Position {
    Position(try UInt64.decode(from: &reader, depth: depth))
  }

  package var json: JSONValue {
    Int64(exactly: rawValue).map { .integer($0) } ?? .string(description)
  }

  package init(json: JSONValue) throws(InvalidValue) {
    self.init(try UInt64(json: json))
  }
}

/// An event as it stands in the log: with its place and the time it was written down.
public struct RecordedEvent: Hashable, Sendable {
  /// Its place in the log.
  public var position: Position
  /// When the ledger wrote it, by the ledger's clock.
  public var recordedAt: Timestamp
  /// The event.
  public var event: Event
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes a record.
  ///
  /// - Parameters:
  ///   - position: Its place in the log.
  ///   - recordedAt: When the ledger wrote it.
  ///   - event: The event.
  public init(position: Position, recordedAt: Timestamp, event: Event) {
    self.position = position
    self.recordedAt = recordedAt
    self.event = event
  }

  // Not generic, so that callers in other modules get the specialised form of the codec.

  /// The wire form of the record.
  package func encoded() -> [UInt8] {
    var writer = WireWriter(capacity: 512)
    encodeFields(to: &writer)
    return writer.bytes
  }

  /// Reads a record from its wire form.
  ///
  /// - Throws: `WireError` where the bytes are no record; hostile bytes never trap.
  package init(decoding bytes: [UInt8]) throws(WireError) {
    try self.init(decoding: bytes[...], depth: 0)
  }

  /// The largest record in bytes.
  public static var maximumSize: Int { 65_535 }
}

extension RecordedEvent: Message {
  package static var messageName: String { "Record" }

  package static var blank: RecordedEvent {
    RecordedEvent(position: .start, recordedAt: .defaultValue, event: Event.blank)
  }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "position", &position)
    try visitor.field(2, "recordedAt", &recordedAt)
    // Read aside, so that an event that stands behind it does not take its place.
    var provenance = event.provenance
    try visitor.field(3, "event", &event)
    try visitor.field(4, "provenance", &provenance)
    event.provenance = provenance
  }

  package func validate() throws(WireError) {
    try require(position, "position")
    try require(event.id, "event")
  }
}
