import MembershipModel

/// Makes events of one document: finds the signed payloads in it, and opens them.
struct AppStoreSource {
  let settings: AppStoreSettings
  let opener: AppStoreOpener
  private let document: ProviderDocument

  init(_ settings: AppStoreSettings, _ document: ProviderDocument) {
    self.settings = settings
    self.document = document
    opener = AppStoreOpener(settings, document)
  }

  func events() throws(Refusal) -> [Event] {
    let root = try root()
    if root.string != nil {
      return [try event(ofPayload: root)]
    }
    if let payload = root["signedPayload"] {
      return [try notification(payload, .webhook)]
    }
    if let entries = root["notificationHistory"]?.array {
      return try each(entries, of: "notificationHistory") { (entry) throws(Refusal) in
        try notification(entry["signedPayload"] ?? .null, .import)
      }
    }
    if let transactions = root["signedTransactions"]?.array {
      return try each(transactions, of: "signedTransactions") { (payload) throws(Refusal) in
        try snapshot(AppStoreParts(transaction: payload))
      }
    }
    if let groups = root["data"]?.array {
      let entries = groups.flatMap { $0["lastTransactions"]?.array ?? [] }
      return try each(entries, of: "lastTransactions") { (entry) throws(Refusal) in
        try snapshot(AppStoreParts(of: entry))
      }
    }
    let parts = AppStoreParts(of: root)
    if parts.transaction != nil || parts.renewal != nil { return [try snapshot(parts)] }
    if let app = root["signedAppTransactionInfo"] { return [try appTransaction(app)] }
    if opener.trustsUnsigned, AppStoreShape(root) != nil { return [try event(ofPayload: root)] }
    throw .strange
  }

  /// The document as JSON; one signed payload may come without quotes.
  private func root() throws(Refusal) -> JSONValue {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0d).contains($0) }
    var bare = document.body.drop(while: isSpace)
    while let last = bare.last, isSpace(last) { bare.removeLast() }
    let isCompact =
      bare.count { $0 == UInt8(ascii: ".") } == 2
      && bare.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
          UInt8(ascii: "."):
          true
        default: false
        }
      }
    guard isCompact, bare.first == UInt8(ascii: "e"), bare.count <= JSONValue.maximumSize else {
      return try JSONValue(document: document.body)
    }
    return .string(String(decoding: bare, as: UTF8.self))
  }

  private func each(
    _ elements: [JSONValue], of list: String,
    _ read: (JSONValue) throws(Refusal) -> Event
  ) throws(Refusal) -> [Event] {
    var events: [Event] = []
    for (index, element) in elements.enumerated() {
      do {
        events.append(try read(element))
      } catch {
        throw Refusal(
          error.code, message: "element \(index) of \(list): \(error.message)",
          remedy: error.remedy)
      }
    }
    return events
  }

  /// Reads a payload that stands by itself; its fields tell what it is.
  private func event(ofPayload payload: JSONValue) throws(Refusal) -> Event {
    let content = try payload.string.map { (text) throws(Refusal) in
      try SignedPayload(compact: text, name: "payload").payload
    }
    switch AppStoreShape(content ?? payload) {
    case .notification: return try notification(payload, .webhook)
    case .transaction: return try snapshot(AppStoreParts(transaction: payload))
    case .renewal: return try snapshot(AppStoreParts(renewal: payload))
    case .appTransaction: return try appTransaction(payload)
    case nil: throw .strange
    }
  }

  /// When a document was true that does not say it.
  func time(_ signedAt: Timestamp?, of name: String) throws(Refusal) -> Timestamp {
    guard let instant = signedAt ?? document.observedAt else {
      throw Refusal(
        .missingTime, message: "the \(name) does not say when it was signed",
        remedy: "hand over the document exactly as the App Store gave it")
    }
    return instant
  }
}

/// What a payload is, by its fields.
enum AppStoreShape {
  case notification
  case transaction
  case renewal
  case appTransaction

  init?(_ payload: JSONValue) {
    if payload["notificationType"] != nil {
      self = .notification
    } else if payload["transactionId"] != nil {
      self = .transaction
    } else if payload["receiptType"] != nil {
      self = .appTransaction
    } else if payload["originalTransactionId"] != nil {
      self = .renewal
    } else {
      return nil
    }
  }
}

/// The payloads that together show one subscription or one purchase.
struct AppStoreParts {
  var transaction: JSONValue?
  var renewal: JSONValue?
  /// Apple's number for the standing.
  var status: JSONValue?
}

extension AppStoreParts {
  init(of object: JSONValue) {
    func given(_ key: String) -> JSONValue? {
      object[key].flatMap { $0.isNull ? nil : $0 }
    }
    self.init(
      transaction: given("signedTransactionInfo"), renewal: given("signedRenewalInfo"),
      status: given("status"))
  }
}

extension Refusal {
  fileprivate static var strange: Refusal {
    Refusal(
      .wrongShape, message: "the document is none of the App Store's",
      remedy: "hand over a notification body, a signed transaction or renewal info, or an answer "
        + "with subscription statuses or a transaction history")
  }
}
