import MembershipModel

/// Makes the event of a parsed document: the envelope, and what all documents have in common.
struct VoidhashSource {
  let verification: Verification
  /// The only environment accepted, if any.
  let environment: Environment?
  let isObserver: Bool
  let linksDistinctIDs: Bool
  let observedAt: Timestamp?

  func event(in root: JSONValue) throws(Refusal) -> Event {
    let object = DocumentObject(root, faults: DocumentFaults(.voidhash))
    if let action = object.text("action") { return try self.action(object, action) }
    if let type = object.text("type") { return try webhook(object, type) }
    if object.text("personId") != nil, object.expanded("entitlements") != nil {
      return try person(object)
    }
    throw Refusal(
      .wrongShape, message: "the document is none of Voidhash's that is read",
      remedy: "hand over a webhook body, an action, or a snapshot of a person")
  }

  private func webhook(_ object: DocumentObject, _ type: String) throws(Refusal) -> Event {
    let kind = VoidhashEventTable.events[type]
    // A test has no time of its own but the one at which it was sent.
    guard let at = object.time("occurredAt") ?? object.time("timestamp") else {
      throw missingTime("webhook", "occurredAt")
    }
    let isSubscription = type.hasPrefix("subscription.")
    let subject = VoidhashNotice.subject(of: object, isSubscription: isSubscription)
    let id = try eventID("\(type)/\(subject ?? "")/\(at.milliseconds)", object.faults)
    return try assemble(id, object, type, kind, at: at, .webhook)
  }

  private func action(_ object: DocumentObject, _ action: String) throws(Refusal) -> Event {
    guard let at = object.time("occurredAt") else { throw missingTime("action", "occurredAt") }
    let name: String
    if VoidhashEventTable.transfers.contains(action) {
      let persons = ["fromPersonId", "toPersonId"].map { object.text($0) ?? "" }
      let subject = VoidhashNotice.subject(
        of: object, isSubscription: action == "transferSubscription")
      name = "transfer:\(subject ?? ""):\(persons[0])->\(persons[1])"
    } else if let key = object.text("idempotencyKey") {
      name = key
    } else {
      throw Refusal(
        .malformed, message: "the action has no usable idempotencyKey",
        remedy: "hand over the action with the key that Voidhash derived for it")
    }
    // One key stands for every cancellation within a period: the time tells them apart.
    let id = try eventID("\(name)@\(at.milliseconds)", object.faults)
    let isReplay = object.text("source") == "reconciliation"
    return try assemble(
      id, object, action, VoidhashEventTable.events[action], at: at,
      isReplay ? .reconcile : .webhook)
  }

  private func person(_ object: DocumentObject) throws(Refusal) -> Event {
    guard let at = observedAt ?? VoidhashPerson.shownTime(object) else {
      throw missingTime("snapshot", "observedAt")
    }
    let name = DocumentDigest.eventName(
      of: object.text("personId") ?? "", at: at, content: object.value)
    let id = try eventID(name, object.faults)
    return try assemble(
      id, object, "person", VoidhashEventTable.events["person"], at: at, .reconcile)
  }

  private func missingTime(_ thing: String, _ field: String) -> Refusal {
    Refusal(
      .missingTime, message: "the \(thing) does not say when it was so",
      remedy: "hand it over with its \(field)")
  }

  private func eventID(_ name: String, _ faults: DocumentFaults) throws(Refusal) -> EventID {
    guard let id: EventID = DocumentObject.identifier(name, faults) else {
      throw Refusal(
        .malformed,
        message: "its name cannot be recorded: with voidhash: before it, an id has 1 to 511 bytes "
          + "of UTF-8 and no control characters",
        remedy: "hand over the document exactly as Voidhash made it")
    }
    return id
  }

  private func assemble(
    _ id: EventID, _ object: DocumentObject, _ type: String, _ kind: VoidhashEventKind?,
    at: Timestamp, _ origin: Origin
  ) throws(Refusal) -> Event {
    let found = try environment(of: object, id)
    let account = account(of: object)
    let name = linksDistinctIDs && kind != nil ? object.text("distinctId") : nil
    let customer = account == nil ? nil : name.map(CustomerID.init(unchecked:))
    let notice = VoidhashNotice(
      type: type, object: object, at: at, customer: customer, isObserver: isObserver)
    var facts = FactCollector(faults: object.faults)
    kind?.read(notice, &facts)
    if let account, let customer {
      facts.state(.accountLinked(AccountLink(account: account, customer: customer)))
    }
    let isSubscription = type.hasPrefix("subscription.")
    let subject = VoidhashNotice.subject(of: object, isSubscription: isSubscription) ?? ""
    let event = Event(
      id: id, provider: .voidhash, environment: found, effectiveAt: at, customer: customer,
      account: account, facts: facts.finished(type: type, subject: subject),
      provenance: Provenance(origin: origin, verification: verification))
    return event.fittingRecord(type: type, subject: subject)
  }

  /// A transfer is about two persons; the one who holds it is for its fact to say.
  private func account(of object: DocumentObject) -> AccountID? {
    guard object.given("toPersonId") == nil else { return nil }
    return object.identifier("personId")
  }

  /// What does not say that its money is real never counts as real; a snapshot says it nowhere, and
  /// is of the environment that is expected.
  private func environment(of object: DocumentObject, _ id: EventID) throws(Refusal) -> Environment
  {
    let word = object.text("environment") ?? object.text("providerEnvironment")
    let isSnapshot = object.given("type") == nil && object.given("action") == nil
    if word == nil, isSnapshot || object.given("toPersonId") != nil {
      return environment ?? .production
    }
    let found: Environment = word == "production" ? .production : .sandbox
    if let environment, environment != found {
      throw Refusal(
        .wrongEnvironment,
        message: "\(id) is of \(found.name), and \(environment.name) is expected",
        remedy: "accept that environment, or send its webhooks elsewhere")
    }
    return found
  }
}
