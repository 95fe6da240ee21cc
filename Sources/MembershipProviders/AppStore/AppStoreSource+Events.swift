import MembershipModel

extension AppStoreSource {
  /// A notification is one event under its own id, the same in each delivery of it.
  func notification(_ field: JSONValue, _ origin: Origin) throws(Refusal) -> Event {
    let faults = DocumentFaults(.appStore)
    let payload = try opener.open(field, name: "signedPayload", faults: faults, scope: Self.scope)
    let object = payload.object
    let scope = Self.scope(object)
    try opener.compareApp(scope, payload.environment)
    guard let type = object.text("notificationType"),
      let id: EventID = object.text("notificationUUID").flatMap({
        DocumentObject.identifier($0, faults)
      })
    else { throw .malformed("signedPayload", "it has no usable type and UUID") }
    let signedAt = try time(payload.signedAt, of: "signedPayload")
    let subtype = object.text("subtype")
    var facts = FactCollector(faults: faults)
    let name = subtype.map { "\(type)/\($0)" } ?? type
    let read = AppStoreEventTable.kind(type, subtype)
    let parts = try open(AppStoreParts(of: scope.value), signedAt, payload, faults)
    var found = parts
    if let (kind, isKnown) = read {
      if !isKnown { facts.note("its subtype is not known") }
      found.snapshot = found.snapshot(kind.effect, subtype, settings)
      found.snapshot?.state(in: &facts)
      noteNews(kind, scope, in: &facts)
    } else {
      facts.note("its type is not known")
    }
    let app = try consentSubject(scope, faults)
    return assemble(
      id, found, facts, type: name, subject: app ?? parts.subject ?? scope.text("productId") ?? "",
      origin)
  }

  /// The part that says what a notification is about: one of four, which exclude each other.
  private static func scope(_ notification: DocumentObject) -> DocumentObject {
    for key in ["data", "summary", "appData", "externalPurchaseToken"] {
      if let scope = notification.object(key) { return scope }
    }
    return DocumentObject(.object([]), faults: notification.faults)
  }

  private func noteNews(
    _ kind: AppStoreEventKind, _ scope: DocumentObject, in facts: inout FactCollector
  ) {
    guard var remark = kind.remark else { return }
    if let reason = scope.text("consumptionRequestReason") { remark += " (\(reason))" }
    if let token = scope.text("externalPurchaseId") { remark += " (\(token))" }
    if let done = scope.integer("succeededCount") {
      remark += " (\(done) done, \(scope.integer("failedCount") ?? 0) failed)"
    }
    facts.note(remark)
  }

  /// Whose consent was withdrawn: Apple's id of the customer of this app.
  private func consentSubject(
    _ scope: DocumentObject, _ faults: DocumentFaults
  ) throws(Refusal) -> String? {
    guard let field = scope.given("signedAppTransactionInfo") else { return nil }
    return try opener.open(field, name: "signedAppTransactionInfo", faults: faults)
      .object.text("appTransactionId")
  }

  /// Payloads that were fetched, or handed over by the app, have no id: what they say makes one.
  func snapshot(_ given: AppStoreParts) throws(Refusal) -> Event {
    let faults = DocumentFaults(.appStore)
    var found = try open(given, nil, nil, faults)
    var facts = FactCollector(faults: faults)
    found.snapshot = found.snapshot(.fetched, nil, settings)
    if let snapshot = found.snapshot {
      snapshot.state(in: &facts)
    } else {
      facts.note("it names no transaction")
    }
    let name = DocumentDigest.eventName(
      of: found.subject ?? "payload", at: found.at, content: .object(found.content))
    guard let id: EventID = DocumentObject.identifier(name, faults) else {
      throw .malformed("payload", "its transaction has no usable id")
    }
    return assemble(
      id, found, facts, type: found.transaction == nil ? "renewalInfo" : "transaction",
      subject: found.subject ?? "", .reconcile)
  }

  /// That an app was bought, or reached, says nothing of memberships.
  func appTransaction(_ field: JSONValue) throws(Refusal) -> Event {
    let faults = DocumentFaults(.appStore)
    let payload = try opener.open(field, name: "signedAppTransactionInfo", faults: faults)
    let at = try time(payload.signedAt, of: "signedAppTransactionInfo")
    let subject = payload.object.text("appTransactionId") ?? ""
    let name = DocumentDigest.eventName(
      of: subject.isEmpty ? "app" : subject, at: at, content: payload.object.value)
    guard let id: EventID = DocumentObject.identifier(name, faults) else {
      throw .malformed("signedAppTransactionInfo", "it has no usable id")
    }
    let facts = FactCollector(faults: faults)
    facts.note("an app transaction is no purchase within the app")
    let found = AppStoreFound(
      isVerified: payload.isVerified, environment: payload.environment, at: at)
    return assemble(id, found, facts, type: "appTransaction", subject: subject, .reconcile)
  }

  private func assemble(
    _ id: EventID, _ found: AppStoreFound, _ facts: FactCollector, type: String, subject: String,
    _ origin: Origin
  ) -> Event {
    let snapshot = found.snapshot
    let effectiveAt = snapshot?.effectiveAt ?? found.at
    var facts = facts
    if let account = snapshot?.account, let customer = snapshot?.customer {
      facts.state(.accountLinked(AccountLink(account: account, customer: customer)))
    }
    let verification =
      found.isVerified
      ? Verification(.verified, method: AppStoreVerifier.method) : Verification(.unverified)
    let event = Event(
      id: id, provider: .appStore, environment: found.environment, effectiveAt: effectiveAt,
      customer: snapshot?.customer, account: snapshot?.account,
      ordering: SourceOrdering(writtenAt: effectiveAt == found.at ? nil : found.at),
      facts: facts.finished(type: type, subject: subject),
      provenance: Provenance(origin: origin, verification: verification))
    return event.fittingRecord(type: type, subject: subject)
  }
}
