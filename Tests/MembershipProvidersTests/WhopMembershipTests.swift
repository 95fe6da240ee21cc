import MembershipModel
import MembershipProviders
import Testing

@Suite struct WhopMembershipTests {
  typealias W = Whop

  static let offer = Offer(product: "prod_1", plan: "plan_1")

  static func bought(_ kind: TransactionKind = .paid, _ period: Period = W.period) -> Transaction {
    let word = kind == .trial ? "trial" : "period"
    return Transaction(
      id: TransactionID(unchecked: "whop:mem_1/\(word)/\(period.start.milliseconds / 1000)"),
      offer: offer, period: period, kind: kind, isObserved: kind != .trial)
  }

  @Test(arguments: W.Generation.allCases)
  func `every generation tells of one purchase alike`(generation: W.Generation) throws {
    let isOld = generation == .second || generation == .fifth
    let event = try W.event(
      in: W.event(
        isOld ? "membership.went_valid" : "membership.activated", W.membership(generation),
        generation: generation))
    let facts = event.facts
    #expect(facts.hasWhop(.purchased(Self.bought())))
    #expect(facts.observations.map(\.status) == ["active"])
    #expect(facts.observations.map(\.standing) == [.active])
    #expect(facts.observations.map(\.isRenewing) == [true])
    #expect(facts.observations.map(\.items) == [[ObservedItem(offer: Self.offer, quantity: 1)]])
    #expect(facts.notes.isEmpty)
    #expect(event.account == "whop:user_1")
    #expect(event.provider == .whop)
    #expect(event.environment == .production)
    #expect(event.effectiveAt == W.at(W.january))
    #expect(event.provenance.origin == .webhook)
  }

  @Test(arguments: [
    ("membership.went_valid", "membership.went_valid"),
    ("membership_went_valid", "membership.went_valid"),
    ("app_membership_went_valid", "membership.went_valid"),
    ("membership_cancel_at_period_end_changed", "membership.cancel_at_period_end_changed"),
  ])
  func `names of the dashboard are the names of the documents`(pair: (String, String)) throws {
    let (written, name) = pair
    for key in ["action", "event", "type"] {
      let body: JSONValue = .object([
        .init(key, .string(written)), .init("data", W.membership(.second)),
      ])
      let plain = body.without(key).with(.object([.init(key, .string(name))]))
      #expect(try W.event(in: body).facts == W.event(in: plain).facts)
      #expect(try W.event(in: body).facts.transactions.count == 1)
    }
  }

  @Test(arguments: [
    ("active", Standing.active, true), ("trialing", .trialing, true), ("canceling", .active, true),
    ("completed", .active, true), ("past_due", .pastDue, false), ("canceled", .ended, false),
    ("expired", .ended, false), ("unresolved", .incomplete, false),
    ("drafted", .incomplete, false), ("brand_new", .unrecognized(0), false),
  ])
  func `each status has its standing, and the good ones alone give something`(
    row: (status: String, standing: Standing, gives: Bool)
  ) throws {
    let facts = try W.facts("membership.updated", W.membership(.dated, status: row.status))
    #expect(facts.observations.map(\.status) == [row.status])
    #expect(facts.observations.map(\.standing) == [row.standing])
    #expect(facts.transactions.isEmpty == !row.gives)
    #expect(facts.notes.isEmpty == (row.standing != .unrecognized(0)))
  }

  @Test func `a trial needs no payment, and moves with its newest end`() throws {
    let facts = try W.facts("membership.activated", W.membership(.dated, status: "trialing"))
    #expect(facts.hasWhop(.purchased(Self.bought(.trial))))
    #expect(try W.facts("membership.trial_ending_soon", W.membership()).notes.count == 1)
  }

  @Test func `what is bought once lasts until it is said to run out, or for ever`() throws {
    let once: JSONValue = ["renewal_period_start": nil, "renewal_period_end": nil]
    let forever = try W.facts(
      "membership.went_valid", W.membership(.second, status: "completed", changing: once),
      generation: .second)
    #expect(
      forever.transactions == [
        Transaction(id: "whop:mem_1/once", offer: Self.offer, kind: .oneTime, isObserved: true)
      ])
    let ending = try W.facts(
      "membership.went_valid",
      W.membership(
        .second, status: "completed",
        changing: once.with(["expires_at": .integer(W.at(W.march).milliseconds / 1000)])),
      generation: .second)
    #expect(
      ending.transactions.map(\.period) == [Period(start: W.at(W.january), end: W.at(W.march))])
    let dated = try W.facts(
      "membership.activated",
      W.membership(
        .dated, status: "active", changing: ["billing_period_days": nil]))
    #expect(dated.transactions.map(\.period) == [W.period])
    #expect(dated.transactions.map(\.kind) == [.oneTime])
  }

  @Test func `an active status without any period gives nothing`() throws {
    let facts = try W.facts(
      "membership.activated",
      W.membership(changing: ["renewal_period_start": nil, "renewal_period_end": nil]))
    #expect(facts.transactions.isEmpty)
    #expect(facts.notes.count == 1)
  }

  @Test func `PEER-56: an end that is asked for is planned, and one in effect is an end`() throws {
    let asked = try W.facts(
      "membership.cancel_at_period_end_changed",
      W.membership(
        changing: [
          "cancel_at_period_end": true, "canceled_at": .string(W.january),
          "cancel_option": "too_expensive",
        ]))
    let schedule = CancellationSchedule(
      effectiveAt: W.at(W.february), requestedAt: W.at(W.january), reason: "too_expensive")
    #expect(asked.hasWhop(.cancellationScheduled(schedule)))
    #expect(asked.observations.map(\.isRenewing) == [false])
    #expect(!names(asked).contains("ended"))
    let ended = try W.facts(
      "membership.deactivated",
      W.membership(status: "canceled", changing: ["cancel_at_period_end": true]), at: W.march)
    #expect(ended.hasWhop(.ended(End(at: W.at(W.february), reason: .cancelled))))
    #expect(!names(ended).contains("cancellationScheduled"))
  }

  @Test(arguments: [true, false])
  func `a planned end that is withdrawn is told by the flag or by its former value`(
    isNamed: Bool
  ) throws {
    let facts = try W.facts(
      isNamed ? "membership.cancel_at_period_end_changed" : "membership.updated", W.membership(),
      previous: isNamed ? nil : ["cancel_at_period_end": true])
    #expect(facts.hasWhop(.cancellationWithdrawn(Withdrawal())))
  }

  @Test func `the defaults of both versions of cancelling end as each says`() throws {
    // The older call plans an end by default; the newer one revokes at once where no flag is sent.
    let planned = try W.facts(
      "membership.updated", W.membership(.dated, status: "canceling"),
      previous: ["status": "active"])
    #expect(names(planned).contains("cancellationScheduled"))
    #expect(!planned.transactions.isEmpty)
    let noon = "2026-01-10T12:00:00.000Z"
    let revoked = try W.facts(
      "membership.deactivated",
      W.membership(.dated, status: "canceled", changing: ["canceled_at": .string(noon)]), at: noon)
    #expect(revoked.hasWhop(.ended(End(at: W.at(noon), reason: .cancelled))))
  }

  @Test func `an expired membership ended with its period, told late or not`() throws {
    let facts = try W.facts("membership.deactivated", W.membership(status: "expired"), at: W.march)
    #expect(facts.hasWhop(.ended(End(at: W.at(W.february), reason: .expired))))
    #expect(facts.observations.map(\.at) == [W.at(W.february)])
  }

  @Test(arguments: ["membership.deactivated", "membership.went_invalid"])
  func `the name of an end is believed, and the good status in it is not`(type: String) throws {
    for status in ["active", "completed", "trialing", "canceling"] {
      let facts = try W.facts(
        type, W.membership(status: status, changing: ["valid": true]), at: W.january)
      #expect(facts.observations.map(\.standing) == [.ended])
      #expect(facts.transactions.isEmpty)
      // What may become valid again within its period has no final end.
      #expect(
        names(facts).contains("ended") == (status == "trialing" || status == "canceling"),
        "\(status)")
    }
  }

  @Test func `validity of the older generations beats the status beside it`() throws {
    let facts = try W.facts(
      "membership.metadata_updated", W.membership(.second, changing: ["valid": false]),
      generation: .second)
    #expect(facts.observations.map(\.standing) == [.ended])
    #expect(facts.transactions.isEmpty)
  }

  // MARK: - Past due

  @Test func `past due keeps access only by the merchant's switch, for as long as is retried`()
    throws
  {
    let unpaid = Period(start: W.at(W.february), end: W.at(W.march))
    let overdue = W.membership(status: "past_due")
    let off = try W.facts("membership.updated", overdue, at: W.february)
    #expect(off.hasWhop(.paymentFailed(PaymentFailure(period: unpaid))))
    let kept = WhopAdapter(trustsUnsigned: true, keepsPastDue: true)
    let until = W.at("2026-02-05T00:00:00.000Z")
    let on = try W.facts("membership.updated", overdue, at: W.february, by: kept)
    #expect(on.hasWhop(.paymentFailed(PaymentFailure(period: unpaid, graceUntil: until))))
    let gone = try W.facts("membership.deactivated", overdue, at: W.february, by: kept)
    #expect(gone.hasWhop(.paymentFailed(PaymentFailure(period: unpaid))))
    #expect(!names(gone).contains("ended"))
  }

  @Test(arguments: [true, false])
  func `the older generations say themselves whether what is past due is kept`(
    isValid: Bool
  ) throws {
    let adapter = WhopAdapter(trustsUnsigned: true, keepsPastDue: !isValid)
    let event = try W.event(
      in: W.event(
        "membership.metadata_updated",
        W.membership(.fifth, status: "past_due", changing: ["valid": .bool(isValid)]),
        generation: .fifth),
      observedAt: W.at(W.january), by: adapter)
    let until: Timestamp? = isValid ? W.at("2026-01-06T00:00:00.000Z") : nil
    #expect(
      event.facts.hasWhop(.paymentFailed(PaymentFailure(period: W.period, graceUntil: until))))
  }

  // MARK: - Pauses, free days, plans

  @Test func `a pause of collection leaves what is paid for`() throws {
    let paused = try W.facts(
      "membership.updated", W.membership(changing: ["payment_collection_paused": true]),
      previous: ["payment_collection_paused": false])
    #expect(paused.hasWhop(.paused(Pause(cause: "collection", keepsPaidPeriod: true))))
    #expect(paused.observations.map(\.unpausedCauses) == [[]])
    #expect(paused.hasWhop(.renewed(Self.bought())))
    let resumed = try W.facts(
      "membership.updated", W.membership(), previous: ["payment_collection_paused": true])
    #expect(resumed.hasWhop(.resumed(Resumption(cause: "collection"))))
    #expect(resumed.observations.map(\.unpausedCauses) == [["collection"]])
  }

  @Test func `free days move the end of the same period`() throws {
    let longer = W.membership(to: W.march)
    let facts = try W.facts(
      "membership.updated", longer, previous: ["renewal_period_end": .string(W.february)])
    let period = Period(start: W.at(W.january), end: W.at(W.march))
    #expect(facts.transactions.map(\.period) == [period])
    #expect(facts.transactions.map(\.id) == [Self.bought().id])
  }

  @Test func `a plan change is told by the former plan`() throws {
    let facts = try W.facts(
      "membership.updated", W.membership(changing: ["plan": ["id": "plan_2"]]),
      previous: ["plan": ["id": "plan_1"]])
    let change = PlanChange(
      at: W.at(W.january), from: Self.offer, to: Offer(product: "prod_1", plan: "plan_2"))
    #expect(facts.hasWhop(.planChanged(change)))
  }

  // MARK: - Whose it is

  @Test func `a hint of our own customer links the account`() throws {
    let event = try W.event(
      in: W.event(
        "membership.activated", W.membership(changing: ["metadata": ["customer_id": "user_42"]])))
    #expect(event.customer == "user_42")
    let link = AccountLink(account: "whop:user_1", customer: "user_42")
    #expect(event.facts.has(.accountLinked(link), of: nil))
  }

  @Test func `a company that buys is the account, and a deleted user is none`() throws {
    let company = try W.event(
      in: W.event(
        "membership.went_valid",
        W.membership(.fifth, changing: ["user_id": nil, "company_buyer_id": "biz_9"]),
        generation: .fifth))
    #expect(company.account == "whop:biz_9")
    let nobody = try W.event(
      in: W.event("membership.activated", W.membership(changing: ["user": nil])))
    #expect(nobody.account == nil)
    #expect(names(nobody.facts).contains("purchased"))
  }
}
