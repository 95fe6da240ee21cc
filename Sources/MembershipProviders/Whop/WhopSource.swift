import MembershipModel

/// Makes events of a parsed document: the envelope, and what all objects have in common.
struct WhopSource {
  let verification: Verification
  let environment: Environment
  let keepsPastDue: Bool
  /// When the request was signed, by its header.
  let sentAt: Timestamp?
  let observedAt: Timestamp?

  func events(in root: JSONValue) throws(Refusal) -> [Event] {
    guard Self.type(of: root) == nil, root["id"] == nil, let elements = root["data"]?.array else {
      return [try event(of: root)]
    }
    var events: [Event] = []
    for (index, element) in elements.enumerated() {
      do {
        events.append(try event(of: element))
      } catch {
        throw Refusal(
          error.code, message: "element \(index) of the list: \(error.message)",
          remedy: error.remedy)
      }
    }
    return events
  }

  private func event(of root: JSONValue) throws(Refusal) -> Event {
    if let type = Self.type(of: root), let data = root["data"] ?? root["body"] {
      return try webhookEvent(root, type, data)
    }
    let object = DocumentObject(root, faults: DocumentFaults(.whop))
    if let id = object.text("id"), let kind = WhopEventTable.bareObject(id: id) {
      return try bareObject(object, id, kind.name, kind.kind, shown: kind.shownTime(object))
    }
    throw Refusal(
      .wrongShape, message: "the document is none of Whop's that is read",
      remedy: "hand over a webhook body, or a membership or payment object, or a list of them")
  }

  /// The event's name, under the key of its generation; one that no record can hold has no name.
  private static func type(of root: JSONValue) -> String? {
    let type = root["type"]?.string ?? root["action"]?.string ?? root["event"]?.string
    guard let type, !type.isEmpty else { return nil }
    return EventID.fault(in: type) == nil ? type : "event"
  }

  // MARK: - Webhooks

  private func webhookEvent(
    _ root: JSONValue, _ sentType: String, _ data: JSONValue
  ) throws(Refusal) -> Event {
    let faults = DocumentFaults(.whop)
    let envelope = DocumentObject(root, faults: faults)
    let object = DocumentObject(data.fields == nil ? .object([]) : data, faults: faults)
    let type = WhopEventTable.name(of: sentType)
    let kind = WhopEventTable.events[type]
    let stated = envelope.moment("timestamp") ?? sentAt ?? observedAt
    let at = stated ?? Self.shownTime(of: object, kind)
    let notice = WhopNotice(
      type: type, object: object, previous: Self.previous(of: object, root),
      at: at ?? Timestamp(milliseconds: 0), isTimeStated: stated != nil,
      keepsPastDue: keepsPastDue)
    var facts = FactCollector(faults: faults)
    if data.fields == nil {
      facts.note("the event has no object")
    } else if at == nil {
      facts.note("the event has no usable time")
    } else if let kind {
      read(notice, as: kind, into: &facts)
    }
    let id: EventID
    if envelope.given("id") != nil {
      guard let own: EventID = envelope.identifier("id") else { throw Self.badID("event") }
      id = own
    } else {
      id = try eventID(of: object.text("id") ?? type, at: notice.at, root, faults)
    }
    return assemble(id, notice, facts, .webhook, isKnown: at != nil && kind != nil)
  }

  private static func shownTime(of object: DocumentObject, _ kind: WhopEventKind?) -> Timestamp? {
    kind?.object == .membership
      ? WhopMembership.shownTime(object) : WhopPayment.shownTime(object)
  }

  /// The object with the former values of the fields that changed laid over it.
  private static func previous(of object: DocumentObject, _ root: JSONValue) -> DocumentObject? {
    guard let former = root["previous_attributes"]?.fields, let present = object.value.fields
    else { return nil }
    let keys = Set(former.map(\.key))
    // What is unusable in it is no fault of the document's own statement.
    return DocumentObject(
      .object(former + present.filter { !keys.contains($0.key) }), faults: DocumentFaults(.whop))
  }

  private func read(
    _ notice: WhopNotice, as kind: WhopEventKind, into facts: inout FactCollector
  ) {
    guard notice.object.text("id")?.hasPrefix(kind.object.rawValue) == true else {
      facts.note("the event does not show its object")
      return
    }
    kind.read(notice, &facts)
  }

  // MARK: - Bare objects

  private func bareObject(
    _ object: DocumentObject, _ name: String, _ type: String, _ kind: WhopEventKind,
    shown: Timestamp?
  ) throws(Refusal) -> Event {
    // A membership goes on, and is as it was when it was fetched; a payment is as it tells.
    let goesOn = kind.object == .membership
    guard let at = goesOn ? observedAt ?? shown : shown ?? observedAt else {
      throw Refusal(
        .missingTime, message: "the \(type) \(name) does not show when it was so",
        remedy: "hand over the whole object; a program may give observedAt instead")
    }
    let notice = WhopNotice(
      type: type, object: object, previous: nil, at: at, isTimeStated: false,
      keepsPastDue: keepsPastDue)
    var facts = FactCollector(faults: object.faults)
    kind.read(notice, &facts)
    let id = try eventID(of: name, at: at, object.value, object.faults)
    return assemble(id, notice, facts, .reconcile, isKnown: true)
  }

  private func eventID(
    of subject: String, at instant: Timestamp, _ content: JSONValue, _ faults: DocumentFaults
  ) throws(Refusal) -> EventID {
    let name = DocumentDigest.eventName(of: subject, at: instant, content: content)
    guard let id: EventID = DocumentObject.identifier(name, faults) else {
      throw Self.badID("object")
    }
    return id
  }

  private static func badID(_ thing: String) -> Refusal {
    Refusal(
      .malformed,
      message: "the id of the \(thing) cannot be recorded: with whop: before it, an id has 1 to "
        + "511 bytes of UTF-8 and no control characters",
      remedy: "hand over the document exactly as Whop made it")
  }

  // MARK: - Events

  private func assemble(
    _ id: EventID, _ notice: WhopNotice, _ facts: FactCollector, _ origin: Origin, isKnown: Bool
  ) -> Event {
    let account = Self.account(in: notice.object)
    let customer = isKnown ? Self.customer(in: notice.object) : nil
    let subject = notice.object.text("id") ?? ""
    var facts = facts
    if let account, let customer {
      facts.state(.accountLinked(AccountLink(account: account, customer: customer)))
    }
    // What was paid for was paid for then, whenever it is told.
    let paidAt = facts.statesPurchase ? WhopPayment(notice.object)?.paidAt : nil
    var ordering = notice.ordering
    ordering.writtenAt = paidAt == nil ? nil : notice.at
    let event = Event(
      id: id, provider: .whop, environment: environment, effectiveAt: paidAt ?? notice.at,
      customer: customer, account: account, ordering: ordering,
      facts: facts.finished(type: notice.type, subject: subject),
      provenance: Provenance(origin: origin, verification: verification))
    return event.fittingRecord(type: notice.type, subject: subject)
  }

  private static func account(in object: DocumentObject) -> AccountID? {
    object.whopAccount ?? object.expanded("payment")?.whopAccount
  }

  /// The service's own id of the customer, where it told it to Whop.
  private static func customer(in object: DocumentObject) -> CustomerID? {
    let hint =
      object.expanded("metadata")?.text("customer_id")
      ?? object.expanded("payment")?.expanded("metadata")?.text("customer_id")
    return hint.map(CustomerID.init(unchecked:))
  }
}

extension FactCollector {
  /// Whether a payment is among what is stated.
  fileprivate var statesPurchase: Bool {
    facts.contains { fact in
      switch fact.body {
      case .purchased(let transaction), .renewed(let transaction): transaction.isUndated
      default: false
      }
    }
  }
}
