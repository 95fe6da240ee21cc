extension Policy: Message {
  package static var messageName: String { "Policy" }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "providers", &providers)
    try visitor.field(2, "fullRefund", &fullRefund)
    try visitor.field(3, "partialRefund", &partialRefund)
    try visitor.field(4, "openDispute", &openDispute)
    try visitor.field(5, "inquiry", &inquiry)
    try visitor.field(6, "lostDispute", &lostDispute)
    try visitor.field(7, "fraudWarning", &fraudWarning)
    try visitor.field(8, "pause", &pause)
    try visitor.field(9, "restores", &restores)
    try visitor.field(10, "environments", &environments)
  }

  /// A blank policy for decoding: a rule that is absent on the wire is no rule of ours, and the
  /// strict reading of unrecognized values applies.
  package static var blank: Policy {
    Policy(
      fullRefund: .defaultValue, partialRefund: .defaultValue, openDispute: .defaultValue,
      inquiry: .defaultValue, lostDispute: .defaultValue, fraudWarning: .defaultValue,
      pause: .defaultValue, restores: .defaultValue, environments: [])
  }

  package static var jsonBlank: Policy { Policy() }
}

extension Policy.ProviderRules: Message {
  package static var messageName: String { "ProviderRules" }

  package static var blank: Policy.ProviderRules { Policy.ProviderRules(provider: .defaultValue) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "provider", &provider)
    try visitor.field(2, "graceMilliseconds", &graceMilliseconds)
    try visitor.field(3, "renewalToleranceMilliseconds", &renewalToleranceMilliseconds)
    try visitor.field(4, "distrustsStanding", &distrustsStanding)
  }

  package func validate() throws(WireError) {
    try require(provider, "provider")
    if graceMilliseconds < 0 || renewalToleranceMilliseconds < 0 {
      throw .invalid(field: "grace", rule: "a duration is not negative")
    }
  }
}

extension Policy.RefundRule: OpenEnum {
  package static var schemaType: String { "RefundRule" }
  package static let known: [(value: Policy.RefundRule, number: Int64, name: String)] = [
    (.revoke, 1, "revoke"), (.keep, 2, "keep"),
  ]

  package var unrecognizedNumber: Int64? {
    if case .unrecognized(let number) = self { number } else { nil }
  }
}

extension Policy.HoldRule: OpenEnum {
  package static var schemaType: String { "HoldRule" }
  package static let known: [(value: Policy.HoldRule, number: Int64, name: String)] = [
    (.hold, 1, "hold"), (.ignore, 2, "ignore"),
  ]

  package var unrecognizedNumber: Int64? {
    if case .unrecognized(let number) = self { number } else { nil }
  }
}

extension Policy.RestoreRule: OpenEnum {
  package static var schemaType: String { "RestoreRule" }
  package static let known: [(value: Policy.RestoreRule, number: Int64, name: String)] = [
    (.transfer, 1, "transfer"), (.keepWithOwner, 2, "keepWithOwner"),
    (.transferIfInactive, 3, "transferIfInactive"),
  ]

  package var unrecognizedNumber: Int64? {
    if case .unrecognized(let number) = self { number } else { nil }
  }
}

extension PolicyRevision: Message {
  package static var messageName: String { "PolicyRevision" }

  package static var blank: PolicyRevision { PolicyRevision(policy: .blank) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "policy", &policy)
    try visitor.field(2, "from", &from)
  }
}
