import MembershipModel

/// How events of one type are read.
struct WhopEventKind: Sendable {
  typealias Read = @Sendable (WhopNotice, inout FactCollector) -> Void

  let types: [String]
  /// The kind of object that the event shows.
  let object: Object
  /// The names of the facts that it can state, besides `accountLinked` and `noted`.
  let facts: [String]
  let read: Read

  /// The kinds of objects, with what their ids begin with.
  enum Object: String {
    case membership = "mem_"
    case payment = "pay_"
    case refund = "rf_"
    /// Disputes and alerts have ids of no documented form.
    case dispute = ""
  }

  init(
    _ types: [String], about object: Object, states facts: [String], read: @escaping Read
  ) {
    self.types = types
    self.object = object
    self.facts = facts
    self.read = read
  }
}

/// Every event type and every kind of bare object that is read; all other events are noted.
enum WhopEventTable {
  /// The kinds by name, in the names of the newest generation.
  static let events: [String: WhopEventKind] = Dictionary(
    uniqueKeysWithValues: kinds.flatMap { kind in kind.types.map { ($0, kind) } })

  /// The kind of bare objects with such an id, its name, and the latest instant that they show.
  static func bareObject(
    id: String
  ) -> (name: String, kind: WhopEventKind, shownTime: @Sendable (DocumentObject) -> Timestamp?)? {
    if id.hasPrefix(WhopEventKind.Object.membership.rawValue) {
      return ("membership", memberships[0], WhopMembership.shownTime)
    }
    if id.hasPrefix(WhopEventKind.Object.payment.rawValue) {
      return ("payment", payments[0], WhopPayment.shownTime)
    }
    return nil
  }

  /// The name of an event in the newest generation: dashboards write underscores for dots, and put
  /// `app_` before the events of apps.
  static func name(of type: String) -> String {
    if events[type] != nil { return type }
    let flat = type.hasPrefix("app_") ? String(type.dropFirst("app_".count)) : type
    return events[flat] == nil ? flatNames[flat] ?? type : flat
  }

  private static let flatNames = Dictionary(
    uniqueKeysWithValues: events.keys.map { (String($0.map { $0 == "." ? "_" : $0 }), $0) })

  static let kinds: [WhopEventKind] = memberships + payments + money

  private static let memberships = [
    WhopEventKind(
      [
        "membership.activated", "membership.cancel_at_period_end_changed",
        "membership.deactivated", "membership.metadata_updated", "membership.updated",
        "membership.went_invalid", "membership.went_valid",
      ],
      about: .membership,
      states: [
        "observed", "purchased", "renewed", "paymentFailed", "ended", "cancellationScheduled",
        "cancellationWithdrawn", "paused", "resumed", "planChanged",
      ],
      read: WhopMembership.read),
    // It announces what time does by itself, and must not compete with what else is told then.
    WhopEventKind(
      ["membership.trial_ending_soon"], about: .membership, states: [], read: { _, _ in }),
  ]

  private static let payments = [
    WhopEventKind(
      ["payment.created", "payment.pending"], about: .payment, states: ["invoiced", "refunded"],
      read: WhopPayment.read),
    WhopEventKind(
      ["payment.failed"], about: .payment, states: ["invoiced", "paymentFailed", "refunded"],
      read: WhopPayment.read),
    WhopEventKind(
      ["payment.succeeded"], about: .payment,
      states: ["invoiced", "purchased", "renewed", "observed", "refunded"],
      read: WhopPayment.read),
  ]

  private static let money = [
    WhopEventKind(
      ["refund.created", "refund.updated"], about: .refund, states: ["refunded", "refundReversed"],
      read: WhopMoney.readRefund),
    WhopEventKind(
      ["dispute.created", "dispute.updated"], about: .dispute,
      states: ["disputeOpened", "disputeClosed"], read: WhopMoney.readDispute),
    WhopEventKind(
      ["dispute_alert.created"], about: .dispute, states: ["holdPlaced"],
      read: WhopMoney.readAlert),
  ]
}
