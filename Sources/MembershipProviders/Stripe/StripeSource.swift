import LedgerCrypto
import MembershipModel

/// Makes events of a parsed document: the envelope, and what all objects have in common.
struct StripeSource {
  let verification: Verification
  /// The only environment accepted, if any.
  let environment: Environment?
  let observedAt: Timestamp?

  /// The largest event that a record holds with its provenance.
  private static let maximumEventSize = 60_000

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
    let object = StripeObject(root, faults: StripeFaults())
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

  // MARK: - Webhooks

  private func webhookEvent(_ event: StripeObject, _ origin: Origin) throws(Refusal) -> Event {
    let id = try eventID(event)
    let type = event.text("type") ?? "event"
    let body = event.expanded("data")?.expanded("object")
    let at = event.instant("created")
    let faults = StripeFaults()
    var facts = StripeFacts(faults: faults)
    let object = StripeObject(body?.value ?? .object([]), faults: faults)
    let notice = StripeNotice(
      type: type, object: object,
      previous: StripePrevious.object(
        before: object, changed: event.value["data"]?["previous_attributes"]),
      at: at ?? Timestamp(milliseconds: 0))
    if body == nil {
      facts.note("the event has no object")
    } else if at == nil {
      facts.note("the event has no usable time")
    } else if let kind = StripeEventTable.events[type] {
      read(notice, as: kind, into: &facts)
    }
    return try assemble(
      id, notice, facts, origin, isLive: event.flag("livemode"),
      isKnown: at != nil && StripeEventTable.events[type] != nil)
  }

  private func read(
    _ notice: StripeNotice, as kind: StripeEventKind, into facts: inout StripeFacts
  ) {
    let object = notice.object.text("object")
    guard object == kind.object else {
      facts.note("the event is about \(object ?? "an unnamed object"), not about \(kind.object)")
      return
    }
    kind.read(notice, &facts)
  }

  /// A thin event names an object and does not show it.
  private func thinEvent(_ event: StripeObject, _ origin: Origin) throws(Refusal) -> Event {
    let id = try eventID(event)
    let at = event.value["created"]?.string.flatMap { try? Timestamp(parsing: $0) }
    let facts = StripeFacts(faults: StripeFaults())
    facts.note("a thin event does not show its object: fetch it and hand it over")
    let subject =
      event.expanded("related_object") ?? StripeObject(.object([]), faults: facts.faults)
    let notice = StripeNotice(
      type: event.text("type") ?? "v2.core.event", object: subject, previous: nil,
      at: at ?? Timestamp(milliseconds: 0))
    return try assemble(
      id, notice, facts, origin, isLive: event.flag("livemode"), isKnown: false)
  }

  private func eventID(_ event: StripeObject) throws(Refusal) -> EventID {
    guard let id: EventID = event.identifier("id") else {
      throw Refusal(
        .malformed, message: "the event has no usable id",
        remedy: "hand over the event exactly as Stripe made it")
    }
    return id
  }

  // MARK: - Bare objects

  private func bareObject(_ object: StripeObject, kind: String) throws(Refusal) -> Event {
    guard let id = object.text("id") else {
      throw Refusal(
        .malformed, message: "the \(kind) has no usable id",
        remedy: "hand over the object exactly as Stripe gave it")
    }
    guard let at = observedAt ?? StripeEventTable.bareObjects[kind]?.shownTime(object) else {
      throw Refusal(
        .missingTime, message: "the \(kind) \(id) does not show when it was so",
        remedy: "say when it was observed")
    }
    var facts = StripeFacts(faults: object.faults)
    let notice = StripeNotice(type: kind, object: object, previous: nil, at: at)
    StripeEventTable.bareObjects[kind]?.read(notice, &facts)
    let content = "\(at.milliseconds)\n\(object.value.text())"
    let digest = SHA256.hash(Array(content.utf8)).bytes.prefix(16)
    guard
      let eventID: EventID = StripeObject.identifier(
        "\(id)@\(Hexadecimal.encode(digest))", object.faults)
    else {
      throw Refusal(
        .malformed, message: "the id of the \(kind) is too long",
        remedy: "hand over the object exactly as Stripe gave it")
    }
    return try assemble(
      eventID, notice, facts, .reconcile, isLive: object.flag("livemode"), isKnown: true)
  }

  // MARK: - What all have in common

  private func assemble(
    _ id: EventID, _ notice: StripeNotice, _ facts: StripeFacts, _ origin: Origin, isLive: Bool?,
    isKnown: Bool
  ) throws(Refusal) -> Event {
    // What does not say that its money is real never counts as real.
    let found: Environment = isLive == true ? .production : .sandbox
    if let environment, environment != found {
      throw Refusal(
        .wrongEnvironment,
        message: "\(id) is of \(found.name), and \(environment.name) is expected",
        remedy: "point the endpoint of that mode at its own ledger or setting")
    }
    let account = account(in: notice.object)
    let customer = isKnown ? customer(in: notice.object) : nil
    let subject = notice.object.text("id") ?? ""
    var facts = facts
    if let account, let customer {
      facts.state(.accountLinked(AccountLink(account: account, customer: customer)))
    }
    var event = Event(
      id: id, provider: .stripe, environment: found, effectiveAt: notice.at, customer: customer,
      account: account, ordering: notice.ordering,
      facts: facts.finished(type: notice.type, subject: subject),
      provenance: Provenance(origin: origin, verification: verification))
    if event.encoded().count > Self.maximumEventSize {
      let reason = "it states more than a record holds"
      event.facts = [Fact(.noted(Note(type: notice.type, subject: subject, reason: reason)))]
    }
    return event
  }

  private func account(in object: StripeObject) -> AccountID? {
    if object.text("object") == "customer" { return object.identifier("id") }
    return object.identifier("customer") ?? object.identifier("customer_account")
  }

  /// The service's own id of the customer, where it told it to Stripe.
  private func customer(in object: StripeObject) -> CustomerID? {
    let hint =
      object.text("client_reference_id")
      ?? object.expanded("metadata")?.text("customer_id")
      ?? object.expanded("subscription_details")?.expanded("metadata")?.text("customer_id")
      ?? object.expanded("parent")?.expanded("subscription_details")?.expanded("metadata")?
      .text("customer_id")
    return hint.map(CustomerID.init(unchecked:))
  }
}
