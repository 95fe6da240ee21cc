import MembershipModel
import MembershipProviders
import Testing

/// Expects that a document reads the same when a ledger that kept it reads it again: without its
/// headers and without proof, told no more than the record of each event knows.
func expectSameAgain(
  _ events: [Event], of document: ProviderDocument, by adapter: some ProviderAdapter,
  _ location: SourceLocation = #_sourceLocation
) {
  for event in events {
    let record = RecordedEvent(position: 1, recordedAt: document.receivedAt, event: event)
    let kept = ProviderDocument(
      kept: document.body, of: record,
      observedAt: event.ordering.writtenAt ?? event.effectiveAt)
    guard case .events(let again) = adapter.read(kept) else {
      Issue.record("it is not accepted again: \(adapter.read(kept))", sourceLocation: location)
      continue
    }
    let untold: [Event] =
      switch adapter.read(ProviderDocument(kept: document.body, of: record, observedAt: nil)) {
      case .events(let events): events
      case .refused: []
      }
    let own = untold.first { $0.id == event.id && $0.effectiveAt == event.effectiveAt }
    let same = own ?? again.first { $0.id == event.id }
    #expect(same?.facts == event.facts, sourceLocation: location)
    #expect(same?.effectiveAt == event.effectiveAt, sourceLocation: location)
    #expect(same?.ordering == event.ordering, sourceLocation: location)
    #expect(same?.account == event.account, sourceLocation: location)
    #expect(same?.customer == event.customer, sourceLocation: location)
    #expect(same?.environment == event.environment, sourceLocation: location)
    #expect(
      same?.provenance.verification.verdict == event.provenance.verification.verdict,
      sourceLocation: location)
  }
}
