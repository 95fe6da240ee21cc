import MembershipModel

extension StripeSource {
  /// A webhook body is one event under its own id.
  func webhookEvent(_ event: DocumentObject, _ origin: Origin) throws(Refusal) -> Event {
    let id = try eventID(event)
    let type = event.text("type") ?? "event"
    let body = event.expanded("data")?.expanded("object")
    let at = event.instant("created")
    let faults = DocumentFaults(.stripe)
    var facts = FactCollector(faults: faults)
    let object = DocumentObject(body?.value ?? .object([]), faults: faults)
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
    _ notice: StripeNotice, as kind: StripeEventKind, into facts: inout FactCollector
  ) {
    let object = notice.object.text("object")
    guard object == kind.object else {
      facts.note("the event is about \(object ?? "an unnamed object"), not about \(kind.object)")
      return
    }
    kind.read(notice, &facts)
  }

  /// A thin event names an object and does not show it.
  func thinEvent(_ event: DocumentObject, _ origin: Origin) throws(Refusal) -> Event {
    let id = try eventID(event)
    let at = event.value["created"]?.string.flatMap { try? Timestamp(parsing: $0) }
    let facts = FactCollector(faults: DocumentFaults(.stripe))
    facts.note("a thin event does not show its object: fetch it and hand it over")
    let subject =
      event.expanded("related_object") ?? DocumentObject(.object([]), faults: facts.faults)
    let notice = StripeNotice(
      type: event.text("type") ?? "v2.core.event", object: subject, previous: nil,
      at: at ?? Timestamp(milliseconds: 0))
    return try assemble(
      id, notice, facts, origin, isLive: event.flag("livemode"), isKnown: false)
  }

  private func eventID(_ event: DocumentObject) throws(Refusal) -> EventID {
    guard let id: EventID = event.identifier("id") else {
      throw Refusal(
        .malformed, message: "the event has no usable id: \(Self.identifierRule)",
        remedy: "hand over the event exactly as Stripe made it")
    }
    return id
  }

  /// What an id must be like to be recorded.
  static let identifierRule =
    "with stripe: before it, an id has 1 to 511 bytes of UTF-8 and no control characters"
}
