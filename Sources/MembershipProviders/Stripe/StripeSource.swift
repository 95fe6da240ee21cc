import MembershipModel

/// Makes events of a parsed document: the envelope, and what all objects have in common.
struct StripeSource {
  let verification: Verification
  /// The only environment accepted, if any.
  let environment: Environment?
  let observedAt: Timestamp?

  func events(in root: JSONValue) throws(Refusal) -> [Event] {
    guard root["object"]?.string == "list", let elements = root["data"]?.array else {
      return [try event(of: root, origin: .webhook)]
    }
    var events: [Event] = []
    for (index, element) in elements.enumerated() {
      do {
        events.append(try event(of: element, origin: .import))
      } catch {
        throw Refusal(
          error.code, message: "element \(index) of the list: \(error.message)",
          remedy: error.remedy)
      }
    }
    return events
  }

  private func event(of root: JSONValue, origin: Origin) throws(Refusal) -> Event {
    let object = DocumentObject(root, faults: DocumentFaults(.stripe))
    switch object.text("object") {
    case "event":
      return try webhookEvent(object, origin)
    case nil where root["type"] != nil && root["data"]?["object"] != nil:
      return try webhookEvent(object, origin)
    case "v2.core.event":
      return try thinEvent(object, origin)
    case let kind? where StripeEventTable.bareObjects[kind] != nil:
      return try bareObject(object, kind: kind)
    case let kind:
      throw Refusal(
        .wrongShape,
        message: "the document is \(kind.map { "a \($0) object of Stripe" } ?? "none of Stripe")",
        remedy: """
          hand over a webhook body, or a subscription, invoice or checkout session object, or a \
          list of them
          """)
    }
  }

  func assemble(
    _ id: EventID, _ notice: StripeNotice, _ facts: FactCollector, _ origin: Origin, isLive: Bool?,
    isKnown: Bool
  ) throws(Refusal) -> Event {
    // What does not say that its money is real never counts as real.
    let found: Environment = isLive == true ? .production : .sandbox
    if let environment, environment != found {
      throw Refusal(
        .wrongEnvironment,
        message: "\(id) is of \(found.name), and \(environment.name) is expected",
        remedy: "accept that environment, or send its webhooks elsewhere")
    }
    let account = account(in: notice.object)
    let customer = isKnown ? customer(in: notice.object) : nil
    let subject = notice.object.text("id") ?? ""
    var facts = facts
    if let account, let customer {
      facts.state(.accountLinked(AccountLink(account: account, customer: customer)))
    }
    let event = Event(
      id: id, provider: .stripe, environment: found, effectiveAt: notice.at, customer: customer,
      account: account, ordering: notice.ordering,
      facts: facts.finished(type: notice.type, subject: subject),
      provenance: Provenance(origin: origin, verification: verification))
    return event.fittingRecord(type: notice.type, subject: subject)
  }

  private func account(in object: DocumentObject) -> AccountID? {
    if object.text("object") == "customer" { return object.identifier("id") }
    return object.identifier("customer") ?? object.identifier("customer_account")
  }

  /// The service's own id of the customer, where it told it to Stripe.
  private func customer(in object: DocumentObject) -> CustomerID? {
    let hint =
      object.text("client_reference_id")
      ?? object.expanded("metadata")?.text("customer_id")
      ?? object.expanded("subscription_details")?.expanded("metadata")?.text("customer_id")
      ?? object.expanded("parent")?.expanded("subscription_details")?.expanded("metadata")?
      .text("customer_id")
    return hint.map(CustomerID.init(unchecked:))
  }
}
