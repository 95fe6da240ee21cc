import LedgerStorage
import LedgerTestSupport
import MembershipLedger
import Testing

/// Whoever follows the feed sees each change once and in order, from whichever process.
@Suite struct FollowTests {
  @Test func `a cursor beyond the feed is refused: it is another ledger's`() async throws {
    try await withScratchFolder { folder in
      let ledger = try Ledger.create(folder + "/ledger")
      #expect(try ledger.entitlementChanges(after: 0, limit: 9).isEmpty)
      #expect(code { try ledger.entitlementChanges(after: 1, limit: 9) } == .unknownReference)
      try ledger.add(Make.grant("g", of: "premium", to: "ann"))
      for customer in ["ann", "bob", nil] as [CustomerID?] {
        #expect(try ledger.entitlementChanges(after: 1, limit: 9, of: customer).isEmpty)
        let text = message { try ledger.entitlementChanges(after: 7, limit: 9, of: customer) }
        #expect(text?.contains("ends with change 1;") == true)
      }
      var iterator = ledger.entitlementChanges(after: 7).makeAsyncIterator()
      await #expect(throws: LedgerError(.unknownReference, "")) { _ = try await iterator.next() }
    }
  }

  @Test func `what is there comes at once, and what is appended later after it`() async throws {
    try await withScratchFolder { folder in
      let clock = TestClock(day(1))
      let ledger = try Ledger.create(
        folder + "/ledger", LedgerConfiguration(clock: { clock.instant }))
      try SettleTests.prepare(ledger, customers: 250) { day(Int64($0 + 2)) }
      let following = Task {
        var seen: [UInt64] = []
        for try await change in ledger.entitlementChanges() {
          seen.append(change.sequence)
          if seen.count == 500 { break }
        }
        return seen
      }
      clock.instant = day(999)
      _ = try ledger.settle(upTo: nil, stepSize: 20)
      #expect(try await following.value == Array(1...500))
    }
  }

  @Test func `it goes on after the cursor, and tells of one name where one is asked for`()
    async throws
  {
    try await withScratchFolder { folder in
      let ledger = try Ledger.create(folder + "/ledger", LedgerConfiguration(clock: { day(1) }))
      try SettleTests.prepare(ledger, customers: 5) { _ in day(9) }
      for customer in [nil, "user_4"] as [CustomerID?] {
        for environment in [nil, .production] as [Environment?] {
          var iterator = ledger.entitlementChanges(after: 3, of: customer, in: environment)
            .makeAsyncIterator()
          let expected: [UInt64] = customer == nil ? [4, 5] : [5]
          for sequence in expected {
            #expect(try await iterator.next()?.sequence == sequence)
          }
        }
      }
    }
  }

  @Test func `it ends when its task is cancelled`() async throws {
    try await withScratchFolder { folder in
      let ledger = try Ledger.create(folder + "/ledger", LedgerConfiguration(clock: { day(1) }))
      try SettleTests.prepare(ledger, customers: 1) { _ in day(9) }
      let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
      let following = Task {
        var count = 0
        for try await _ in ledger.entitlementChanges() {
          count += 1
          beginning.yield()
        }
        return count
      }
      for await _ in begun { break }
      following.cancel()
      #expect(try await following.value == 1)
    }
  }

  @Test func `a follower sees another process's changes once and in order, through rebuilds`()
    async throws
  {
    try await withScratchFolder { folder in
      let ledger = try Ledger.create(folder + "/ledger", LedgerConfiguration(clock: { day(1) }))
      let following = Task { try await FollowScript.follow(ledger) }
      await #expect(processExitsWith: .success) { [folder = folder as String] in
        try FollowScript.write(folder)
      }
      let seen = try await following.value
      #expect(seen == (try ledger.allChanges()))
      #expect(seen.count == FollowScript.customers * 2)
      try expectSound(ledger)
    }
  }
}

enum FollowScript {
  static let customers = 60

  /// Follows in pieces: each begins after the cursor that the one before has stored.
  static func follow(_ ledger: Ledger) async throws -> [EntitlementChange] {
    var seen: [EntitlementChange] = []
    while seen.count < customers * 2 {
      for try await change in ledger.entitlementChanges(after: seen.last?.sequence ?? 0) {
        seen.append(change)
        if seen.count % 7 == 0 || seen.count == customers * 2 { break }
      }
    }
    return seen
  }

  static func write(_ folder: String) throws {
    let clock = TestClock(day(1))
    let ledger = try Ledger.open(
      folder + "/ledger", LedgerConfiguration(clock: { clock.instant }))
    for number in 0..<customers {
      try ledger.add(
        Make.grant(
          GrantID(stringLiteral: "g\(number)"), of: "premium",
          to: CustomerID(stringLiteral: "user_\(number)"), from: day(0),
          until: day(Int64(number + 5))))
      clock.instant = day(Int64(number))
      if number % 3 == 0 { try ledger.settleNow() }
      if number % 20 == 7 { try ledger.rebuild() }
    }
    clock.instant = day(99)
    try ledger.settleNow()
  }
}
