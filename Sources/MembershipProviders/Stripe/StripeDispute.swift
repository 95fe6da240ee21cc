import MembershipModel

/// Payments that a bank questions.
enum StripeDispute {
  /// Every event of a dispute shows its status, and the status alone says how it stands.
  static let read: StripeEventKind.Read = { notice, facts in
    let dispute = notice.object
    let references = dispute.paymentReferences
    guard let id: ReferenceID = dispute.identifier("id"), !references.isEmpty else {
      facts.note("the dispute names no payment")
      return
    }
    func open(_ kind: DisputeKind) {
      let opening = Dispute(
        id: id, kind: kind, amount: dispute.money("amount"), at: dispute.instant("created"))
      facts.state(.disputeOpened(opening), references: references)
    }
    func close(_ outcome: DisputeOutcome) {
      facts.state(
        .disputeClosed(DisputeClosure(id: id, outcome: outcome)), references: references)
    }
    let status = dispute.text("status") ?? ""
    switch status {
    case "needs_response", "under_review": open(.dispute)
    case "warning_needs_response", "warning_under_review": open(.inquiry)
    case "won": close(.won)
    case "lost": close(.lost)
    case "warning_closed", "prevented", "charge_refunded": close(.withdrawn)
    default: facts.note("the dispute's status \"\(status)\" is not known")
    }
  }

  static let readFraudWarning: StripeEventKind.Read = { notice, facts in
    let warning = notice.object
    let references = warning.paymentReferences
    guard let id = warning.text("id"), !references.isEmpty else {
      facts.note("the warning names no payment")
      return
    }
    let hold = Hold(
      cause: "fraud warning \(id)", kind: .fraudWarning,
      reason: warning.text("fraud_type") ?? "")
    facts.state(.holdPlaced(hold), references: references)
  }
}
