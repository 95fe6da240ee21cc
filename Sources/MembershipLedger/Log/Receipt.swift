/// What an append came to: where the event stands, durably.
public struct Receipt: Hashable, Sendable {
  /// The event's place in the log.
  public let position: Position
  /// When the ledger wrote it.
  public let recordedAt: Timestamp
  /// Whether it had been recorded before, with the same content, and nothing was changed now.
  public let isDuplicate: Bool
}

/// What must hold for an event to be appended, judged in the transaction that would append it.
public struct AppendCondition: Hashable, Sendable {
  enum Subject: Hashable {
    case membership(MembershipID)
    case customer(CustomerID)
  }

  enum Rule: Hashable {
    case last(Subject, Position)
    case due(Timestamp)
  }

  let rule: Rule

  /// The last event about a membership stands at a position; 0 for none.
  ///
  /// - Parameters:
  ///   - membership: The membership, in the event's environment.
  ///   - position: The position expected.
  /// - Returns: The condition.
  public static func last(of membership: MembershipID, is position: Position) -> AppendCondition {
    AppendCondition(rule: .last(.membership(membership), position))
  }

  /// The last event about anything of a customer's stands at a position; 0 for none.
  ///
  /// - Parameters:
  ///   - customer: The customer, in the event's environment.
  ///   - position: The position expected.
  /// - Returns: The condition.
  public static func last(of customer: CustomerID, is position: Position) -> AppendCondition {
    AppendCondition(rule: .last(.customer(customer), position))
  }

  /// Time alone has changed something by an instant, which has come, that is not in the feed.
  static func due(by instant: Timestamp) -> AppendCondition {
    AppendCondition(rule: .due(instant))
  }
}

/// An event to append, with what goes with it.
public struct AppendRequest: Sendable {
  /// The event.
  public var event: Event
  /// The provider's document, to be kept beside the log.
  public var document: [UInt8]?
  /// What must hold for it to be appended.
  public var condition: AppendCondition?

  /// Makes a request.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - document: The provider's document, to be kept beside the log.
  ///   - condition: What must hold for it to be appended.
  public init(_ event: Event, document: [UInt8]? = nil, if condition: AppendCondition? = nil) {
    self.event = event
    self.document = document
    self.condition = condition
  }
}
