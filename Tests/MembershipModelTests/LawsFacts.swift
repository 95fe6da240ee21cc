import MembershipModel

/// Facts in the shape in which the adapters state them, about the subscription `sub_1` unless said
/// otherwise.
enum Facts {
  static let membership: MembershipID = "stripe:sub_1"

  static func paid(
    _ from: Double, _ until: Double, invoice: String = "in_1", isRenewal: Bool = false,
    offer: Offer = .pro, item: String = "", amount: Int64 = 1000, kind: TransactionKind = .paid,
    membership: MembershipID = membership
  ) -> Fact {
    let transaction = Transaction(
      id: TransactionID(unchecked: "stripe:\(invoice)/\(item)"), offer: offer,
      period: Period(from, until), kind: kind, amount: usd(amount), item: item)
    return Fact(
      isRenewal ? .renewed(transaction) : .purchased(transaction), membership: membership,
      references: [ReferenceID(unchecked: "stripe:\(invoice)")])
  }

  /// So many seats of what is sold by the seat.
  static func seats(
    _ quantity: Int64, _ from: Double, _ until: Double, invoice: String = "in_1",
    item: String = "", offer: Offer = .crew
  ) -> Fact {
    let transaction = Transaction(
      id: TransactionID(unchecked: "stripe:\(invoice)/\(item)"), offer: offer,
      period: Period(from, until), kind: .paid, quantity: quantity, amount: usd(1000), item: item)
    return Fact(
      .purchased(transaction), membership: membership,
      references: [ReferenceID(unchecked: "stripe:\(invoice)")])
  }

  static func trial(_ from: Double, _ until: Double, offer: Offer = .pro) -> Fact {
    Fact(
      .purchased(
        Transaction(
          id: "stripe:sub_1/trial", offer: offer, period: Period(from, until), kind: .trial)),
      membership: membership)
  }

  /// A period that only a snapshot's standing speaks for.
  static func seen(
    _ from: Double, _ until: Double, offer: Offer = .pro, item: String = ""
  ) -> Fact {
    Fact(
      .renewed(
        Transaction(
          id: TransactionID(unchecked: "stripe:sub_1/\(item)/\(day(from).milliseconds)"),
          offer: offer, period: Period(from, until), kind: .paid, item: item, isObserved: true)),
      membership: membership)
  }

  static func oneTime(from: Double? = nil, until: Double? = nil, offer: Offer = .pro) -> Fact {
    Fact(
      .purchased(
        Transaction(
          id: "stripe:cs_1", offer: offer,
          period: from.flatMap { from in until.map { Period(from, $0) } }, kind: .oneTime,
          amount: usd(5000))),
      membership: "stripe:cs_1", references: ["stripe:pi_cs_1"])
  }

  static func standing(
    _ standing: Standing, isRenewing: Bool = true, unpaused: [String] = [],
    shows items: [String: Offer] = [:]
  ) -> Fact {
    Fact(
      .observed(
        Observation(
          status: standing.name, standing: standing, isRenewing: isRenewing,
          unpausedCauses: unpaused,
          items: items.sorted { $0.key < $1.key }.map {
            ObservedItem(item: $0.key, offer: $0.value, quantity: 1)
          })), membership: membership)
  }

  static func cancel(at: Double, requestedAt: Double? = nil) -> Fact {
    Fact(
      .cancellationScheduled(
        CancellationSchedule(effectiveAt: day(at), requestedAt: requestedAt.map(day))),
      membership: membership)
  }

  static func withdrawCancel() -> Fact {
    Fact(.cancellationWithdrawn(Withdrawal()), membership: membership)
  }

  static func ended(
    at: Double, _ reason: EndReason = .cancelled, membership: MembershipID? = membership
  ) -> Fact {
    Fact(.ended(End(at: day(at), reason: reason)), membership: membership)
  }

  static func failed(
    _ from: Double, _ until: Double, graceUntil: Double? = nil, invoice: String = "in_2"
  ) -> Fact {
    let reference = ReferenceID(unchecked: "stripe:\(invoice)")
    return Fact(
      .paymentFailed(
        PaymentFailure(
          period: Period(from, until), graceUntil: graceUntil.map(day), invoice: reference)),
      membership: membership, references: [reference])
  }

  static func invoiced(
    _ state: InvoiceState, invoice: String, period: Period? = nil, prorations: [Proration] = []
  ) -> Fact {
    let reference = ReferenceID(unchecked: "stripe:\(invoice)")
    return Fact(
      .invoiced(Invoice(id: reference, state: state, period: period, prorations: prorations)),
      membership: membership, references: [reference])
  }

  static func pause(_ cause: String = "collection", resumesAt: Double? = nil) -> Fact {
    Fact(.paused(Pause(cause: cause, resumesAt: resumesAt.map(day))), membership: membership)
  }

  static func resume(_ cause: String = "collection") -> Fact {
    Fact(.resumed(Resumption(cause: cause)), membership: membership)
  }

  /// A refund as a charge's total.
  static func refunded(
    _ total: Int64, of paid: Int64? = 1000, revokes: Bool? = nil,
    _ references: [ReferenceID] = ["stripe:ch_1"]
  ) -> Fact {
    Fact(
      .refunded(Refund(amount: usd(total), paid: paid.map(usd), revokes: revokes)),
      references: references)
  }

  /// A refund as an object of its own.
  static func refund(
    _ id: String, _ amount: Int64, of paid: Int64? = 1000,
    _ references: [ReferenceID] = ["stripe:ch_1"]
  ) -> Fact {
    Fact(
      .refunded(
        Refund(
          refund: ReferenceID(unchecked: "stripe:\(id)"), amount: usd(amount),
          paid: paid.map(usd))),
      references: references)
  }

  static func reversal(
    _ id: String?, _ amount: Int64? = nil, _ references: [ReferenceID] = ["stripe:ch_1"]
  ) -> Fact {
    Fact(
      .refundReversed(
        RefundReversal(
          refund: id.map { ReferenceID(unchecked: "stripe:\($0)") }, amount: amount.map(usd))),
      references: references)
  }

  static func linked(_ references: ReferenceID...) -> Fact {
    Fact(.paymentLinked(PaymentLink()), references: references)
  }

  static func dispute(_ kind: DisputeKind = .dispute, at: Double? = nil) -> Fact {
    Fact(
      .disputeOpened(Dispute(id: "stripe:dp_1", kind: kind, at: at.map(day))),
      references: ["stripe:ch_1"])
  }

  static func disputeClosed(_ outcome: DisputeOutcome) -> Fact {
    Fact(
      .disputeClosed(DisputeClosure(id: "stripe:dp_1", outcome: outcome)),
      references: ["stripe:ch_1"])
  }

  static func change(
    at: Double, from: Offer?, to: Offer?, item: String = "", quantity: Int64 = 1
  ) -> Fact {
    Fact(
      .planChanged(PlanChange(at: day(at), from: from, to: to, item: item, quantity: quantity)),
      membership: membership)
  }
}

extension Offer {
  static let pro = Offer(product: "prod_pro", plan: "price_pro")
  static let team = Offer(product: "prod_team", plan: "price_team")
  static let extra = Offer(product: "prod_extra", plan: "price_extra")
  static let crew = Offer(product: "prod_crew", plan: "price_crew")
  static let desk = Offer(product: "prod_desk", plan: "price_desk")
  static let unknown = Offer(product: "prod_unheard", plan: "price_unheard")
}

extension Catalog {
  /// Pro gives `premium`, Team gives `premium` and `seats`, Extra gives `export`; by the seat, Crew
  /// gives `premium` and Desk gives `export`.
  static let usual = Catalog(
    entitlements: ["premium", "seats", "export"].map { Entitlement(key: $0) },
    products: [
      .usual("pro", ["premium"]), .usual("team", ["premium", "seats"]),
      .usual("extra", ["export"]), .usual("crew", ["premium"], isPerSeat: true),
      .usual("desk", ["export"], isPerSeat: true),
    ],
    plans: [
      Plan(
        id: "plan_pro", product: "pro",
        stores: [StoreReference(provider: .stripe, price: "price_pro")])
    ])
}

extension Catalog.Product {
  static func usual(
    _ name: String, _ entitlements: [EntitlementKey], isPerSeat: Bool = false
  ) -> Catalog.Product {
    Catalog.Product(
      id: ProductID(unchecked: name), entitlements: entitlements,
      stores: [.init(provider: .stripe, product: "prod_\(name)")], isPerSeat: isPerSeat)
  }
}

extension Scene {
  /// A scene that begins with the usual catalog.
  static var usual: Scene {
    var scene = Scene()
    scene.manual(day(-100), .catalogRevised(CatalogRevision(catalog: .usual)))
    return scene
  }
}
