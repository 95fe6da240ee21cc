import MembershipModel

/// A transaction as one signed payload shows it.
struct AppStoreTransaction {
  let id: TransactionID
  let membership: MembershipID
  let account: AccountID
  let customer: CustomerID?
  /// When it was signed.
  let signedAt: Timestamp
  let type: Kind
  let product: String
  let isRenewal: Bool
  let purchasedAt: Timestamp?
  let expiresAt: Timestamp?
  let isUpgraded: Bool
  let isFamilyShared: Bool
  let revocation: Revocation?
  let references: [ReferenceID]
  /// The original transaction that it goes on from, where the product was moved.
  let formerOriginal: String?
  private let object: DocumentObject

  /// What is sold.
  enum Kind: Equatable {
    case autoRenewable
    /// Bought once: a consumable or a non-consumable.
    case oneTime
    /// It runs out at a time that the App Store does not know.
    case nonRenewing
    case unknown(String)
  }

  /// That it was taken back.
  struct Revocation {
    let at: Timestamp
    /// Whether it was no refund: a family member had it by sharing.
    let isOfFamily: Bool
    /// How much of the price was given back, in thousandths of a percent; nil for all.
    let percentage: Int64?
    let reason: Int64?
  }

  init?(_ object: DocumentObject, signedAt: Timestamp) {
    guard let own = object.text("transactionId") else { return nil }
    let original = object.text("originalTransactionId") ?? own
    let type = Self.kind(object)
    let faults = object.faults
    guard let originalID: MembershipID = DocumentObject.identifier(original, faults),
      let ownID: TransactionID = DocumentObject.identifier(own, faults)
    else { return nil }
    membership = originalID
    account = AccountID(unchecked: originalID.rawValue)
    // What is bought once stays one purchase, even where restoring it gave it a new id.
    id = type == .autoRenewable ? ownID : TransactionID(unchecked: originalID.rawValue)
    customer = object.accountToken
    self.signedAt = signedAt
    self.type = type
    product = object.text("productId") ?? ""
    let reason = object.text("transactionReason")
    isRenewal = type == .autoRenewable && reason.map { $0 == "RENEWAL" } ?? (own != original)
    purchasedAt = object.date("purchaseDate") ?? object.date("originalPurchaseDate")
    expiresAt = object.date("expiresDate")
    isUpgraded = object.flag("isUpgraded") == true
    isFamilyShared = object.text("inAppOwnershipType") == "FAMILY_SHARED"
    formerOriginal = object.text("previousOriginalTransactionId")
    revocation = Self.revocation(object, isFamilyShared: isFamilyShared)
    references = Self.references(object)
    self.object = object
  }

  private static func kind(_ object: DocumentObject) -> Kind {
    switch object.text("type") {
    case "Auto-Renewable Subscription": .autoRenewable
    case "Non-Consumable", "Consumable": .oneTime
    case "Non-Renewing Subscription": .nonRenewing
    case let other: .unknown(other ?? "")
    }
  }

  private static func revocation(
    _ object: DocumentObject, isFamilyShared: Bool
  ) -> Revocation? {
    guard let at = object.date("revocationDate") else { return nil }
    let type = object.text("revocationType")
    let isProrated = type == "REFUND_PRORATED"
    return Revocation(
      at: at, isOfFamily: type.map { $0 == "FAMILY_REVOKE" } ?? isFamilyShared,
      percentage: isProrated ? object.integer("revocationPercentage") : nil,
      reason: object.integer("revocationReason"))
  }

  /// The line of the store's order stays the same where a restore gave a paid period a new id.
  private static func references(_ object: DocumentObject) -> [ReferenceID] {
    guard let line = object.text("webOrderLineItemId"), line != "0" else { return [] }
    let reference: ReferenceID? = DocumentObject.identifier("line/\(line)", object.faults)
    return reference.map { [$0] } ?? []
  }

  /// The price; nil where none is shown, or where it is no whole number of minor units.
  var price: Money? { object.price("price") }

  var transactionKind: TransactionKind {
    guard type == .autoRenewable || type == .nonRenewing else { return .oneTime }
    let discount = object.text("offerDiscountType")
    let isFree = object.integer("price") == 0
    if discount == "FREE_TRIAL" { return .trial }
    guard object.integer("offerType") == 1 else { return isFree ? .free : .paid }
    // Before 2024 the kind of discount was not told.
    return discount == nil && isFree ? .trial : .intro
  }

  var ownership: Ownership { isFamilyShared ? .familyShared : .purchased }

  var quantity: Int64 { object.integer("quantity") ?? 1 }
}
