import LedgerStorage
import LedgerTestSupport
import MembershipLedger
import Testing

@Suite struct ConcurrencyTests {
  private static func event(_ worker: Int, _ number: Int) -> Event {
    Make.purchase(
      EventID(stringLiteral: "stripe:evt_\(worker)_\(number)"),
      of: MembershipID(stringLiteral: "stripe:sub_\(worker)_\(number)"),
      account: AccountID(stringLiteral: "stripe:cus_\(worker)_\(number)"),
      invoice: ReferenceID(stringLiteral: "stripe:in_\(worker)_\(number)"))
  }

  @Test func `threads and tasks append and check together, and each reads its own write`()
    async throws
  {
    try await withScratchFolder { folder in
      let ledger = try Ledger.create(folder + "/ledger")
      try await ledger.append(Make.catalogEvent())
      let premium = try ledger.entitlement("premium")
      let positions = try await withThrowingTaskGroup(of: [Position].self) { group in
        for worker in 0..<4 {
          group.addTask { try await Self.appendInTasks(ledger, premium, worker) }
        }
        for worker in 4..<8 {
          group.addTask {
            let found = Collected()
            try await Background.run { try Self.appendInThread(ledger, premium, worker, found) }
            return found.positions.withLock { $0 }
          }
        }
        group.addTask {
          try await Background.run {
            for _ in 0..<4 { try ledger.rebuild() }
            try expectSound(ledger)
          }
          return []
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      #expect(positions.map(\.rawValue).sorted() == (2...UInt64(positions.count + 1)).map { $0 })
      #expect(try ledger.lastPosition().rawValue == UInt64(positions.count + 1))
      try await Background.run { try expectSound(ledger) }
    }
  }

  private static func appendInTasks(
    _ ledger: Ledger, _ premium: Entitlement, _ worker: Int
  ) async throws -> [Position] {
    var positions: [Position] = []
    for number in 0..<20 {
      let event = event(worker, number)
      positions.append(try await ledger.append(event).position)
      let account = try #require(event.account).rawValue
      #expect(try ledger.isEntitled(account, to: premium, at: day(2)))
    }
    let requests = (20..<40).map { AppendRequest(event(worker, $0)) }
    for outcome in await ledger.append(contentsOf: requests) {
      positions.append(try outcome.get().position)
    }
    return positions
  }

  private static func appendInThread(
    _ ledger: Ledger, _ premium: Entitlement, _ worker: Int, _ found: Collected
  ) throws {
    for number in 0..<20 {
      let event = event(worker, number)
      let receipt = try ledger.append(event)
      found.positions.withLock { $0.append(receipt.position) }
      let account = try #require(event.account)
      #expect(try ledger.isEntitled(account.rawValue, to: premium, at: day(2)))
      #expect(
        try ledger.decision(
          for: CustomerID(stringLiteral: account.rawValue), on: "premium",
          at: day(2), explained: number % 5 == 0
        ).isEntitled)
    }
  }

  @Test func `of many who expect the same position exactly one wins`() async throws {
    try await withScratchFolder { folder in
      let ledger = try Ledger.create(folder + "/ledger")
      var last = Position.start
      for round in 0..<10 {
        let expected = last
        let won = await withTaskGroup(of: Position?.self) { group in
          for worker in 0..<8 {
            group.addTask {
              let event = Make.purchase(
                EventID(stringLiteral: "stripe:evt_\(round)_\(worker)"))
              let condition = AppendCondition.last(
                of: "stripe:sub_1" as MembershipID, is: expected)
              return try? await ledger.append(event, if: condition).position
            }
          }
          return await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
        }
        #expect(won.count == 1)
        last = won.first ?? last
      }
      #expect(last.rawValue == 10)
    }
  }

  @Test func `of many who deliver the same event one is first and all get its receipt`()
    async throws
  {
    try await withScratchFolder { folder in
      let ledger = try Ledger.create(folder + "/ledger")
      for round in 0..<10 {
        let receipts = try await withThrowingTaskGroup(of: Receipt.self) { group in
          for worker in 0..<8 {
            group.addTask {
              var event = Self.event(99, round)
              event.provenance.correlation = "delivery \(worker)"
              return try await ledger.append(event, document: [UInt8(worker)])
            }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(receipts.filter { !$0.isDuplicate }.count == 1)
        #expect(Set(receipts.map(\.position.rawValue)) == [UInt64(round + 1)])
        #expect(Set(receipts.map(\.recordedAt)).count == 1)
      }
      try await Background.run { try expectSound(ledger) }
    }
  }
}

/// Positions that a thread collects.
private final class Collected: Sendable {
  let positions = Lock<[Position]>([])
}
