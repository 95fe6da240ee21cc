import MembershipModel

/// A checkout session as one document shows it.
struct StripeCheckout {
  private let id: ReferenceID
  private let session: DocumentObject
  /// The invoice and the payments that it led to, and itself.
  private let references: [ReferenceID]

  private init?(_ session: DocumentObject) {
    guard let id: ReferenceID = session.identifier("id") else { return nil }
    self.id = id
    self.session = session
    references = session.references("id", "payment_intent", "invoice")
  }

  /// A session tells how a checkout ended; only a paid purchase of single things is bought by it,
  /// since a subscription's own documents say what it gives.
  static let read: StripeEventKind.Read = { notice, facts in
    guard let checkout = StripeCheckout(notice.object) else {
      facts.note("the session has no usable id")
      return
    }
    if notice.object.text("mode") == "setup" {
      facts.note("the session sets up a payment method and sells nothing")
    } else if notice.type == "checkout.session", notice.object.text("status") == "open" {
      checkout.stateOpening(in: &facts)
    } else if let outcome = checkout.outcome(notice.type) {
      checkout.stateClosure(outcome, in: &facts)
    } else {
      facts.note("the session does not say how its payment stands")
    }
  }

  static let shownTime: @Sendable (DocumentObject) -> Timestamp? = { session in
    session.text("status") == "expired"
      ? session.instant("expires_at") ?? session.instant("created") : session.instant("created")
  }

  private var isSubscription: Bool {
    session.text("mode") == "subscription" || session.given("subscription") != nil
  }

  /// The subscription; else the session itself, which is the order of what is bought once.
  private var membership: MembershipID? {
    session.identifier(isSubscription ? "subscription" : "id")
  }

  private func outcome(_ type: String) -> CheckoutOutcome? {
    switch (type, session.text("status"), session.text("payment_status")) {
    case ("checkout.session.async_payment_succeeded", _, _): .paid
    case ("checkout.session.async_payment_failed", _, _): .declined
    case ("checkout.session.expired", _, _), (_, "expired", _): .cancelled
    case (_, _, "paid"), (_, _, "no_payment_required"): .paid
    case (_, _, "unpaid"): .pending
    default: nil
    }
  }

  private func stateOpening(in facts: inout FactCollector) {
    let plan = session.list("line_items").first?.offer.plan ?? ""
    facts.state(
      .checkoutOpened(CheckoutOpening(id: id, plan: plan)),
      of: isSubscription ? membership : nil, references: references)
  }

  private func stateClosure(_ outcome: CheckoutOutcome, in facts: inout FactCollector) {
    // What was left without being done leaves no order behind.
    let order = outcome == .cancelled && !isSubscription ? nil : membership
    facts.state(
      .checkoutClosed(CheckoutClosure(id: id, outcome: outcome)), of: order,
      references: references)
    if outcome == .paid, !isSubscription { statePurchases(in: &facts) }
  }

  private func statePurchases(in facts: inout FactCollector) {
    let lines = session.list("line_items")
    if lines.isEmpty {
      facts.note("the session shows no line items: fetch it with line_items expanded")
    }
    if session.expanded("line_items")?.flag("has_more") == true {
      facts.note("the session has more line items than are shown")
    }
    for (index, line) in lines.enumerated() {
      let name = line.text("id") ?? "\(index)"
      guard line.quantity > 0,
        let id = StripeTransaction.bought(id, name, facts.faults)
      else {
        facts.note("a line item with a quantity of \(line.quantity) gives nothing")
        continue
      }
      let transaction = Transaction(
        id: id, offer: line.offer, kind: .oneTime, quantity: line.quantity,
        amount: line.money("amount_total"), item: name)
      facts.state(.purchased(transaction), of: membership, references: references)
    }
  }
}
