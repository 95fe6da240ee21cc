import MembershipModel

extension StripeSource {
  /// A bare object has no event id: its id, content and time make one, the same each time.
  func bareObject(_ object: DocumentObject, kind: String) throws(Refusal) -> Event {
    guard let id = object.text("id") else {
      throw Refusal(
        .malformed, message: "the \(kind) has no usable id: \(Self.identifierRule)",
        remedy: "hand over the object exactly as Stripe gave it")
    }
    guard let at = time(of: object, kind) else {
      throw Refusal(
        .missingTime, message: "the \(kind) \(id) does not show when it was so",
        remedy: "hand over the webhook's whole envelope, whose created says when; a program may "
          + "give observedAt instead")
    }
    var facts = FactCollector(faults: object.faults)
    let notice = StripeNotice(type: kind, object: object, previous: nil, at: at)
    StripeEventTable.bareObjects[kind]?.read(notice, &facts)
    let name = DocumentDigest.eventName(of: id, at: at, content: object.value)
    guard let eventID: EventID = DocumentObject.identifier(name, object.faults)
    else {
      throw Refusal(
        .malformed, message: "the id of the \(kind) cannot be recorded: \(Self.identifierRule)",
        remedy: "hand over the object exactly as Stripe gave it")
    }
    return try assemble(
      eventID, notice, facts, .reconcile, isLive: object.flag("livemode"), isKnown: true)
  }

  /// When the object was as it shows: a subscription when it was fetched, since it goes on; an
  /// invoice or a checkout at the time that it tells of.
  private func time(of object: DocumentObject, _ kind: String) -> Timestamp? {
    let shown = StripeEventTable.bareObjects[kind]?.shownTime(object)
    return kind == "subscription" ? observedAt ?? shown : shown ?? observedAt
  }
}
