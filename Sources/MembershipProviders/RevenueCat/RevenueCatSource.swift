import MembershipModel

/// Makes events of a parsed document: the envelope, and what all kinds have in common.
struct RevenueCatSource {
  let verification: Verification
  /// The only environment accepted, if any.
  let environment: Environment?
  let observedAt: Timestamp?

  func events(in root: JSONValue) throws(Refusal) -> [Event] {
    guard let elements = root.array else { return try document(root) }
    var events: [Event] = []
    for (index, element) in elements.enumerated() {
      do {
        events += try document(element)
      } catch {
        throw Refusal(
          error.code, message: "element \(index) of the list: \(error.message)",
          remedy: error.remedy)
      }
    }
    return events
  }

  private func document(_ root: JSONValue) throws(Refusal) -> [Event] {
    let object = DocumentObject(root, faults: DocumentFaults(.revenueCat))
    if let event = object.expanded("event") { return [try webhookEvent(event)] }
    if let subscriber = object.expanded("subscriber") {
      return try subscriberEvents(subscriber, in: object)
    }
    if root["rc_original_app_user_id"] != nil { return [try rowEvent(object)] }
    throw Refusal(
      .wrongShape, message: "the document is none of RevenueCat's that is read",
      remedy: "hand over a webhook body, a subscriber object, or a row of a transaction export")
  }

  /// A webhook body is one event under its own id.
  private func webhookEvent(_ body: DocumentObject) throws(Refusal) -> Event {
    guard let id: EventID = body.identifier("id") else {
      throw .malformed("the event has no usable id")
    }
    let type = body.text("type") ?? "event"
    let kind = RevenueCatEventTable.events[type]
    let writtenAt = body.milliseconds("event_timestamp_ms")
    let notice = RevenueCatNotice(
      type: type, object: body, writtenAt: writtenAt ?? Timestamp(milliseconds: 0))
    var facts = FactCollector(faults: body.faults)
    let identity = type == "TRANSFER" ? notice.receiver : body.identity
    if writtenAt == nil {
      facts.note("the event has no usable time")
    } else if let kind {
      kind.read(notice, &facts)
      if kind.isAboutCustomer { identity.state(in: &facts) }
    }
    let purchasedAt = kind?.isPurchase == true ? body.milliseconds("purchased_at_ms") : nil
    let isRead = kind?.isAboutCustomer == true && writtenAt != nil
    return try assemble(
      Event(
        id: id, provider: .revenueCat,
        environment: Self.environment(isSandbox: body.text("environment") != "PRODUCTION"),
        effectiveAt: purchasedAt ?? notice.writtenAt,
        customer: isRead ? identity.customer : nil, account: identity.account,
        ordering: SourceOrdering(writtenAt: purchasedAt == nil ? nil : notice.writtenAt),
        facts: facts.finished(type: type, subject: notice.subject),
        provenance: Provenance(origin: .webhook, verification: verification)),
      type: type, subject: notice.subject)
  }

  /// What does not say that its money is real never counts as real.
  static func environment(isSandbox: Bool) -> Environment { isSandbox ? .sandbox : .production }

  func assemble(_ event: Event, type: String, subject: String) throws(Refusal) -> Event {
    if let environment, environment != event.environment {
      throw Refusal(
        .wrongEnvironment,
        message: "\(event.id) is of \(event.environment.name), and \(environment.name) is expected",
        remedy: "accept that environment, or send its webhooks elsewhere")
    }
    return event.fittingRecord(type: type, subject: subject)
  }
}

extension Refusal {
  static func malformed(_ fault: String) -> Refusal {
    Refusal(
      .malformed,
      message: "\(fault): with revenuecat: before it, an id has 1 to 511 bytes of UTF-8 and no "
        + "control characters",
      remedy: "hand over the document exactly as RevenueCat made it")
  }
}
