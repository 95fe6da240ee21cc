import FoundationEssentials
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

  // MARK: - Notifications

  /// The body of a push, which holds a notification in base64.
  private func pushEvent(_ push: DocumentObject) throws(Refusal) -> Event {
    guard let message = push.object("message"),
      let id = message.text("messageId") ?? message.text("message_id")
    else {
      throw .malformed("the push has no usable messageId")
    }
    guard let text = message.value["data"]?.string, let data = Data(base64Encoded: text) else {
      throw .malformed("the data of message \(id) is no base64")
    }
    let notification = DocumentObject(
      try JSONValue(document: Array(data)), faults: DocumentFaults(.googlePlay))
    guard notification.value["packageName"] != nil else {
      throw Refusal(
        .wrongShape, message: "message \(id) holds no developer notification",
        remedy: "push the topic of Google Play alone to this endpoint")
    }
    return try notificationEvent(notification, messageID: id)
  }

  private func notificationEvent(
    _ notification: DocumentObject, messageID: String?
  ) throws(Refusal) -> Event {
    let package = try acceptedPackage(of: notification)
    let faults = notification.faults
    let summary = GooglePlayNotification(notification)
    guard let at = notification.wideMilliseconds("eventTimeMillis") else {
      throw Refusal(
        .missingTime, message: "the notification has no usable eventTimeMillis",
        remedy: "hand over the notification exactly as it came")
    }
    let name =
      messageID
      ?? DocumentDigest.eventName(
        of: summary.token ?? package, at: at, content: notification.value)
    guard let id: EventID = DocumentObject.identifier(name, faults) else {
      throw .malformed("the notification's id cannot be recorded: \(Self.identifierRule)")
    }
    let account: AccountID? = summary.token.flatMap { DocumentObject.identifier($0, faults) }
    faults.note("\(summary.remedy) (package \(package))")
    let event = Event(
      id: id, provider: .googlePlay, environment: environment ?? .production, effectiveAt: at,
      account: account,
      facts: FactCollector(faults: faults).finished(
        type: summary.type, subject: summary.token ?? ""),
      provenance: Provenance(origin: .webhook, verification: verification))
    return event.fittingRecord(type: summary.type, subject: summary.token ?? "")
  }

  // MARK: - Resources

  private func resourceEvents(_ wrapping: DocumentObject) throws(Refusal) -> [Event] {
    let given = Self.resources.filter { wrapping.given($0) != nil }
    guard given.count == 1, let kind = given.first, let resource = wrapping.object(kind) else {
      throw .malformed(
        "there is not exactly one of subscription, product and voided, as an object")
    }
    _ = try acceptedPackage(of: wrapping)
    let token = wrapping.text("purchaseToken")
    if kind == "voided" {
      if resource.given("voidedPurchases") != nil { return try voidedEvents(resource, token: token) }
      return [try voidedEvent(resource, token: token)]
    }
    guard let token, let membership: MembershipID = DocumentObject.identifier(token, wrapping.faults)
    else {
      throw .malformed("there is no usable purchaseToken: \(Self.identifierRule)")
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
      throw .malformed("the event's id cannot be recorded: \(Self.identifierRule)")
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

  // MARK: - Voided purchases

  private func voidedEvents(_ list: DocumentObject, token: String?) throws(Refusal) -> [Event] {
    guard let elements = list.value["voidedPurchases"]?.array else {
      throw .malformed("voidedPurchases is no list")
    }
    var events: [Event] = []
    for element in elements {
      events.append(
        try voidedEvent(
          DocumentObject(element, faults: DocumentFaults(.googlePlay)), token: token))
    }
    return events
  }

  private func voidedEvent(
    _ purchase: DocumentObject, token outer: String?
  ) throws(Refusal) -> Event {
    let faults = purchase.faults
    guard let token = purchase.text("purchaseToken") ?? outer,
      let membership: MembershipID = DocumentObject.identifier(token, faults)
    else {
      throw .malformed("a voided purchase has no usable purchaseToken: \(Self.identifierRule)")
    }
    guard let at = purchase.wideMilliseconds("voidedTimeMillis") else {
      throw Refusal(
        .missingTime, message: "the voided purchase \(token.prefix(40)) does not say when it was",
        remedy: "hand over the resource exactly as Google gave it")
    }
    if let outer, outer != token {
      throw .malformed("the voided purchase is of another purchaseToken than its wrapping")
    }
    var facts = FactCollector(faults: faults)
    GooglePlayVoid(purchase, of: membership, at: at).state(in: &facts)
    // The list says the same of a purchase for 30 days: the time of the fetch is left out.
    let name = DocumentDigest.eventName(of: "\(token)/voided", at: at, content: purchase.value)
    guard let id: EventID = DocumentObject.identifier(name, faults) else {
      throw .malformed("the event's id cannot be recorded: \(Self.identifierRule)")
    }
    let event = Event(
      id: id, provider: .googlePlay, environment: environment ?? .production, effectiveAt: at,
      account: AccountID(unchecked: membership.rawValue),
      facts: facts.finished(type: "voidedPurchase", subject: token),
      provenance: Provenance(origin: .reconcile, verification: verification))
    return event.fittingRecord(type: "voidedPurchase", subject: token)
  }

  // MARK: - Acceptance

  private func acceptedPackage(of document: DocumentObject) throws(Refusal) -> String {
    guard let package = document.text("packageName") else {
      throw .malformed("there is no usable packageName")
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
  private static let identifierRule =
    "with google-play: before it, an id has 1 to 511 bytes of UTF-8 and no control characters"
}

extension Refusal {
  fileprivate static func malformed(_ message: String) -> Refusal {
    Refusal(
      .malformed, message: message, remedy: "hand over the document exactly as Google gave it")
  }
}
