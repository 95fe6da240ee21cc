import MembershipModel

/// Money given back.
enum StripeRefund {
  /// A charge says how much of it was given back in all: a total, however many refunds there were.
  static let readCharge: StripeEventKind.Read = { notice, facts in
    let charge = notice.object
    let references = charge.references("id", "payment_intent", "invoice")
    guard let amount = charge.money("amount_refunded"), !references.isEmpty else {
      facts.note("the charge shows no usable amount refunded")
      return
    }
    guard amount.minorUnits > 0 else {
      facts.note("nothing of the charge is refunded")
      return
    }
    let paid = charge.money("amount_captured") ?? charge.money("amount")
    facts.state(.refunded(Refund(amount: amount, paid: paid)), references: references)
  }

  /// A refund counts from its success on, until it fails after all.
  static let read: StripeEventKind.Read = { notice, facts in
    let refund = notice.object
    let references = refund.paymentReferences
    guard let id: ReferenceID = refund.identifier("id"), !references.isEmpty else {
      facts.note("the refund names no payment")
      return
    }
    // Refunds had no status in very old API versions: they had succeeded.
    let isFailure = notice.type == "refund.failed"
    let status = refund.text("status") ?? (isFailure ? "failed" : "succeeded")
    switch status {
    case "succeeded" where !isFailure:
      guard let amount = refund.money("amount") else {
        facts.note("the refund shows no usable amount")
        return
      }
      let charge = refund.expanded("charge")
      let paid = charge?.money("amount_captured") ?? charge?.money("amount")
      facts.state(.refunded(Refund(refund: id, amount: amount, paid: paid)), references: references)
    case "failed", "canceled":
      let reversal = RefundReversal(refund: id, amount: refund.money("amount"))
      facts.state(.refundReversed(reversal), references: references)
    case "pending", "requires_action":
      facts.note("the refund is under way")
    default:
      facts.note("the refund's status \"\(status)\" does not go with its event")
    }
  }
}
