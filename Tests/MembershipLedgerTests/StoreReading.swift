import MembershipLedger
import MembershipProviders
import Testing

/// What a store reports when it is asked: objects as its API gives them.
enum StoreReading {
  /// The events of objects that were fetched on a day, each with its document.
  static func requests(
    _ objects: String..., on number: Int64, _ location: SourceLocation = #_sourceLocation
  ) -> [AppendRequest] {
    objects.flatMap { object -> [AppendRequest] in
      let document = ProviderDocument(
        body: Array(object.utf8), receivedAt: day(number), observedAt: day(number))
      switch StripeAdapter(trustsUnsigned: true).read(document) {
      case .events(let events):
        return events.map { AppendRequest($0, document: document.body) }
      case .refused(let refusal):
        Issue.record("\(refusal)", sourceLocation: location)
        return []
      }
    }
  }

  /// A paid month of a subscription, from a day on, by its invoice.
  static func paidMonth(
    _ number: Int, from day: Double, customer: String, hint: String? = nil
  ) -> String {
    let metadata = hint.map { #"{"customer_id": "\#($0)"}"# } ?? "{}"
    return StripeHook.invoice(
      number, "paid", day, day + 30, subscription: "sub_\(number)", customer: customer,
      changing: ["metadata": metadata])
  }
}
