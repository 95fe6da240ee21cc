import MembershipModel

/// What a developer notification says: that something changed, and of what.
struct GooglePlayNotification {
  /// Google's names of its kind and type.
  let type: String
  let token: String?
  /// What to do to learn more.
  let remedy: String

  init(_ notification: DocumentObject) {
    let given = GooglePlayTable.notifications.filter { notification.given($0.field) != nil }
    guard given.count == 1, let kind = given.first, let object = notification.object(kind.field)
    else {
      type = "notification"
      token = nil
      remedy =
        given.isEmpty
        ? "a notification of a kind that is not known" : "a notification of more than one kind"
      return
    }
    token = object.text("purchaseToken")
    if kind.types.isEmpty {
      type = kind.field
      remedy = kind.remedy
    } else if let number = object.integer("notificationType") {
      let name = kind.types[number]
      type = "\(kind.field).\(name ?? "\(number)")"
      remedy = name == nil ? "a type that is not known; \(kind.remedy)" : kind.remedy
    } else {
      type = kind.field
      remedy = "it has no type; \(kind.remedy)"
    }
  }
}
