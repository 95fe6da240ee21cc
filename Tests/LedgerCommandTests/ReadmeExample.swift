import MembershipLedger
import MembershipProviders

struct Memberships {
  let ledger: Ledger
  let stripe: StripeAdapter
  let premium: Entitlement

  init(path: String, signingSecret: String) throws {
    ledger = try Ledger.open(path)
    stripe = StripeAdapter(secrets: [signingSecret])
    premium = try ledger.entitlement("premium_tier")
  }

  /// What the endpoint for webhooks calls; the result is the status to answer with.
  func receive(body: [UInt8], headers: [String: String]) async throws -> Int {
    let document = ProviderDocument(body: body, headers: headers, receivedAt: .now())
    switch stripe.read(document) {
    case .events(let events):
      for event in events { try await ledger.append(event, document: body) }
      return 200  // Everything that follows from it is on disk.
    case .refused(let refusal):
      return refusal.httpStatus
    }
  }

  /// What the service asks on every request.
  func hasPremium(_ user: String) throws -> Bool {
    try ledger.isEntitled(user, to: premium)
  }

  /// What support asks: why, until when, and resting on which events.
  func explain(_ user: CustomerID, at instant: Timestamp) throws -> Decision {
    try ledger.decision(for: user, on: "premium_tier", at: instant, explained: true)
  }

  /// What a task beside the endpoints runs: who gained or lost what, each change once and in order.
  func follow(
    after cursor: UInt64, _ handle: (EntitlementChange) async throws -> Void
  ) async throws {
    for try await change in ledger.entitlementChanges(after: cursor) {
      try await handle(change)  // Store change.sequence with what was done: the next cursor.
    }
  }

  /// What a timer calls, so that expiries are among the changes.
  func settle() async throws {
    try await ledger.settle()
  }
}
