import MembershipModel

/// Money given back or in question.
enum WhopMoney {
  /// A refund counts from its success on, until it fails after all.
  static let readRefund: WhopEventKind.Read = { notice, facts in
    guard let subject = Subject(notice.object, facts) else { return }
    let status = notice.object.text("status") ?? ""
    switch status {
    case "succeeded":
      guard let amount = notice.object.whopMoney("amount") else {
        facts.note("the refund shows no usable amount")
        return
      }
      let refund = Refund(
        refund: subject.id, amount: amount, paid: subject.payment.whopMoney("total"))
      facts.state(.refunded(refund), of: subject.membership, references: subject.references)
    case "failed", "canceled":
      let reversal = RefundReversal(
        refund: subject.id, amount: notice.object.whopMoney("amount"))
      facts.state(
        .refundReversed(reversal), of: subject.membership, references: subject.references)
    case "pending", "requires_action":
      facts.note("the refund is under way")
    default:
      facts.note("the refund's status \"\(status)\" is not known")
    }
  }

  /// Every event of a dispute shows its status, and the status alone says how it stands.
  static let readDispute: WhopEventKind.Read = { notice, facts in
    guard let subject = Subject(notice.object, facts) else { return }
    func open(_ kind: DisputeKind) {
      let dispute = Dispute(
        id: subject.id, kind: kind, amount: notice.object.whopMoney("amount"),
        at: notice.object.moment("created_at"))
      facts.state(
        .disputeOpened(dispute), of: subject.membership, references: subject.references)
    }
    func close(_ outcome: DisputeOutcome) {
      let closure = DisputeClosure(id: subject.id, outcome: outcome)
      facts.state(
        .disputeClosed(closure), of: subject.membership, references: subject.references)
    }
    let status = notice.object.text("status") ?? ""
    switch status {
    case "needs_response", "under_review": open(.dispute)
    case "warning_needs_response", "warning_under_review": open(.inquiry)
    case "won": close(.won)
    case "lost": close(.lost)
    case "warning_closed", "closed": close(.withdrawn)
    default: facts.note("the dispute's status \"\(status)\" is not known")
    }
  }

  /// Only an alert of fraud is a bank's warning; the others announce a dispute, which has its own
  /// documents.
  static let readAlert: WhopEventKind.Read = { notice, facts in
    guard let subject = Subject(notice.object, facts) else { return }
    let kind = notice.object.text("alert_type") ?? notice.object.text("type") ?? ""
    guard kind == "fraud" else {
      facts.note("an alert of the type \"\(kind)\" only announces a dispute")
      return
    }
    let name = notice.object.text("id") ?? ""
    let hold = Hold(cause: "fraud warning \(name)", kind: .fraudWarning)
    facts.state(.holdPlaced(hold), references: subject.references)
  }

  /// What a document about money is about: a thing with an id, and the payment concerned.
  private struct Subject {
    let id: ReferenceID
    let payment: DocumentObject
    let membership: MembershipID?
    let references: [ReferenceID]

    init?(_ object: DocumentObject, _ facts: FactCollector) {
      guard let id: ReferenceID = object.identifier("id"),
        let name = object.related("payment"),
        let payment: ReferenceID = DocumentObject.identifier(name, facts.faults)
      else {
        facts.note("it names no payment")
        return nil
      }
      self.id = id
      self.payment = object.expanded("payment") ?? object
      membership = self.payment.whopMembership ?? object.whopMembership
      references = [payment]
    }
  }
}
