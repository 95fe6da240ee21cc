import MembershipModel

extension GooglePlaySource {
  func voidedEvents(_ list: DocumentObject, token: String?) throws(Refusal) -> [Event] {
    guard let elements = list.value["voidedPurchases"]?.array else {
      throw .notPlay("voidedPurchases is no list")
    }
    var events: [Event] = []
    for element in elements {
      events.append(
        try voidedEvent(
          DocumentObject(element, faults: DocumentFaults(.googlePlay)), token: token))
    }
    return events
  }

  func voidedEvent(
    _ purchase: DocumentObject, token outer: String?
  ) throws(Refusal) -> Event {
    let faults = purchase.faults
    guard let token = purchase.text("purchaseToken") ?? outer,
      let membership: MembershipID = DocumentObject.identifier(token, faults)
    else {
      throw .notPlay("a voided purchase has no usable purchaseToken: \(Self.identifierRule)")
    }
    guard let at = purchase.wideMilliseconds("voidedTimeMillis") else {
      throw Refusal(
        .missingTime, message: "the voided purchase \(token.prefix(40)) does not say when it was",
        remedy: "hand over the resource exactly as Google gave it")
    }
    if let outer, outer != token {
      throw .notPlay("the voided purchase is of another purchaseToken than its wrapping")
    }
    var facts = FactCollector(faults: faults)
    GooglePlayVoid(purchase, of: membership, at: at).state(in: &facts)
    // The list says the same of a purchase for 30 days: the time of the fetch is left out.
    let name = DocumentDigest.eventName(of: "\(token)/voided", at: at, content: purchase.value)
    guard let id: EventID = DocumentObject.identifier(name, faults) else {
      throw .notPlay("the event's id cannot be recorded: \(Self.identifierRule)")
    }
    let event = Event(
      id: id, provider: .googlePlay, environment: environment ?? .production, effectiveAt: at,
      account: AccountID(unchecked: membership.rawValue),
      facts: facts.finished(type: "voidedPurchase", subject: token),
      provenance: Provenance(origin: .reconcile, verification: verification))
    return event.fittingRecord(type: "voidedPurchase", subject: token)
  }
}
