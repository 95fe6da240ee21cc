extension MoneyState {
  /// Joins a fact about the payment's money; says whether the fact was of that kind.
  mutating func join(_ body: Fact.Body, in context: FactContext) {
    let stamp = context.stamp
    switch body {
    case .refunded(let refund):
      join(refund, context)
    case .refundReversed(let reversal):
      join(reversal, context)
    case .disputeOpened(var dispute):
      let opened = context.instant(dispute.at)
      dispute.at = opened
      disputes[dispute.id, default: DisputeState()].openings.join(
        dispute, at: max(opened, context.effectiveAt),
        stamp.with(precedence: Precedence.of(dispute.kind)))
    case .disputeClosed(var closure):
      closure.at = context.instant(closure.at)
      disputes[closure.id, default: DisputeState()].closure.join(closure, stamp)
    case .holdPlaced(let hold):
      holds.join(hold, context)
    case .holdReleased(let release):
      holds.join(release, context)
    default:
      break
    }
  }

  private mutating func join(_ refund: Refund, _ context: FactContext) {
    let instant = context.instant(refund.at)
    guard let id = refund.refund else {
      totals.join(refund, at: instant, context.stamp.with(precedence: refund.amount.minorUnits))
      return
    }
    let mark = RefundMark(
      amount: refund.amount, paid: refund.paid, revokes: refund.revokes, isReversed: false)
    refunds[id, default: History()].join(mark, at: instant, context.stamp.with(precedence: 1))
  }

  private mutating func join(_ reversal: RefundReversal, _ context: FactContext) {
    let instant = context.instant(reversal.at)
    if let id = reversal.refund {
      let mark = RefundMark(amount: reversal.amount, isReversed: true)
      refunds[id, default: History()].join(mark, at: instant, context.stamp)
    } else {
      // XXX is ISO 4217's code for no currency.
      let nothing = Money(minorUnits: 0, currency: reversal.amount?.currency ?? "XXX")
      totals.join(Refund(amount: nothing, revokes: false), at: instant, context.stamp)
    }
  }
}

extension Fact {
  /// The names by which the fact's payment is known: its references, and the transaction where the
  /// fact is about that one's money; without any, what was paid for stands for the payment.
  var paymentReferences: [ReferenceID] {
    var references = references
    if let transaction = body.namedTransaction {
      references.append(ReferenceID(unchecked: transaction.rawValue))
    }
    guard references.isEmpty else { return references }
    switch body {
    case .purchased(let transaction), .renewed(let transaction):
      if transaction.isObserved || transaction.kind == .trial { return [] }
      return [ReferenceID(unchecked: transaction.id.rawValue)]
    default:
      guard body.isAboutMoney, let membership else { return [] }
      return [ReferenceID(unchecked: membership.rawValue)]
    }
  }
}

extension Fact.Body {
  /// Whether the fact is about money given back or in question.
  var isAboutMoney: Bool {
    switch self {
    case .refunded, .refundReversed, .disputeOpened, .disputeClosed: true
    default: false
    }
  }

  /// The transaction that a fact about money names.
  fileprivate var namedTransaction: TransactionID? {
    switch self {
    case .refunded(let refund): refund.transaction
    case .refundReversed(let reversal): reversal.transaction
    default: nil
    }
  }
}
