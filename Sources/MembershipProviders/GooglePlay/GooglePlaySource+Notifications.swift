import FoundationEssentials
import MembershipModel

extension GooglePlaySource {
  /// The body of a push, which holds a notification in base64.
  func pushEvent(_ push: DocumentObject) throws(Refusal) -> Event {
    guard let message = push.object("message"),
      let id = message.text("messageId") ?? message.text("message_id")
    else {
      throw .notPlay("the push has no usable messageId")
    }
    guard let text = message.value["data"]?.string, let data = Data(base64Encoded: text) else {
      throw .notPlay("the data of message \(id) is no base64")
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

  func notificationEvent(
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
      throw .notPlay("the notification's id cannot be recorded: \(Self.identifierRule)")
    }
    let account: AccountID? = summary.token.flatMap { DocumentObject.identifier($0, faults) }
    let purchase = summary.token.map { ", token \($0)" } ?? ""
    faults.note("\(summary.remedy) (package \(package)\(purchase))")
    let event = Event(
      id: id, provider: .googlePlay, environment: environment ?? .production, effectiveAt: at,
      account: account,
      facts: FactCollector(faults: faults).finished(
        type: summary.type, subject: summary.token ?? ""),
      provenance: Provenance(origin: .webhook, verification: verification))
    return event.fittingRecord(type: summary.type, subject: summary.token ?? "")
  }
}
