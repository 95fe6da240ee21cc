import MembershipModel

/// What happens to purchases, and to the money of any payment.
enum VoidhashPurchase {
  typealias Read = VoidhashEventKind.Read

  static let readCompletion: Read = { notice, facts in
    guard let membership = membership(notice, facts) else { return }
    let id = notice.transaction ?? TransactionID(unchecked: membership.rawValue)
    let object = notice.object
    let kind = object.text("purchaseKind") ?? object.text("purchaseType")
    let at = object.time("purchasedAt") ?? notice.at
    // What is used up gives nothing that lasts: it is recorded for an empty period.
    let isLasting = kind == "one_time" || kind == "one-time"
    if !isLasting, kind != "consumable" {
      facts.note("the kind of purchase \"\(kind ?? "")\" is not known")
    }
    let transaction = Transaction(
      id: id, offer: notice.offer, period: isLasting ? nil : Period(start: at, end: at),
      kind: .oneTime, amount: notice.amount, isObserved: notice.isObserver)
    facts.state(.purchased(transaction), of: membership, references: notice.references)
  }

  /// Voidhash itself takes access back with the money.
  ///
  /// Actions do not say how much it was: then only what it was for is taken back.
  static let readRefund: Read = { notice, facts in
    guard let membership = membership(notice, facts) else { return }
    guard let id = notice.transaction ?? transaction(of: notice, membership) else {
      facts.note("the refund names no transaction")
      return
    }
    let at = notice.object.time("refundedAt")
    if let amount = notice.amount, amount.minorUnits > 0 {
      let refund = Refund(amount: amount, revokes: true, at: at, transaction: id)
      facts.state(.refunded(refund), of: membership, references: notice.references)
    } else {
      let reason = notice.object.text("refundReason") ?? "refund"
      facts.state(
        .accessRevoked(AccessRevocation(transaction: id, at: at, reason: reason)), of: membership)
    }
  }

  static let readReversal: Read = { notice, facts in
    guard let membership = membership(notice, facts) else { return }
    guard let id = notice.transaction ?? transaction(of: notice, membership) else {
      facts.note("the reversal names no transaction")
      return
    }
    let reversal = RefundReversal(at: notice.object.time("reversedAt"), transaction: id)
    facts.state(.refundReversed(reversal), of: membership, references: notice.references)
  }

  static let readRevocation: Read = { notice, facts in
    guard let membership = membership(notice, facts) else { return }
    let revocation = AccessRevocation(
      transaction: notice.transaction ?? transaction(of: notice, membership),
      at: notice.object.time("revokedAt"),
      reason: notice.object.text("revocationReason") ?? "")
    facts.state(.accessRevoked(revocation), of: membership)
  }

  /// A transfer moves a membership, by a mode that was decided before; where that mode looks at what
  /// the receiver has, only the result says what came of it.
  static let readTransfer: Read = { notice, facts in
    guard let membership = membership(notice, facts) else { return }
    guard let to = customer("toPersonId", notice), let from = customer("fromPersonId", notice)
    else {
      facts.note("the transfer does not name both persons")
      return
    }
    let mode = notice.object.text("transferMode") ?? "transfer_to_new_owner"
    let holder = notice.holderAfterwards ?? notice.object.text("personId")
    switch mode {
    case "transfer_to_new_owner", "transfer_if_no_active_on_target":
      let isDone = holder.map { "voidhash:\($0)" == to.rawValue }
      if isDone ?? (mode == "transfer_to_new_owner") {
        facts.state(.transferred(Transfer(to: to, from: from, reason: mode)), of: membership)
      } else {
        facts.note(
          isDone == nil
            ? "whether it was transferred is not shown: its next document names its holder"
            : "the previous owner keeps it")
      }
    case "keep_with_previous_owner":
      facts.note("the previous owner keeps it")
    default:
      facts.note("the mode of transfer \"\(mode)\" is not known")
    }
  }

  private static func customer(_ key: String, _ notice: VoidhashNotice) -> CustomerID? {
    notice.object.text(key).flatMap { DocumentObject.identifier($0, notice.object.faults) }
  }

  private static func membership(
    _ notice: VoidhashNotice, _ facts: FactCollector
  ) -> MembershipID? {
    guard let membership = notice.membership else {
      facts.note("it names neither a purchase nor a subscription")
      return nil
    }
    return membership
  }

  /// What was bought once without the store's own id is named by its purchase.
  private static func transaction(
    of notice: VoidhashNotice, _ membership: MembershipID
  ) -> TransactionID? {
    notice.object.given("purchaseId") == nil ? nil : TransactionID(unchecked: membership.rawValue)
  }
}
