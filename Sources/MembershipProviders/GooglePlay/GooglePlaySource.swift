import MembershipModel

/// Makes events of a parsed document: the envelope, and what all documents have in common.
struct GooglePlaySource {
  let verification: Verification
  /// The only environment accepted, if any.
  let environment: Environment?
  /// The apps whose documents are accepted; none accepts all.
  let packageNames: Set<String>
  let observedAt: Timestamp?

  func events(in root: JSONValue) throws(Refusal) -> [Event] {
    let document = DocumentObject(root, faults: DocumentFaults(.googlePlay))
    if root["message"] != nil { return [try pushEvent(document)] }
    if Self.resources.contains(where: { root[$0] != nil }) { return try resourceEvents(document) }
    if root["voidedPurchases"] != nil { return try voidedEvents(document, token: nil) }
    if root["packageName"] != nil, root["eventTimeMillis"] != nil {
      return [try notificationEvent(document, messageID: nil)]
    }
    throw Refusal(
      .wrongShape, message: "the document is none of Google Play",
      remedy: """
        hand over a Pub/Sub push body, a developer notification, or a fetched resource as \
        {"packageName", "purchaseToken", "observedAt", "subscription" | "product" | "voided"}
        """)
  }

  /// The fields of a wrapping of which exactly one holds the resource.
  private static let resources = ["subscription", "product", "voided"]

  private func resourceEvents(_ wrapping: DocumentObject) throws(Refusal) -> [Event] {
    let given = Self.resources.filter { wrapping.given($0) != nil }
    guard given.count == 1, let kind = given.first, let resource = wrapping.object(kind) else {
      throw .notPlay(
        "there is not exactly one of subscription, product and voided, as an object")
    }
    _ = try acceptedPackage(of: wrapping)
    let token = wrapping.text("purchaseToken")
    if kind == "voided" {
      if resource.given("voidedPurchases") != nil {
        return try voidedEvents(resource, token: token)
      }
      return [try voidedEvent(resource, token: token)]
    }
    guard let token,
      let membership: MembershipID = DocumentObject.identifier(token, wrapping.faults)
    else {
      throw .notPlay("there is no usable purchaseToken: \(Self.identifierRule)")
    }
    let trigger = wrapping.object("notification").flatMap { GooglePlayTrigger($0, token: token) }
    guard let at = wrapping.time("observedAt") ?? observedAt ?? trigger?.at else {
      throw Refusal(
        .missingTime, message: "the \(kind) of \(token.prefix(40)) does not show when it was so",
        remedy: "give observedAt, the RFC 3339 time of the fetch")
    }
    let notice = GooglePlayNotice(
      token: token, membership: membership, object: resource, at: at, trigger: trigger)
    let origin: Origin = wrapping.given("notification") == nil ? .reconcile : .webhook
    return [
      kind == "subscription"
        ? try event(of: GooglePlaySubscription(notice), origin)
        : try event(of: GooglePlayProduct(notice), origin)
    ]
  }

  private func event(
    of subscription: GooglePlaySubscription, _ origin: Origin
  ) throws(Refusal) -> Event {
    var facts = FactCollector(faults: subscription.notice.object.faults)
    subscription.state(in: &facts)
    return try assemble(
      subscription.notice, facts, origin, type: "subscription", owner: subscription.owner,
      effectiveAt: subscription.notice.at, isTest: subscription.isTest)
  }

  private func event(of product: GooglePlayProduct, _ origin: Origin) throws(Refusal) -> Event {
    var facts = FactCollector(faults: product.notice.object.faults)
    product.state(in: &facts)
    return try assemble(
      product.notice, facts, origin, type: "product", owner: product.owner,
      effectiveAt: product.effectiveAt, isTest: product.isTest)
  }

  private func assemble(
    _ notice: GooglePlayNotice, _ facts: FactCollector, _ origin: Origin, type: String,
    owner: GooglePlayOwner, effectiveAt: Timestamp, isTest: Bool
  ) throws(Refusal) -> Event {
    let found: Environment = isTest ? .sandbox : .production
    try accept(found, notice.token)
    let faults = notice.object.faults
    let name = DocumentDigest.eventName(
      of: notice.token, at: notice.at, content: notice.object.value)
    guard let id: EventID = DocumentObject.identifier(name, faults) else {
      throw .notPlay("the event's id cannot be recorded: \(Self.identifierRule)")
    }
    let account = AccountID(unchecked: notice.membership.rawValue)
    var facts = facts
    if let customer = owner.name, customer.rawValue != account.rawValue {
      facts.state(.accountLinked(AccountLink(account: account, customer: customer)))
    }
    let event = Event(
      id: id, provider: .googlePlay, environment: found, effectiveAt: effectiveAt,
      customer: owner.customer, account: account,
      ordering: SourceOrdering(writtenAt: effectiveAt == notice.at ? nil : notice.at),
      facts: facts.finished(type: type, subject: notice.token),
      provenance: Provenance(origin: origin, verification: verification))
    return event.fittingRecord(type: type, subject: notice.token)
  }

  func acceptedPackage(of document: DocumentObject) throws(Refusal) -> String {
    guard let package = document.text("packageName") else {
      throw .notPlay("there is no usable packageName")
    }
    guard packageNames.isEmpty || packageNames.contains(package) else {
      throw Refusal(
        .wrongApp, message: "the document is of the app \(package)",
        remedy: "accept that package name, or send its documents elsewhere")
    }
    return package
  }

  private func accept(_ found: Environment, _ token: String) throws(Refusal) {
    guard let environment, environment != found else { return }
    throw Refusal(
      .wrongEnvironment,
      message: "\(token.prefix(40)) is of \(found.name), and \(environment.name) is expected",
      remedy: "accept that environment, or send its documents elsewhere")
  }

  /// What an id must be like to be recorded.
  static let identifierRule =
    "with google-play: before it, an id has 1 to 511 bytes of UTF-8 and no control characters"
}

extension Refusal {
  /// A document of Google Play that lacks what identifies it.
  static func notPlay(_ message: String) -> Refusal {
    Refusal(
      .malformed, message: message, remedy: "hand over the document exactly as Google gave it")
  }
}
