import LedgerTestSupport
import MembershipLedger
import MembershipProviders
import Testing

/// Kept documents read again, and what was recorded of them corrected.
@Suite("Reinterpretation of kept documents") struct ReinterpretTests {
  private static let month = StoreReading.paidMonth(1, from: 1, customer: "cus_1", hint: "user_1")
  private static let active = StripeHook.subscription("active")

  /// Reads by the rules of this version.
  private static func read(_ kept: KeptDocument) throws -> [Event] {
    try StripeAdapter().read(
      ProviderDocument(kept: kept.body, of: kept.record, observedAt: kept.observedAt)
    ).get()
  }

  /// Records a document as a version read it that knew less.
  private func record(
    _ object: String, in ledger: Ledger, misreading: (inout Event) -> Void = { _ in }
  ) throws {
    for var request in StoreReading.requests(object, on: 2) {
      misreading(&request.event)
      try ledger.add(request.event, document: request.document)
    }
  }

  private func withCatalog(_ body: (Ledger) throws -> Void) throws {
    try withLedger(TestClock(day(2))) { ledger in
      try ledger.add(Make.catalogEvent())
      try body(ledger)
    }
  }

  private func isEntitled(_ ledger: Ledger) throws -> Bool {
    try ledger.decision(for: "user_1", on: "premium", at: day(10)).isEntitled
  }

  @Test func `what reads as it is recorded is left alone`() throws {
    try withCatalog { ledger in
      try record(Self.month, in: ledger)
      try record(Self.active, in: ledger)
      let end = try ledger.lastPosition()
      let result = try ledger.reinterpret(reading: Self.read)
      #expect(result.findings.isEmpty)
      #expect(result.unchanged == 2)
      // The catalog is a decision by hand.
      #expect(result.leftOut == 1)
      #expect(try ledger.lastPosition() == end)
    }
  }

  @Test func `what reads otherwise is corrected once, and what was known before stays`() throws {
    try withCatalog { ledger in
      try record(Self.month, in: ledger) { event in
        event.facts = [Fact(.noted(Note(type: "invoice.paid")))]
      }
      let before = try ledger.lastPosition()
      #expect(try !isEntitled(ledger))
      let dry = try ledger.reinterpret(isDryRun: true, reading: Self.read)
      #expect(try ledger.lastPosition() == before)
      #expect(dry.findings.map(\.verdict) == [.differs])
      #expect(dry.findings.first?.outcome == nil)
      let result = try ledger.reinterpret(reading: Self.read)
      let finding = try #require(result.findings.first)
      #expect(finding.verdict == .differs)
      #expect(finding.before?.facts.map(\.body.name) == ["noted"])
      #expect(finding.after == dry.findings.first?.after)
      let receipt = try #require(try finding.outcome?.get())
      #expect(try isEntitled(ledger))
      let known = try ledger.asKnown(at: .position(before))
      #expect(try !known.decision(for: "user_1", on: "premium", at: day(10)).isEntitled)
      let correction = try #require(try ledger.events().last)
      #expect(correction.position == receipt.position)
      #expect(correction.event.id.rawValue == finding.event.rawValue + "~1")
      #expect(correction.event.correction?.event == finding.event)
      #expect(correction.event.correction?.position == finding.position)
      let again = try ledger.reinterpret(reading: Self.read)
      #expect(again.findings.isEmpty)
      #expect(again.unchanged == 1)
      try expectSound(ledger)
    }
  }

  @Test func `a correction is corrected by the next reading, and names the original`() throws {
    try withCatalog { ledger in
      try record(Self.month, in: ledger)
      #expect(try isEntitled(ledger))
      let first = try ledger.reinterpret { kept in
        try Self.read(kept).map { event in
          var event = event
          event.facts = [Fact(.noted(Note(type: "misread")))]
          return event
        }
      }
      #expect(first.findings.map(\.verdict) == [.differs])
      #expect(try !isEntitled(ledger))
      let second = try ledger.reinterpret(reading: Self.read)
      #expect(second.findings.map(\.verdict) == [.differs])
      #expect(second.findings.first?.before?.facts.map(\.body.name) == ["noted"])
      #expect(try isEntitled(ledger))
      let ids = try ledger.events().compactMap(\.event.correction?.event)
      #expect(ids == [first.findings[0].event, first.findings[0].event])
      try expectSound(ledger)
    }
  }

  @Test func `what its document does not state any more counts for nothing`() throws {
    try withCatalog { ledger in
      try record(Self.month, in: ledger)
      let result = try ledger.reinterpret { _ in [] }
      #expect(result.findings.map(\.verdict) == [.withdrawn])
      #expect(try !isEntitled(ledger))
      #expect(try ledger.customer(ofAccount: "stripe:cus_1") == nil)
      let again = try ledger.reinterpret { _ in [] }
      #expect(again.unchanged == 1)
      #expect(again.findings.isEmpty)
      _ = try ledger.reinterpret(reading: Self.read)
      #expect(try isEntitled(ledger))
      try expectSound(ledger)
    }
  }

  @Test func `what its document states besides is appended as it is`() throws {
    try withCatalog { ledger in
      try record(Self.month, in: ledger)
      let other = Make.purchase("stripe:evt_other", of: "stripe:sub_9", account: "stripe:cus_9")
      let result = try ledger.reinterpret { try Self.read($0) + [other] }
      #expect(result.findings.map(\.verdict) == [.new])
      #expect(result.unchanged == 1)
      let appended = try #require(try ledger.event("stripe:evt_other"))
      #expect(appended.event.correction == nil)
      #expect(appended.event.provenance.origin == .reconcile)
      #expect(try ledger.document(of: appended) == Array(Self.month.utf8))
      #expect(try ledger.reinterpret { try Self.read($0) + [other] }.findings.isEmpty)
    }
  }

  @Test func `an id that depends on when a document was seen tells of no other event`() throws {
    try withCatalog { ledger in
      try record(Self.month, in: ledger)
      let result = try ledger.reinterpret { kept in
        let time = kept.observedAt.map { "\($0.milliseconds)" } ?? "untold"
        let other = EventID(stringLiteral: "stripe:other-\(time)")
        return try Self.read(kept) + [Make.purchase(other, of: "stripe:sub_9")]
      }
      #expect(result.findings.isEmpty)
    }
  }

  @Test func `an event that goes by another id today is reported and stays`() throws {
    try withCatalog { ledger in
      try record(Self.month, in: ledger)
      let end = try ledger.lastPosition()
      let result = try ledger.reinterpret { kept in
        try Self.read(kept).map { event in
          var event = event
          event.id = "stripe:another"
          return event
        }
      }
      guard case .unreadable = result.findings.first?.verdict else {
        Issue.record("\(result.findings.map(\.verdict))")
        return
      }
      #expect(try ledger.lastPosition() == end)
      #expect(try isEntitled(ledger))
    }
  }

  @Test func `a document that cannot be read today is reported and changes nothing`() throws {
    try withCatalog { ledger in
      try record(Self.month, in: ledger)
      let end = try ledger.lastPosition()
      let refusal = Refusal(.wrongShape, message: "it is no invoice", remedy: "none")
      let result = try ledger.reinterpret { _ in throw refusal }
      #expect(result.findings.map(\.verdict) == [.unreadable("\(refusal)")])
      #expect(try ledger.lastPosition() == end)
      let sandbox = try ledger.reinterpret { kept in
        try Self.read(kept).map { event in
          var event = event
          event.environment = .sandbox
          return event
        }
      }
      #expect(
        sandbox.findings.map(\.verdict)
          == [.unreadable("its document is of sandbox by today's reading")])
    }
  }

  @Test func `only the provider's documents are read that is asked for`() throws {
    try withCatalog { ledger in
      try record(Self.month, in: ledger)
      let result = try ledger.reinterpret(provider: .whop) { _ in [] }
      #expect(result.findings.isEmpty)
      #expect(result.unchanged + result.leftOut + result.missing == 0)
      #expect(try result.last == ledger.lastPosition())
    }
  }

  @Test func `what was removed or never kept is counted`() throws {
    try withCatalog { ledger in
      try ledger.add(Make.purchase("stripe:evt_1"))
      var lost = Make.purchase("stripe:evt_2", of: "stripe:sub_2", invoice: "stripe:in_2")
      lost.provenance.document = Array(repeating: 7, count: 32)
      try ledger.add(lost)
      let result = try ledger.reinterpret(reading: Self.read)
      #expect(result.missing == 1)
      #expect(result.leftOut == 2)
      #expect(result.findings.isEmpty)
    }
  }

  @Test func `stretches of any length come to the same`() throws {
    for limit in [1, 2, 3, 100] {
      try withCatalog { ledger in
        for number in 1...5 {
          let month = StoreReading.paidMonth(number, from: 1, customer: "cus_\(number)")
          try record(month, in: ledger) { $0.facts = [Fact(.noted(Note(type: "misread")))] }
        }
        let end = try ledger.lastPosition()
        var last = Position.start
        var found = 0
        while last < end {
          let stretch = try ledger.reinterpret(after: last, limit: limit, reading: Self.read)
          found += stretch.findings.count
          last = stretch.last
        }
        #expect(found == 5)
        #expect(try ledger.reinterpret(after: end, reading: Self.read).findings.isEmpty)
        #expect(try ledger.memberships(at: day(10)).filter(\.isActive).count == 5)
        try expectSound(ledger)
      }
    }
  }
}

/// What a correction has to fulfil to be recorded, however it comes.
@Suite("Admission of corrections") struct CorrectionAdmissionTests {
  private func correction(
    of id: EventID, at position: Position, provider: Provider = .stripe,
    in environment: Environment = .production
  ) -> Event {
    Make.event(
      "stripe:evt_9~1", at: day(1), in: environment, provider: provider,
      Fact(.corrected(Correction(event: id, position: position))))
  }

  @Test func `it names an event of the log, where it stands`() throws {
    try withLedger { ledger in
      try ledger.add(Make.purchase("stripe:evt_1"))
      let unknown = correction(of: "stripe:evt_2", at: 1)
      #expect(code { try ledger.add(unknown) } == .unknownReference)
      let misplaced = correction(of: "stripe:evt_1", at: 2)
      #expect(code { try ledger.add(misplaced) } == .unknownReference)
      #expect(try ledger.lastPosition() == 1)
      try ledger.add(correction(of: "stripe:evt_1", at: 1))
      try expectSound(ledger)
    }
  }

  @Test func `it is of the same provider and environment`() throws {
    try withLedger { ledger in
      try ledger.add(Make.purchase("stripe:evt_1"))
      let foreign = correction(of: "stripe:evt_1", at: 1, provider: .whop)
      #expect(code { try ledger.add(foreign) } == .invalidEvent)
      let sandbox = correction(of: "stripe:evt_1", at: 1, in: .sandbox)
      #expect(code { try ledger.add(sandbox) } == .invalidEvent)
    }
  }

  @Test func `a decision by hand and a correction are not corrected`() throws {
    try withLedger { ledger in
      try ledger.add(Make.catalogEvent())
      let byHand = correction(of: "manual:catalog-1", at: 1)
      #expect(code { try ledger.add(byHand) } == .invalidEvent)
      try ledger.add(Make.purchase("stripe:evt_1"))
      try ledger.add(correction(of: "stripe:evt_1", at: 2))
      var second = correction(of: "stripe:evt_9~1", at: 3)
      second.id = "stripe:evt_10"
      #expect(code { try ledger.add(second) } == .invalidEvent)
    }
  }

  @Test func `it corrects one event`() throws {
    try withLedger { ledger in
      try ledger.add(Make.purchase("stripe:evt_1"))
      try ledger.add(
        Make.purchase("stripe:evt_2", of: "stripe:sub_2", invoice: "stripe:in_2"))
      var both = correction(of: "stripe:evt_1", at: 1)
      both.facts.append(Fact(.corrected(Correction(event: "stripe:evt_2", position: 2))))
      #expect(code { try ledger.add(both) } == .invalidEvent)
    }
  }

  @Test func `an id that has no room for its number is hashed`() throws {
    try withLedger { ledger in
      let long = String(repeating: "x", count: EventID.maximumLength - "stripe:".utf8.count)
      try ledger.add(Make.purchase(EventID(stringLiteral: "stripe:\(long)")))
      let original = try #require(try ledger.events().first)
      let correction = original.correction(number: 1, stating: nil)
      #expect(correction.id.rawValue.utf8.count <= EventID.maximumLength)
      #expect(correction.id.rawValue.hasSuffix("~1"))
      #expect(correction.id != original.correction(number: 2, stating: nil).id)
      try ledger.add(correction)
      try expectSound(ledger)
    }
  }
}
