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
      dispute.at = context.instant(dispute.at)
      disputes[dispute.id, default: DisputeState()].opening.join(dispute, stamp)
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
      amount: refund.amount, paid: refund.paid, revokes: refund.revokes, at: instant,
      isReversed: false)
    refunds[id, default: Register()].join(mark, context.stamp.with(precedence: 1))
  }

  private mutating func join(_ reversal: RefundReversal, _ context: FactContext) {
    let instant = context.instant(reversal.at)
    if let id = reversal.refund {
      let mark = RefundMark(amount: reversal.amount, at: instant, isReversed: true)
      refunds[id, default: Register()].join(mark, context.stamp)
    } else {
      let nothing = Money(minorUnits: 0, currency: reversal.amount?.currency ?? "XXX")
      totals.join(Refund(amount: nothing, revokes: false), at: instant, context.stamp)
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
  var namedTransaction: TransactionID? {
    switch self {
    case .refunded(let refund): refund.transaction
    case .refundReversed(let reversal): reversal.transaction
    default: nil
    }
  }
}
