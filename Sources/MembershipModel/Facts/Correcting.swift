/// An event of a provider counts for nothing any more: what stands beside this fact takes its place.
///
/// It is a decision of the ledger's, known from its position on; a later correction of the same event
/// takes the place of an earlier one. The record that is corrected stays as it is.
public struct Correction: Hashable, Sendable {
  /// The id of the event that is corrected, which is no correction itself.
  public var event: EventID
  /// The position of that event.
  public var position: Position
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes the payload; see the properties for the meaning of each part.
  public init(event: EventID, position: Position) {
    self.event = event
    self.position = position
  }
}

extension Correction: Message {
  package static var messageName: String { "Correction" }

  package static var blank: Correction {
    Correction(event: .defaultValue, position: .defaultValue)
  }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "event", &event)
    try visitor.field(2, "position", &position)
  }

  package func validate() throws(WireError) {
    try require(event, "event")
    try require(position, "position")
  }
}

extension Event {
  /// What the event corrects; nil where it is no correction.
  public var correction: Correction? {
    for case .corrected(let correction) in facts.lazy.map(\.body) { return correction }
    return nil
  }
}

extension [RecordedEvent] {
  /// The records, in the order of their positions, that count: those that no later one of them
  /// corrects, and of the corrections of one event the last.
  package var counting: [RecordedEvent] {
    var replaced: Set<Position> = []
    var last: [EventID: Position] = [:]
    for record in self {
      guard let correction = record.event.correction else { continue }
      replaced.insert(correction.position)
      if let former = last.updateValue(record.position, forKey: correction.event) {
        replaced.insert(former)
      }
    }
    return replaced.isEmpty ? self : filter { !replaced.contains($0.position) }
  }
}
