import MembershipModel

/// How events of one type are read.
struct RevenueCatEventKind: Sendable {
  typealias Read = @Sendable (RevenueCatNotice, inout FactCollector) -> Void

  let type: String
  /// The names of the facts that it can state, besides those about whose account it is and `noted`.
  let facts: [String]
  /// Whether what it says of the customer's names counts; a test names one of no account.
  let isAboutCustomer: Bool
  /// Whether it tells of a purchase, which was made when it says and not when it was told of.
  let isPurchase: Bool
  let read: Read

  init(
    _ type: String, states facts: [String], isAboutCustomer: Bool = true,
    isPurchase: Bool = false, read: @escaping Read
  ) {
    self.type = type
    self.isAboutCustomer = isAboutCustomer
    self.facts = facts
    self.isPurchase = isPurchase
    self.read = read
  }
}

/// Every event type that is read; all others are noted.
enum RevenueCatEventTable {
  static let events: [String: RevenueCatEventKind] = Dictionary(
    uniqueKeysWithValues: kinds.map { ($0.type, $0) })

  static let kinds: [RevenueCatEventKind] = purchases + ends + changes + identities + others

  private static let purchases = [
    RevenueCatEventKind(
      "INITIAL_PURCHASE", states: ["purchased", "observed"], isPurchase: true
    ) { notice, facts in notice.statePeriod(isRenewal: false, in: &facts) },
    RevenueCatEventKind(
      "RENEWAL", states: ["renewed", "observed", "resumed"], isPurchase: true
    ) { notice, facts in notice.statePeriod(isRenewal: true, in: &facts) },
    RevenueCatEventKind("NON_RENEWING_PURCHASE", states: ["purchased"], isPurchase: true) {
      notice, facts in notice.stateSinglePurchase(in: &facts)
    },
    RevenueCatEventKind(
      "TEMPORARY_ENTITLEMENT_GRANT", states: ["purchased"], isPurchase: true
    ) { notice, facts in notice.stateTemporaryGrant(in: &facts) },
  ]

  private static let ends = [
    RevenueCatEventKind("CANCELLATION", states: ["cancellationScheduled", "refunded", "ended"]) {
      notice, facts in notice.stateCancellation(in: &facts)
    },
    RevenueCatEventKind("EXPIRATION", states: ["ended", "refunded", "paused"]) {
      notice, facts in notice.stateExpiration(in: &facts)
    },
    RevenueCatEventKind("BILLING_ISSUE", states: ["paymentFailed"]) {
      notice, facts in notice.stateBillingIssue(in: &facts)
    },
  ]

  private static let changes = [
    RevenueCatEventKind("UNCANCELLATION", states: ["cancellationWithdrawn"]) { notice, facts in
      notice.state(.cancellationWithdrawn(Withdrawal()), in: &facts)
    },
    RevenueCatEventKind("PRODUCT_CHANGE", states: ["planChangeScheduled"]) {
      notice, facts in notice.statePlanChange(in: &facts)
    },
    RevenueCatEventKind("SUBSCRIPTION_PAUSED", states: ["paused"]) {
      notice, facts in notice.statePause(in: &facts)
    },
    RevenueCatEventKind("SUBSCRIPTION_EXTENDED", states: ["extended"]) {
      notice, facts in notice.stateExtension(in: &facts)
    },
    RevenueCatEventKind("REFUND_REVERSED", states: ["refundReversed"]) {
      notice, facts in notice.stateRefundReversal(in: &facts)
    },
  ]

  private static let identities = [
    RevenueCatEventKind("TRANSFER", states: ["transferred"]) {
      notice, facts in notice.stateTransfer(in: &facts)
    },
    RevenueCatEventKind("SUBSCRIBER_ALIAS", states: []) { _, _ in },
  ]

  /// Known to change nothing that a membership rests on.
  private static let others = [
    "EXPERIMENT_ENROLLMENT", "INVOICE_ISSUANCE", "TEST", "VIRTUAL_CURRENCY_TRANSACTION",
  ].map { RevenueCatEventKind($0, states: [], isAboutCustomer: false) { _, _ in } }
}
