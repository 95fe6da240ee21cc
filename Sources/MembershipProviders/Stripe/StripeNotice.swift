import LedgerCrypto
import MembershipModel

/// What one document says of one object: its state, and what it was before where that is said.
struct StripeNotice {
  /// The event's type, or the object's kind where the object came bare.
  let type: String
  let object: StripeObject
  /// The object as it was before the event.
  let previous: StripeObject?
  /// When the object was so.
  let at: Timestamp

  /// The digests by which documents of one second are put in order: each names the one before.
  var ordering: SourceOrdering {
    SourceOrdering(
      state: Self.digest(object), previousState: previous.map(Self.digest) ?? 0)
  }

  /// The first 8 bytes of SHA-256 over what facts rest on, the same for both generations.
  private static func digest(_ object: StripeObject) -> UInt64 {
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
    let text = ([object.text("id") ?? ""] + tracked).joined(separator: "\n")
    return SHA256.hash(Array(text.utf8)).bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension StripeObject {
  /// The fields as text, for a digest.
  func rendered(_ keys: String...) -> [String] {
    keys.map { given($0)?.text() ?? "" }
  }
}

/// Collects the facts that a notice states.
struct StripeFacts {
  let faults: StripeFaults
  private(set) var facts: [Fact] = []

  init(faults: StripeFaults) {
    self.faults = faults
  }

  mutating func state(
    _ body: Fact.Body, of membership: MembershipID? = nil, references: [ReferenceID] = []
  ) {
    facts.append(Fact(body, membership: membership, references: references))
  }

  /// Says why something has no effect.
  func note(_ reason: String) {
    faults.note(reason)
  }

  /// All facts, with one note where something has no effect or where there is no fact at all.
  func finished(type: String, subject: String) -> [Fact] {
    guard facts.isEmpty || !faults.reasons.isEmpty else { return facts }
    let reason = faults.reasons.joined(separator: "; ")
    return facts + [
      Fact(.noted(Note(type: type, subject: subject, reason: String(reason.prefix(2000)))))
    ]
  }
}
