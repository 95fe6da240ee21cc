import MembershipModel
import MembershipProviders
import Testing

@Suite struct StripeMoneyTests {
  typealias S = StripeFixture

  let payment: [ReferenceID] = ["stripe:ch_1", "stripe:pi_1"]

  func dollars(_ cents: Int64) -> Money { Money(minorUnits: cents, currency: "USD") }

  // MARK: - Refunds

  @Test(arguments: [Int64(1), 400, 1000])
  func `a charge says how much was given back in all and of how much`(cents: Int64) throws {
    let facts = try facts("charge.refunded", S.charge(refunded: cents))
    #expect(
      facts == [
        Fact(.refunded(Refund(amount: dollars(cents), paid: dollars(1000))), references: payment)
      ])
  }

  @Test func `the invoice of a charge is a reference where it is shown`() throws {
    let facts = try facts(
      "charge.refunded", S.charge(refunded: 5, changing: ["invoice": "in_1"]))
    #expect(facts.map(\.references) == [payment + ["stripe:in_1"]])
  }

  @Test(arguments: [JSONValue.integer(0), nil, "all", .integer(-4)])
  func `a charge of which nothing is given back is noted`(amount: JSONValue) throws {
    let facts = try facts(
      "charge.refunded", S.charge(changing: ["amount_refunded": amount]))
    #expect(names(facts) == ["noted"])
  }

  @Test(arguments: ["refund.created", "refund.updated", "charge.refund.updated"])
  func `a refund counts once it has succeeded`(type: String) throws {
    let done = try facts(type, S.refund())
    let refund = Refund(refund: "stripe:re_1", amount: dollars(400))
    #expect(done == [Fact(.refunded(refund), references: payment)])
    for status in ["pending", "requires_action", "mystery"] {
      #expect(try names(facts(type, S.refund(status: status))) == ["noted"])
    }
  }

  @Test func `a refund that failed or was cancelled is reversed`() throws {
    let reversal = RefundReversal(refund: "stripe:re_1", amount: dollars(400))
    for (type, status) in [
      ("refund.failed", "failed"), ("refund.updated", "failed"), ("refund.updated", "canceled"),
    ] {
      let facts = try facts(type, S.refund(status: status))
      #expect(facts == [Fact(.refundReversed(reversal), references: payment)])
    }
  }

  @Test func `a failure beside a status of success is noted`() throws {
    #expect(try names(facts("refund.failed", S.refund())) == ["noted"])
  }

  @Test func `an expanded charge lends its references and what was paid`() throws {
    let charge = S.charge(changing: ["invoice": "in_1", "amount_captured": 900])
    let facts = try facts(
      "refund.created", S.refund(changing: ["charge": charge, "payment_intent": nil]))
    #expect(facts.map(\.references) == [["stripe:ch_1", "stripe:pi_1", "stripe:in_1"]])
    let refund = Refund(refund: "stripe:re_1", amount: dollars(400), paid: dollars(900))
    #expect(facts.map(\.body) == [.refunded(refund)])
  }

  @Test func `a refund that names no payment is noted`() throws {
    let facts = try facts(
      "refund.created", S.refund(changing: ["charge": nil, "payment_intent": nil]))
    #expect(facts.notes.map(\.reason) == ["the refund names no payment"])
  }

  // MARK: - Disputes

  static let disputeTypes = [
    "charge.dispute.closed", "charge.dispute.created", "charge.dispute.funds_reinstated",
    "charge.dispute.funds_withdrawn", "charge.dispute.updated",
  ]

  @Test(arguments: disputeTypes)
  func `every event of a dispute says by its status how it stands`(type: String) throws {
    func body(_ status: String) throws -> [Fact] { try facts(type, S.dispute(status: status)) }
    func opened(_ kind: DisputeKind) -> [Fact] {
      let dispute = Dispute(
        id: "stripe:dp_1", kind: kind, amount: dollars(1000), at: at(S.january))
      return [Fact(.disputeOpened(dispute), references: payment)]
    }
    func closed(_ outcome: DisputeOutcome) -> [Fact] {
      let closure = DisputeClosure(id: "stripe:dp_1", outcome: outcome)
      return [Fact(.disputeClosed(closure), references: payment)]
    }
    #expect(try body("needs_response") == opened(.dispute))
    #expect(try body("under_review") == opened(.dispute))
    #expect(try body("warning_needs_response") == opened(.inquiry))
    #expect(try body("warning_under_review") == opened(.inquiry))
    #expect(try body("won") == closed(.won))
    #expect(try body("lost") == closed(.lost))
    #expect(try body("warning_closed") == closed(.withdrawn))
    #expect(try body("prevented") == closed(.withdrawn))
    #expect(try names(body("mystery")) == ["noted"])
  }

  @Test func `an early warning of fraud is a hold of its own cause`() throws {
    let facts = try facts("radar.early_fraud_warning.created", S.fraudWarning)
    let hold = Hold(
      cause: "fraud warning issfr_1", kind: .fraudWarning, reason: "made_with_stolen_card")
    #expect(facts == [Fact(.holdPlaced(hold), references: payment)])
  }

  // MARK: - What belongs to one payment

  @Test(arguments: ["charge.succeeded", "charge.updated", "charge.captured"])
  func `a charge that succeeded links what it names`(type: String) throws {
    let linked = try facts(type, S.charge(changing: ["invoice": "in_1"]))
    #expect(
      linked == [
        Fact(.paymentLinked(PaymentLink()), references: payment + ["stripe:in_1"])
      ])
    let failed = S.charge(changing: ["status": "failed", "paid": false])
    #expect(try names(facts(type, failed)) == ["noted"])
  }

  @Test func `a payment that succeeded links its charge, in either place`() throws {
    for place in [
      ["latest_charge": "ch_1"],
      [
        "charges": [
          "data": [["id": "ch_0", "status": "failed"], ["id": "ch_1", "status": "succeeded"]]
        ]
      ],
    ] as [JSONValue] {
      let intent: JSONValue = ["id": "pi_1", "object": "payment_intent", "status": "succeeded"]
      let facts = try facts("payment_intent.succeeded", intent.with(place))
      #expect(facts.map(\.references) == [["stripe:pi_1", "stripe:ch_1"]])
    }
  }

  @Test func `a payment of an invoice links the two`() throws {
    for payment in [
      ["type": "payment_intent", "payment_intent": "pi_1"],
      ["type": "payment_intent", "payment_intent": ["id": "pi_1", "object": "payment_intent"]],
    ] as [JSONValue] {
      let facts = try facts(
        "invoice_payment.paid",
        ["id": "inpay_1", "object": "invoice_payment", "invoice": "in_1", "payment": payment])
      #expect(
        facts == [
          Fact(.paymentLinked(PaymentLink()), references: ["stripe:in_1", "stripe:pi_1"])
        ])
    }
  }
}
