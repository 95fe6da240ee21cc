import MembershipModel

/// What one document says of one object: its state, and what it was before where that is said.
struct StripeNotice {
  /// The event's type, or the object's kind where the object came bare.
  let type: String
  let object: DocumentObject
  /// The object as it was before the event.
  let previous: DocumentObject?
  /// When the object was so.
  let at: Timestamp

  /// The digests by which documents of one second are put in order: each names the one before.
  var ordering: SourceOrdering {
    SourceOrdering(
      state: Self.digest(object), previousState: previous.map(Self.digest) ?? 0)
  }

  /// A digest of what facts rest on, the same for both generations.
  private static func digest(_ object: DocumentObject) -> UInt64 {
    let tracked: [String]
    switch object.text("object") {
    case "subscription": tracked = StripeSubscription.trackedFields(of: object)
    case "invoice": tracked = StripeInvoice.trackedFields(of: object)
    case "subscription_schedule": tracked = StripeSchedule.trackedFields(of: object)
    case "checkout.session": tracked = object.rendered("status", "payment_status")
    case "charge": tracked = object.rendered("status", "captured", "amount_refunded")
    case "refund": tracked = object.rendered("status", "amount")
    case "dispute": tracked = object.rendered("status", "amount")
    default: return 0
    }
    return DocumentDigest.state([object.text("id") ?? ""] + tracked)
  }
}
