import MembershipLedger
import Testing

/// What a ledger answers about many customers, entitlements and instants: to be compared.
struct AnswerSheet: Equatable {
  private var answers: [String: Bool] = [:]
  private var reasons: [String: DecisionReason] = [:]

  /// Which questions are asked: an answer by what was known takes a fold of its own.
  enum Extent {
    case many
    case few

    var entitlements: [EntitlementKey] {
      self == .many ? RandomHistory.entitlements : ["premium"]
    }
    var instants: [Timestamp] {
      self == .many ? RandomHistory.instants : [day(5), day(17), day(45)]
    }
  }

  /// Asks by stored state.
  init(
    _ ledger: Ledger, _ extent: Extent = .many, in environment: Environment = .production
  ) throws {
    try self.init(extent) { name, key, instant in
      try ledger.decision(for: name, on: key, at: instant, in: environment)
    }
  }

  /// Asks by what was known at a position.
  init(_ ledger: Ledger, _ extent: Extent, knownAt position: Position) throws {
    let known = try ledger.asKnown(at: .position(position))
    try self.init(extent) { name, key, instant in
      try known.decision(for: name, on: key, at: instant)
    }
  }

  private init(
    _ extent: Extent, _ decide: (CustomerID, EntitlementKey, Timestamp) throws -> Decision
  ) rethrows {
    for name in RandomHistory.names {
      for key in extent.entitlements {
        for instant in extent.instants {
          let decision = try decide(name, key, instant)
          answers["\(name) \(key) \(instant)"] = decision.isEntitled
          reasons["\(name) \(key) \(instant)"] = decision.reason
        }
      }
    }
  }

  /// The questions that two sheets answer differently.
  func differences(from other: AnswerSheet) -> [String] {
    answers.keys.filter { answers[$0] != other.answers[$0] || reasons[$0] != other.reasons[$0] }
      .sorted()
  }
}

/// Expects that the check without reasons says what the decision says, for every question.
func expectChecksAgree(
  _ ledger: Ledger, in environment: Environment = .production, _ hint: String = "",
  _ location: SourceLocation = #_sourceLocation
) throws {
  for key in RandomHistory.entitlements {
    guard let entitlement = try? ledger.entitlement(key) else { continue }
    for name in RandomHistory.names {
      for instant in RandomHistory.instants {
        let checked = try ledger.isEntitled(
          name.rawValue, to: entitlement, at: instant, in: environment)
        let decided = try ledger.decision(for: name, on: key, at: instant, in: environment)
        #expect(
          checked == decided.isEntitled,
          "\(hint): \(name) \(key) \(instant) \(environment): \(decided.reason)",
          sourceLocation: location)
      }
    }
  }
}
