import MembershipModel
import Testing

@Suite("Access: the word of the store alone")
struct AccessStandingTests {
  @Test func `a period seen in a snapshot alone gives access and says that it is assumed`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.seen(0, 30), Facts.standing(.active))
    let decision = scene.decision(at: day(1))
    #expect(decision.isEntitled && decision.isAssumed)
    scene.stripe(day(10), Facts.standing(.pastDue))
    #expect(scene.reason(at: day(10).before) == .granted)
    #expect(scene.reason(at: day(10)) == .expired)
    #expect(scene.status(at: day(10)) == .pastDue)
    scene.stripe(day(20), Facts.standing(.active))
    #expect(scene.reason(at: day(20)) == .granted)
  }

  @Test func `a snapshot gives nothing for a period that an invoice speaks of`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.seen(0, 30), Facts.standing(.active))
    scene.stripe(day(0), Facts.invoiced(.open, invoice: "in_1", period: Period(0, 30)))
    #expect(scene.reason(at: day(1)) == .none)
    #expect(scene.status(at: day(1)) == .pending)
  }

  /// Two periods that only snapshots speak for.
  private var seenTwice: Scene {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.seen(0, 30), Facts.standing(.active))
    scene.stripe(day(30), Facts.seen(30, 60), Facts.standing(.active))
    return scene
  }

  @Test(arguments: [InvoiceState.draft, .open, .paid])
  func `an invoice ends the trust in standing from its period on, not before`(
    state: InvoiceState
  ) {
    var scene = seenTwice
    scene.stripe(day(45), Facts.invoiced(state, invoice: "in_3", period: Period(60, 90)))
    scene.stripe(day(60), Facts.seen(60, 90), Facts.standing(.active))
    #expect(scene.access().stretchesOfAccess(to: "premium") == [Period(0, 60)])
    #expect(scene.reason(at: day(60)) == .expired)
    scene.stripe(day(61), Facts.paid(60, 90, invoice: "in_3", isRenewal: true))
    #expect(scene.access().stretchesOfAccess(to: "premium") == [Period(0, 90)])
    #expect(scene.decision(at: day(45)).isAssumed && !scene.decision(at: day(75)).isAssumed)
  }

  @Test func `STRIPE-31 once invoices are heard of, a period that is moved is not yet paid`() {
    var scene = seenTwice
    scene.stripe(day(45), Facts.paid(30, 60, invoice: "in_2", isRenewal: true))
    scene.stripe(day(60), Facts.seen(60, 90), Facts.standing(.active))
    #expect(scene.access().stretchesOfAccess(to: "premium") == [Period(0, 60)])
  }

  @Test func `an invoice within a period that is only seen decides from its own start on`() {
    var scene = seenTwice
    scene.stripe(
      day(40), id: "bill", Facts.invoiced(.open, invoice: "in_2", period: Period(40, 70)))
    #expect(scene.access().stretchesOfAccess(to: "premium") == [Period(0, 40)])
    #expect(scene.decision(at: day(41)).evidence.contains("stripe:evt_bill"))
    scene.stripe(day(41), Facts.paid(40, 70, invoice: "in_2", isRenewal: true))
    #expect(scene.access().stretchesOfAccess(to: "premium") == [Period(0, 70)])
  }

  @Test func `a failed payment of an invoice speaks of its period, one without an invoice not`() {
    var scene = seenTwice
    var failure = PaymentFailure(period: Period(start: day(30), end: day(60)))
    scene.stripe(day(30), Fact(.paymentFailed(failure), membership: Facts.membership))
    #expect(scene.access().stretchesOfAccess(to: "premium") == [Period(0, 60)])
    failure.invoice = "stripe:in_2"
    scene.stripe(day(31), Fact(.paymentFailed(failure), membership: Facts.membership))
    #expect(scene.access().stretchesOfAccess(to: "premium") == [Period(0, 30)])
  }

  @Test func `an invoice that only settles a change does not say how the period is paid`() {
    var scene = seenTwice
    scene.stripe(
      day(40), Facts.invoiced(.open, invoice: "in_9", prorations: [Proration(at: day(40))]),
      Facts.failed(40, 60, invoice: "in_9"))
    #expect(scene.access().stretchesOfAccess(to: "premium") == [Period(0, 60)])
    // One of which neither is known may be for anything; it speaks of no period.
    scene.stripe(day(41), Facts.invoiced(.open, invoice: "in_8"))
    #expect(scene.access().stretchesOfAccess(to: "premium") == [Period(0, 60)])
  }

  @Test func `a checkout that is not paid ends the trust in the first period only`() {
    var scene = seenTwice
    let closure = CheckoutClosure(id: "stripe:cs_1", outcome: .pending)
    scene.stripe(day(0), Fact(.checkoutClosed(closure), membership: Facts.membership))
    #expect(scene.access().stretchesOfAccess(to: "premium") == [Period(30, 60)])
    let paid = CheckoutClosure(id: "stripe:cs_1", outcome: .paid)
    scene.stripe(day(3), Fact(.checkoutClosed(paid), membership: Facts.membership))
    #expect(scene.access().stretchesOfAccess(to: "premium") == [Period(0, 60)])
  }

  @Test func `a policy may distrust snapshots`() {
    var scene = Scene.usual
    let rules = Policy.ProviderRules(provider: .stripe, distrustsStanding: true)
    scene.manual(day(-1), .policyRevised(PolicyRevision(policy: Policy(providers: [rules]))))
    scene.stripe(day(0), Facts.seen(0, 30), Facts.standing(.active))
    #expect(scene.reason(at: day(1)) == .none)
  }
}
