import MembershipModel
import MembershipProviders
import Testing

let trustingStripe = StripeAdapter(trustsUnsigned: true)

let receivedAt = Timestamp(seconds: StripeFixture.march)

func document(_ json: JSONValue, observedAt: Timestamp? = nil) -> ProviderDocument {
  ProviderDocument(
    body: Array(json.text().utf8), receivedAt: receivedAt, observedAt: observedAt)
}

/// The one event of a document that is trusted as it is.
func event(
  in json: JSONValue, observedAt: Timestamp? = nil, _ location: SourceLocation = #_sourceLocation
) throws -> Event {
  let reading = trustingStripe.read(document(json, observedAt: observedAt))
  guard case .events(let events) = reading, events.count == 1 else {
    Issue.record("not one event: \(reading)", sourceLocation: location)
    throw Unread()
  }
  expectSameAgain(
    events, of: document(json, observedAt: observedAt), by: StripeAdapter(), location)
  return events[0]
}

/// The facts of a webhook, without links of accounts.
func facts(
  _ type: String, _ object: JSONValue, previous: JSONValue? = nil,
  _ location: SourceLocation = #_sourceLocation
) throws -> [Fact] {
  try event(in: StripeFixture.event(type, object, previous: previous), location).facts
    .filter { $0.body.name != "accountLinked" }
}

func names(_ facts: [Fact]) -> [String] { facts.map(\.body.name) }

func refusal(_ reading: Reading) -> Refusal.Code? {
  if case .refused(let refusal) = reading { refusal.code } else { nil }
}

func at(_ seconds: Int64) -> Timestamp { Timestamp(seconds: seconds) }

extension [Fact] {
  var transactions: [Transaction] {
    compactMap { fact in
      switch fact.body {
      case .purchased(let transaction), .renewed(let transaction): transaction
      default: nil
      }
    }
  }

  var notes: [Note] {
    compactMap { if case .noted(let note) = $0.body { note } else { nil } }
  }

  var observations: [Observation] {
    compactMap { if case .observed(let observation) = $0.body { observation } else { nil } }
  }

  func has(_ body: Fact.Body, of membership: MembershipID? = "stripe:sub_1") -> Bool {
    contains { $0.body == body && $0.membership == membership }
  }
}

private struct Unread: Error {}
