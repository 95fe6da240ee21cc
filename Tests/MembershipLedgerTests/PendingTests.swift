import LedgerTestSupport
import MembershipLedger
import Testing

@Suite("Pending is visible") struct PendingTests {
  private static let cancellation = Make.change(
    "stripe:evt_c", at: 5, .cancellationScheduled(CancellationSchedule(effectiveAt: day(31))))
  private static let planChange = Make.change(
    "stripe:evt_p", at: 6,
    .planChangeScheduled(PlanChange(at: day(31), to: Offer(product: "prod_basic"))))

  private func withdrawal(_ id: EventID, at number: Int64, by provider: Provider = .manual) -> Event
  {
    Make.event(
      id, at: day(number), account: nil, provider: provider,
      Fact(.cancellationWithdrawn(Withdrawal()), membership: "stripe:sub_1"))
  }

  @Test func `each answer shows what is planned, with its instant, beside the present`() throws {
    try withLedger(TestClock(day(10))) { ledger in
      try ledger.add(
        all: [Make.catalogEvent(), Make.purchase("stripe:evt_1"), Self.planChange])
      let renewing = try #require(try ledger.memberships(of: "stripe:cus_1").first)
      #expect(renewing.willRenew && renewing.pendingChange?.at == day(31))
      try ledger.add(Self.cancellation)
      let membership = try #require(try ledger.memberships(of: "stripe:cus_1").first)
      #expect(membership.isActive && membership.status == .canceling && !membership.willRenew)
      #expect(membership.cancelAt == day(31) && membership.endedAt == nil)
      let holdings = try ledger.entitlements(of: "stripe:cus_1")
      #expect(holdings.count == 2 && holdings.allSatisfy { $0.until == day(31) })
      let decision = try ledger.decision(for: "stripe:cus_1", on: "premium")
      #expect(decision.isEntitled && decision.until == day(31) && decision.validUntil == day(31))
      let planned = try ledger.timeline(of: "stripe:cus_1").planned
      #expect(Set(planned.map(\.kind)).isSuperset(of: ["planChange", "cancellation"]))
      #expect(planned.allSatisfy { $0.at == day(31) && !$0.isSuperseded })
    }
  }

  @Test func `PEER-8: what was planned beyond an end in effect is marked superseded`() throws {
    try withLedger(TestClock(day(15))) { ledger in
      try ledger.add(
        all: [
          Make.catalogEvent(), Make.purchase("stripe:evt_1"), Self.cancellation, Self.planChange,
        ])
      let before = try ledger.lastPosition()
      try ledger.add(
        Make.change("stripe:evt_e", at: 10, .ended(End(at: day(10), reason: .cancelled))))
      let planned = try ledger.timeline(of: "stripe:cus_1").planned
      #expect(planned.contains { $0.kind == "cancellation" })
      #expect(planned.contains { $0.kind == "planChange" })
      #expect(planned.allSatisfy { $0.isSuperseded })
      let whole = try #require(try ledger.timeline(ofMembership: "stripe:sub_1"))
      #expect(whole.planned.count == planned.count && whole.planned.allSatisfy(\.isSuperseded))
      let membership = try #require(try ledger.memberships(of: "stripe:cus_1").first)
      #expect(membership.endedAt == day(10) && membership.cancelAt == nil)
      // Neither at an instant before the end nor by what was known before it.
      #expect(
        try ledger.timeline(of: "stripe:cus_1", at: day(9)).planned
          .allSatisfy { !$0.isSuperseded })
      #expect(
        try ledger.asKnown(at: .position(before)).timeline(of: "stripe:cus_1").planned
          .allSatisfy { !$0.isSuperseded })
    }
  }

  @Test func `PEER-5: a withdrawal by hand is refused with nothing pending, or the end in effect`()
    throws
  {
    try withLedger { ledger in
      try ledger.add(all: [Make.catalogEvent(), Make.purchase("stripe:evt_1")])
      #expect(code { try ledger.add(withdrawal("manual:w1", at: 4)) } == .nothingPending)
      try ledger.add(Self.cancellation)
      #expect(code { try ledger.add(withdrawal("manual:w2", at: 4)) } == .nothingPending)
      #expect(code { try ledger.add(withdrawal("manual:w3", at: 31)) } == .alreadyEffective)
      #expect(code { try ledger.add(withdrawal("manual:w4", at: 40)) } == .alreadyEffective)
      let last = day(31).adding(milliseconds: -1)
      var just = withdrawal("manual:w5", at: 30)
      just.effectiveAt = last
      try ledger.add(just)
      #expect(try ledger.memberships(of: "stripe:cus_1", at: last).first?.willRenew == true)
      #expect(code { try ledger.add(withdrawal("manual:w6", at: 31)) } == .nothingPending)
      let unknown = Make.event(
        "manual:w7", at: day(4), account: nil, provider: .manual,
        Fact(.cancellationWithdrawn(Withdrawal()), membership: "stripe:sub_9"))
      #expect(code { try ledger.add(unknown) } == .nothingPending)
      // What a store says is history, and recorded whatever it means.
      try ledger.add(withdrawal("stripe:evt_w", at: 50, by: .stripe))
      try expectSound(ledger)
    }
  }
}
