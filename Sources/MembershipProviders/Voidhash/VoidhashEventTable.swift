import MembershipModel

/// How documents of one type are read.
struct VoidhashEventKind: Sendable {
  typealias Read = @Sendable (VoidhashNotice, inout FactCollector) -> Void

  let types: [String]
  /// The names of the facts that it can state, besides `accountLinked` and `noted`.
  let facts: [String]
  let read: Read

  init(_ types: [String], states facts: [String], read: @escaping Read) {
    self.types = types
    self.facts = facts
    self.read = read
  }
}

/// Every webhook and every action that is read; all others are noted.
enum VoidhashEventTable {
  static let events: [String: VoidhashEventKind] = Dictionary(
    uniqueKeysWithValues: kinds.flatMap { kind in kind.types.map { ($0, kind) } })

  /// The actions of the server's purchase processing that take two persons instead of a key.
  static let transfers: Set = ["transferSubscription", "transferPurchase"]

  static let kinds = subscriptions + purchases + others

  private static let subscriptions = [
    VoidhashEventKind(
      ["subscription.created", "startSubscription"], states: ["observed", "purchased"],
      read: VoidhashSubscription.readStart),
    VoidhashEventKind(
      ["subscription.renewed", "renewSubscription"], states: ["observed", "renewed"],
      read: VoidhashSubscription.readRenewal),
    VoidhashEventKind(
      ["subscription.cancelled", "cancelSubscription"],
      states: ["observed", "cancellationScheduled", "ended"],
      read: VoidhashSubscription.readCancellation),
    VoidhashEventKind(
      ["subscription.expired", "expireSubscription"], states: ["observed", "ended"],
      read: VoidhashSubscription.readExpiry),
    VoidhashEventKind(
      ["revokeSubscription"], states: ["accessRevoked"],
      read: VoidhashSubscription.readRevocation),
    VoidhashEventKind(
      ["resumeAutoRenew"], states: ["cancellationWithdrawn"],
      read: VoidhashSubscription.readResumption),
    VoidhashEventKind(
      ["enterBillingRetry"], states: ["paymentFailed"],
      read: VoidhashSubscription.readBillingRetry),
    VoidhashEventKind(
      ["extendSubscription"], states: ["extended"], read: VoidhashSubscription.readExtension),
    VoidhashEventKind(
      ["changeRenewalPreference"], states: ["planChangeScheduled"],
      read: VoidhashSubscription.readPreference),
  ]

  private static let purchases = [
    VoidhashEventKind(
      ["purchase.completed", "completeOneTimePurchase"], states: ["purchased"],
      read: VoidhashPurchase.readCompletion),
    VoidhashEventKind(
      ["purchase.refunded", "refundPurchase"], states: ["refunded", "accessRevoked"],
      read: VoidhashPurchase.readRefund),
    VoidhashEventKind(
      ["reverseRefund"], states: ["refundReversed"], read: VoidhashPurchase.readReversal),
    VoidhashEventKind(
      ["revokePurchase"], states: ["accessRevoked"], read: VoidhashPurchase.readRevocation),
    VoidhashEventKind(
      ["transferSubscription", "transferPurchase"], states: ["transferred"],
      read: VoidhashPurchase.readTransfer),
  ]

  private static let others = [
    VoidhashEventKind(
      ["redeemOffer"], states: [],
      read: { _, facts in facts.note("an offer takes effect by the purchase made under it") }),
    VoidhashEventKind(
      ["recordPriceIncrease"], states: [],
      read: { _, facts in facts.note("a price takes effect by the renewal at it") }),
    VoidhashEventKind(["test.ping"], states: [], read: { _, _ in }),
    VoidhashEventKind(
      ["person"], states: ["claimed", "granted", "grantRevoked"], read: VoidhashPerson.read),
  ]
}
