/// A half-open stretch of time: it holds its start and does not hold its end.
public struct Period: Hashable, Sendable {
  /// The first instant that belongs to the period.
  public var start: Timestamp
  /// The first instant after the period.
  public var end: Timestamp
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes a period; one whose end is not after its start holds nothing.
  ///
  /// - Parameters:
  ///   - start: The first instant.
  ///   - end: The first instant after it.
  public init(start: Timestamp, end: Timestamp) {
    self.start = start
    self.end = end
  }

  /// Whether the period holds no instant at all.
  public var isEmpty: Bool { end <= start }

  /// Whether the instant lies in the period.
  ///
  /// - Parameter instant: The instant asked about.
  /// - Returns: Whether it lies at or after the start and before the end.
  public func contains(_ instant: Timestamp) -> Bool {
    start <= instant && instant < end
  }
}

extension Period: Message {
  package static var messageName: String { "Period" }

  package static var blank: Period { Period(start: .defaultValue, end: .defaultValue) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "start", &start)
    try visitor.field(2, "end", &end)
  }
}
