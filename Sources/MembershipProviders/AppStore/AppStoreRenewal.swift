import MembershipModel

/// What is to come of a subscription, as one signed payload shows it.
struct AppStoreRenewal {
  let membership: MembershipID
  let account: AccountID
  let customer: CustomerID?
  /// When it was signed.
  let signedAt: Timestamp
  let product: String?
  /// What the next period is of.
  let nextProduct: String?
  /// Whether it is to renew; nil where that is not said.
  let renews: Bool?
  let renewsAt: Timestamp?
  let graceUntil: Timestamp?
  let isInRetry: Bool
  /// Why it ended, as Apple's number.
  let expirationIntent: Int64?

  init?(_ object: DocumentObject, signedAt: Timestamp) {
    guard let original = object.text("originalTransactionId"),
      let membership: MembershipID = DocumentObject.identifier(original, object.faults)
    else { return nil }
    self.membership = membership
    account = AccountID(unchecked: membership.rawValue)
    customer = object.accountToken
    self.signedAt = signedAt
    product = object.text("productId")
    nextProduct = object.text("autoRenewProductId")
    renews = object.integer("autoRenewStatus").map { $0 == 1 }
    renewsAt = object.date("renewalDate")
    graceUntil = object.date("gracePeriodExpiresDate")
    isInRetry = object.flag("isInBillingRetryPeriod") == true
    expirationIntent = object.integer("expirationIntent")
  }
}
