import LedgerTestSupport
import MembershipLedger
import Testing

@Suite("Reconcile") struct ReconcileTests {
  private let active = StripeHook.subscription("active")
  private let month = StoreReading.paidMonth(1, from: 1, customer: "cus_1", hint: "user_1")

  /// Compares twice with the ledger as it is without writing, then records, then finds nothing
  /// left.
  private func reconcile(
    _ ledger: Ledger, on number: Int64, _ objects: [String],
    _ location: SourceLocation = #_sourceLocation
  ) throws -> ReconcileReport {
    let requests = objects.flatMap { StoreReading.requests($0, on: number) }
    let before = try ledger.lastPosition()
    let dry = try ledger.reconcile(requests, of: .stripe, isDryRun: true)
    #expect(try ledger.lastPosition() == before, sourceLocation: location)
    #expect(dry.drifts.allSatisfy { $0.receipt == nil }, sourceLocation: location)
    let report = try ledger.reconcile(requests, of: .stripe)
    #expect(
      report.drifts.map(\.memberships) == dry.drifts.map(\.memberships), sourceLocation: location)
    #expect(report.drifts.map(\.access) == dry.drifts.map(\.access), sourceLocation: location)
    #expect(report.drifts.map(\.event) == dry.drifts.map(\.event), sourceLocation: location)
    #expect(report.missing == dry.missing, sourceLocation: location)
    #expect(
      try ledger.lastPosition().rawValue == before.rawValue + UInt64(report.drifts.count),
      sourceLocation: location)
    let end = try ledger.lastPosition()
    let again = try ledger.reconcile(
      objects.flatMap { StoreReading.requests($0, on: number) }, of: .stripe)
    #expect(again.drifts.isEmpty, sourceLocation: location)
    #expect(try ledger.lastPosition() == end, sourceLocation: location)
    try expectSound(ledger, location)
    return report
  }

  @Test func `PEER-53: what agrees is not recorded, at whatever time it is read`() throws {
    try withOwner { ledger, clock in
      // The first snapshot tells the store's own word for the status; the next ones no news.
      #expect(try reconcile(ledger, on: 2, [active, month]).drifts.count == 1)
      for number in [3, 5, 30] as [Int64] {
        clock.instant = day(number)
        let report = try reconcile(ledger, on: number, [active, month])
        #expect(report.isInAgreement && report.documents == 2)
      }
    }
  }

  @Test func `PEER-53: a lost cancellation is found, reported and recorded once`() throws {
    try withOwner { ledger, _ in
      _ = try reconcile(ledger, on: 4, [active])
      let canceling = StripeHook.subscription(
        "active",
        changing: [
          "cancel_at_period_end": "true", "cancel_at": "\(StripeHook.second(31))",
          "canceled_at": "\(StripeHook.second(3))",
        ])
      let report = try reconcile(ledger, on: 5, [canceling])
      let drift = try #require(report.drifts.first?.memberships.first)
      #expect(drift.id == "stripe:sub_1")
      #expect(drift.ledger?.status == .active && drift.provider.status == .canceling)
      #expect(drift.ledger?.cancelAt == nil && drift.provider.cancelAt == day(31))
      #expect(report.drifts.first?.access == [])
      let event = try #require(try ledger.events().last?.event)
      #expect(event.provenance.origin == .reconcile)
      #expect(try ledger.document(of: #require(try ledger.events().last)) == Array(canceling.utf8))
    }
  }

  @Test func `a lost end takes what is lost from its instant on, a lost renewal gives it back`()
    throws
  {
    try withOwner { ledger, clock in
      clock.instant = day(10)
      let ended = StripeHook.subscription(
        "canceled",
        changing: [
          "ended_at": "\(StripeHook.second(8))", "canceled_at": "\(StripeHook.second(8))",
        ])
      let report = try reconcile(ledger, on: 10, [ended])
      let lost = try #require(report.drifts.first?.access)
      #expect(
        lost.map(\.entitlement) == ["archive", "premium"] && !lost.contains(where: \.isGained))
      #expect(
        lost.allSatisfy { $0.customer == "user_1" && $0.from == day(8) && $0.until == day(31) })
    }
    try withOwner { ledger, clock in
      clock.instant = day(35)
      let report = try reconcile(ledger, on: 35, [StripeHook.invoice(2, "paid", 31, 61)])
      let gained = try #require(report.drifts.first?.access)
      #expect(gained.count == 2 && gained.allSatisfy { $0.isGained && $0.from == day(31) })
      #expect(try ledger.decision(for: "user_1", on: "premium", at: day(35)).isEntitled)
    }
  }

  @Test func `a membership that the ledger never heard of is told as such`() throws {
    try withOwner { ledger, _ in
      let other = StoreReading.paidMonth(2, from: 3, customer: "cus_2", hint: "user_2")
      let report = try reconcile(ledger, on: 5, [month, other])
      #expect(report.drifts.count == 1 && report.missing.isEmpty)
      let drift = try #require(report.drifts.first?.memberships.first)
      #expect(drift.ledger == nil && drift.provider.customer == "user_2" && drift.provider.isActive)
    }
  }

  @Test func `a membership first heard of in a reading began when the store and its purchases say`()
    throws
  {
    try withLedger(TestClock(day(40))) { ledger in
      try ledger.add(Make.catalogEvent())
      _ = try reconcile(
        ledger, on: 40,
        [StripeHook.subscription("active", changing: ["created": "\(StripeHook.second(-50))"])])
      #expect(try ledger.memberships(of: "stripe:cus_1").first?.createdAt == day(-50))
      _ = try reconcile(
        ledger, on: 41,
        [
          StripeHook.subscription(
            "active",
            changing: [
              "created": "\(StripeHook.second(-50))", "start_date": "\(StripeHook.second(-60))",
            ])
        ])
      #expect(try ledger.memberships(of: "stripe:cus_1").first?.createdAt == day(-60))
      let bought = Make.purchase("stripe:old", of: "stripe:sub_9", days(-20, 10))
      var late = bought
      late.effectiveAt = day(40)
      try ledger.add(late)
      #expect(
        try ledger.memberships(of: "stripe:cus_1").first { $0.id == "stripe:sub_9" }?.createdAt
          == day(-20))
      // The time before the first word is nobody's to tell of.
      #expect(
        try ledger.timeline(ofMembership: "stripe:sub_1")?.segments.allSatisfy {
          $0.from ?? .distantPast >= day(1)
        } == true)
    }
  }

  @Test func `STORE-46, STORE-50, STORE-56: an empty reading ends nothing and is told of`() throws {
    try withOwner { ledger, _ in
      let report = try reconcile(ledger, on: 5, [])
      #expect(report.missing.map(\.id) == ["stripe:sub_1"] && report.documents == 0)
      #expect(try ledger.decision(for: "user_1", on: "premium", at: day(5)).isEntitled)
      #expect(try ledger.reconcile([], of: .appStore).missing.isEmpty)
      #expect(try ledger.reconcile([], of: .stripe, in: .sandbox).missing.isEmpty)
    }
  }

  @Test func `STORE-56: what is refunded does not live on beside what is live`() throws {
    try withOwner { ledger, clock in
      let other = StoreReading.paidMonth(2, from: 3, customer: "cus_1", hint: "user_1")
      try ledger.add(all: StoreReading.requests(other, on: 3).map(\.event))
      let refund = StripeHook("re", "charge.refunded", at: 4, StripeHook.charge(refunded: 999, 2))
      try ledger.add(all: refund.events())
      clock.instant = day(5)
      let report = try reconcile(ledger, on: 5, [month])
      // Refunded memberships are over: no list needs to have them.
      #expect(report.missing.isEmpty)
      let holdings = try ledger.entitlements(of: "user_1", at: day(5))
      #expect(Set(holdings.compactMap(\.membership)) == ["stripe:sub_1"])
      #expect(try ledger.decision(for: "user_1", on: "premium", at: day(32)).reason != .granted)
    }
  }

  @Test func `STORE-49: a reading without a cancellation cancels nothing`() throws {
    try withOwner { ledger, _ in
      let other = StoreReading.paidMonth(2, from: 3, customer: "cus_2", hint: "user_2")
      try ledger.add(all: StoreReading.requests(other, on: 3).map(\.event))
      let report = try reconcile(ledger, on: 5, [active])
      #expect(report.missing.map(\.id) == ["stripe:sub_2"])
      for customer in ["user_1", "user_2"] as [CustomerID] {
        let membership = try #require(try ledger.memberships(of: customer).first)
        #expect(membership.willRenew && membership.status == .active)
      }
    }
  }

  @Test func `a missed plan change is repaired from the snapshot on`() throws {
    try withOwner { ledger, clock in
      _ = try reconcile(ledger, on: 4, [active])
      clock.instant = day(10)
      let report = try reconcile(
        ledger, on: 10, [StripeHook.subscription("active", product: "prod_basic")])
      let drift = try #require(report.drifts.first)
      #expect(drift.memberships.first?.ledger?.product == "pro")
      #expect(drift.memberships.first?.provider.product == "basic")
      #expect(drift.access.contains { !$0.isGained && $0.entitlement == "archive" })
      #expect(!drift.access.contains { $0.entitlement == "premium" })
    }
  }

  @Test func `a webhook that was recorded is no news, one that was not is`() throws {
    try withOwner { ledger, _ in
      let update = StripeHook.updated(
        "u", at: 3,
        StripeHook.subscription(
          "active",
          changing: [
            "cancel_at_period_end": "true", "cancel_at": "\(StripeHook.second(31))",
          ]))
      let requests = update.events().map { AppendRequest($0, document: update.body) }
      try #expect(ledger.reconcile(requests, of: .stripe).drifts.count == 1)
      try #expect(ledger.reconcile(requests, of: .stripe).drifts.isEmpty)
      #expect(
        ledger.append(contentsOf: requests).allSatisfy { (try? $0.get().isDuplicate) == true })
    }
  }

  @Test func `what the policy refuses is told, and the rest is compared`() throws {
    try withOwner { ledger, _ in
      let policy = Policy(environments: [.production])
      let revision = PolicyRevision(policy: policy, from: day(0))
      try ledger.add(Make.manual("manual:policy", at: day(0), .policyRevised(revision)))
      var requests = StoreReading.requests(active, month, on: 5)
      requests[1].event.environment = .sandbox
      for isDryRun in [true, false] {
        let report = try ledger.reconcile(requests, of: .stripe, isDryRun: isDryRun)
        #expect(report.refusals.count == 1 && report.drifts.count == 1)
        #expect(report.missing.isEmpty && report.documents == 2)
      }
    }
  }

  @Test func `sandbox and production are compared apart`() throws {
    try withOwner { ledger, _ in
      var requests = StoreReading.requests(month, on: 5)
      for index in requests.indices {
        requests[index].event.environment = .sandbox
        requests[index].event.id = EventID(stringLiteral: "stripe:sandbox_\(index)")
      }
      let report = try ledger.reconcile(requests, of: .stripe)
      #expect(report.drifts.count == 1 && report.missing.isEmpty)
      #expect(report.drifts.first?.memberships.first?.provider.environment == .sandbox)
      #expect(
        try ledger.reconcile(requests, of: .stripe, in: .production).missing.count == 1)
      #expect(try ledger.memberships(of: "user_1", in: .sandbox).count == 1)
      try expectSound(ledger)
    }
  }

  @Test func `many readings are compared page by page, also by two at once`() async throws {
    try await withScratchFolder { folder in
      let ledger = try Ledger.create(folder + "/ledger", LedgerConfiguration(clock: { day(5) }))
      try await ledger.append(Make.catalogEvent())
      let months = (1...700).flatMap { number in
        StoreReading.requests(
          StoreReading.paidMonth(number, from: 1, customer: "cus_\(number)"), on: 5)
      }
      async let first = ledger.reconcile(months, of: .stripe)
      async let second = ledger.reconcile(months, of: .stripe)
      let found = try await (first, second)
      #expect(found.0.drifts.count + found.1.drifts.count == 700)
      #expect(try ledger.lastPosition() == 701)
      let part = try await ledger.reconcile(Array(months.prefix(650)), of: .stripe)
      #expect(part.drifts.isEmpty && part.missing.count == 50)
    }
  }
}
