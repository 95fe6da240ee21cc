import MembershipModel

/// A one-time purchase as one resource shows it, the same for the older and the newer resource.
struct GooglePlayProduct {
  let notice: GooglePlayNotice
  /// The state by its name in the newer resource; as it is where it is not known.
  let status: String
  let state: GooglePlayState?
  /// When it was bought; nil while it is not paid.
  let boughtAt: Timestamp?
  let lines: [Line]
  let isTest: Bool
  private let order: String?
  private let isUnacknowledged: Bool

  /// One product of the purchase.
  struct Line {
    let offer: Offer
    let quantity: Int64
    /// How many have not been given back.
    let remaining: Int64
    /// Why it gives nothing although it is bought; nil where it does.
    let fault: String?
  }

  init(_ notice: GooglePlayNotice) {
    let object = notice.object
    self.notice = notice
    order = object.text("orderId")
    let isNewer = ["productLineItem", "purchaseStateContext"].contains { object.given($0) != nil }
    if isNewer {
      status = object.object("purchaseStateContext")?.text("purchaseState") ?? ""
      boughtAt = object.time("purchaseCompletionTime")
      lines = object.list("productLineItem").map { Line($0, notice) }
      isTest = object.given("testPurchaseContext") != nil
      isUnacknowledged =
        object.text("acknowledgementState") == "ACKNOWLEDGEMENT_STATE_PENDING"
    } else {
      let number = object.integer("purchaseState")
      status = number.flatMap { Self.states[$0] ?? "\($0)" } ?? ""
      boughtAt = object.wideMilliseconds("purchaseTimeMillis")
      lines = [Line(older: object, notice)]
      isTest = object.integer("purchaseType") == 0
      isUnacknowledged = object.integer("acknowledgementState") == 0
    }
    state = GooglePlayTable.products[status]
  }

  private static let states: [Int64: String] = [0: "PURCHASED", 1: "CANCELLED", 2: "PENDING"]

  var owner: GooglePlayOwner {
    notice.object.obfuscatedCustomer.map { .customer($0) } ?? .unknown
  }

  private var isBought: Bool { status == "PURCHASED" }

  /// What is bought once is had from its purchase on.
  var effectiveAt: Timestamp {
    guard isBought, let boughtAt else { return notice.at }
    return min(boughtAt, notice.at)
  }

  func state(in facts: inout FactCollector) {
    let day: Int64 = 86_400_000
    let observation = Observation(
      status: status, standing: state?.standing ?? .unrecognized(0), at: notice.at,
      acknowledgeBy: isBought && isUnacknowledged
        ? boughtAt?.adding(milliseconds: 3 * day) : nil)
    facts.state(.observed(observation), of: notice.membership)
    if state == nil { facts.note("the state \"\(status)\" is not known") }
    if isBought {
      for line in lines { state(line, in: &facts) }
    } else if status == "CANCELLED" {
      // Whether it was ever paid is not told; if it was, it is over.
      facts.state(.ended(End(at: canceledAt, reason: .cancelled)), of: notice.membership)
    }
  }

  private var canceledAt: Timestamp {
    guard let trigger = notice.trigger, trigger.kind == "oneTimeProductNotification",
      trigger.type == 2, let at = trigger.at
    else { return notice.at }
    return min(at, notice.at)
  }

  private func state(_ line: Line, in facts: inout FactCollector) {
    if let fault = line.fault {
      facts.note(fault)
      return
    }
    if line.offer.product.isEmpty { facts.note("the purchase does not name its product") }
    let name = [order ?? notice.token, lines.count > 1 || order == nil ? line.offer.product : ""]
      .filter { !$0.isEmpty }.joined(separator: "/")
    guard let id: TransactionID = DocumentObject.identifier(name, facts.faults) else { return }
    let reference: ReferenceID? = order.flatMap { DocumentObject.identifier($0, facts.faults) }
    let transaction = Transaction(
      id: id, offer: line.offer, kind: .oneTime, quantity: max(line.remaining, 1))
    facts.state(
      .purchased(transaction), of: notice.membership, references: [reference].compactMap { $0 })
    if line.remaining < 1 {
      let revocation = AccessRevocation(transaction: id, at: notice.at, reason: "all given back")
      facts.state(.accessRevoked(revocation), of: notice.membership)
    }
  }
}

extension GooglePlayProduct.Line {
  fileprivate init(_ object: DocumentObject, _ notice: GooglePlayNotice) {
    let details = object.object("productOfferDetails")
    offer = Offer(
      product: object.text("productId") ?? "", plan: details?.text("purchaseOptionId") ?? "")
    quantity = details?.integer("quantity") ?? 1
    remaining = details?.integer("refundableQuantity") ?? quantity
    if details?.given("rentOfferDetails") != nil {
      fault = "a rental ends at an instant that the resource does not show"
    } else if let release = details?.object("preorderOfferDetails")?.time("preorderReleaseTime"),
      release > notice.at
    {
      fault = "a preorder is had from \(release) on: fetch it again then"
    } else {
      fault = nil
    }
  }

  fileprivate init(older object: DocumentObject, _ notice: GooglePlayNotice) {
    offer = Offer(product: object.text("productId") ?? notice.trigger?.product ?? "")
    quantity = object.integer("quantity") ?? 1
    remaining = object.integer("refundableQuantity") ?? quantity
    fault = nil
  }
}
