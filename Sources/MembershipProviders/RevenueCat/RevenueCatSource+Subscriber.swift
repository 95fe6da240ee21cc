import MembershipModel

extension RevenueCatSource {
  /// A subscriber object shows the latest of each purchase: each is an event of its own.
  func subscriberEvents(
    _ subscriber: DocumentObject, in envelope: DocumentObject
  ) throws(Refusal) -> [Event] {
    guard
      let at = envelope.milliseconds("request_date_ms") ?? envelope.time("request_date")
        ?? observedAt
    else {
      throw Refusal(
        .missingTime, message: "the subscriber object does not say when it was so",
        remedy: "hand over the whole answer, whose request_date says when; a program may give "
          + "observedAt instead")
    }
    let names = [envelope.text("app_user_id"), subscriber.text("original_app_user_id")]
      .compactMap { $0 }
    guard let name = names.first else { throw .malformed("the subscriber has no usable id") }
    var events: [Event] = []
    for (product, entries) in Self.purchases(of: subscriber) {
      for entry in entries {
        let object = DocumentObject(entry.value, faults: DocumentFaults(.revenueCat))
        let snapshot = RevenueCatSnapshot(
          object, product: product, renews: entry.renews, seenAt: at)
        let identity = RevenueCatIdentity(names, object.faults)
        events.append(try event(snapshot, of: name, identity))
      }
    }
    if events.isEmpty { events.append(try emptyEvent(envelope, of: name, at)) }
    return events
  }

  private typealias Entry = (value: JSONValue, renews: Bool)

  /// The purchases by product, in the order of the document.
  private static func purchases(
    of subscriber: DocumentObject
  ) -> [(product: String, entries: [Entry])] {
    let renewing = subscriber.object("subscriptions")?.value.fields ?? []
    let single = subscriber.object("non_subscriptions")?.value.fields ?? []
    return renewing.map { ($0.key, [($0.value, true)]) }
      + single.map { field in (field.key, (field.value.array ?? []).map { ($0, false) }) }
  }

  private func event(
    _ snapshot: RevenueCatSnapshot, of name: String, _ identity: RevenueCatIdentity
  ) throws(Refusal) -> Event {
    var facts = FactCollector(faults: snapshot.object.faults)
    snapshot.state(in: &facts)
    identity.state(in: &facts)
    let content = JSONValue.object([
      .init("name", .string(name)), .init("product", .string(snapshot.product)),
      .init("purchase", snapshot.object.value),
    ])
    return try assemble(
      "subscriber", snapshot, identity, facts, content: content, .reconcile)
  }

  /// A row of an export is one event, marked as taken over from a history.
  func rowEvent(_ row: DocumentObject) throws(Refusal) -> Event {
    guard let snapshot = RevenueCatSnapshot(row: row, observedAt: observedAt) else {
      throw Refusal(
        .missingTime, message: "the row does not say when its purchase was made",
        remedy: "hand over the row with its start_time")
    }
    let names = [
      row.text("rc_last_seen_app_user_id_alias"), row.text("rc_original_app_user_id"),
    ].compactMap { $0 }
    if names.isEmpty { throw .malformed("the row has no usable id of a customer") }
    let identity = RevenueCatIdentity(names, row.faults)
    var facts = FactCollector(faults: row.faults)
    snapshot.state(in: &facts)
    identity.state(in: &facts)
    return try assemble("row", snapshot, identity, facts, content: row.value, .import)
  }

  private func assemble(
    _ type: String, _ snapshot: RevenueCatSnapshot, _ identity: RevenueCatIdentity,
    _ facts: FactCollector, content: JSONValue, _ origin: Origin
  ) throws(Refusal) -> Event {
    let subject = snapshot.transactionText ?? snapshot.product
    let name = DocumentDigest.eventName(of: subject, at: snapshot.seenAt, content: content)
    guard let id: EventID = DocumentObject.identifier(name, snapshot.object.faults) else {
      throw .malformed("the id of the purchase cannot be recorded")
    }
    let effectiveAt = snapshot.effectiveAt
    return try assemble(
      Event(
        id: id, provider: .revenueCat,
        environment: Self.environment(isSandbox: snapshot.isSandbox), effectiveAt: effectiveAt,
        customer: identity.customer, account: identity.account,
        ordering: SourceOrdering(
          writtenAt: effectiveAt == snapshot.seenAt ? nil : snapshot.seenAt),
        facts: facts.finished(type: type, subject: subject),
        provenance: Provenance(origin: origin, verification: verification)),
      type: type, subject: subject)
  }

  /// A customer without a purchase is noted.
  private func emptyEvent(
    _ envelope: DocumentObject, of name: String, _ at: Timestamp
  ) throws(Refusal) -> Event {
    let digest = DocumentDigest.eventName(of: name, at: at, content: envelope.value)
    guard let id: EventID = DocumentObject.identifier(digest, envelope.faults) else {
      throw .malformed("the id of the subscriber cannot be recorded")
    }
    let facts = FactCollector(faults: envelope.faults)
    facts.note("the subscriber has bought nothing")
    return try assemble(
      Event(
        id: id, provider: .revenueCat, environment: environment ?? .production, effectiveAt: at,
        account: DocumentObject.identifier(name, envelope.faults),
        facts: facts.finished(type: "subscriber", subject: name),
        provenance: Provenance(origin: .reconcile, verification: verification)),
      type: "subscriber", subject: name)
  }
}
