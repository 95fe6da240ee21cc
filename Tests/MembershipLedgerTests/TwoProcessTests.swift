import Dispatch
import Glibc
import LedgerStorage
import LedgerTestSupport
import MembershipLedger
import Testing

/// One process appends, another checks; an exit test's body is the first.
@Suite struct TwoProcessTests {
  @Test func `a reader sees each commit of another process at its very next check`() async throws {
    try await withScratchFolder { folder in
      let ledger = try Ledger.create(folder + "/ledger", TwoProcessScript.configuration)
      let channel = try Channel(folder, isWriter: false)
      let reading = Background { try TwoProcessScript.read(ledger, channel) }
      await #expect(processExitsWith: .success) { [folder = folder as String] in
        try TwoProcessScript.write(folder)
      }
      try await reading.finish()
    }
  }
}

enum TwoProcessScript {
  static let rounds: UInt64 = 120
  static let configuration = LedgerConfiguration(clock: { day(2) })

  private static func name(_ round: UInt64) -> String { "stripe:cus_\(round)" }

  /// Appends one purchase a round, rebuilds now and then, and waits for the reader each time.
  static func write(_ folder: String) throws {
    let channel = try Channel(folder, isWriter: true)
    let ledger = try Ledger.open(folder + "/ledger", configuration)
    try ledger.add(Make.catalogEvent())
    for round in 1...rounds {
      let receipt = try ledger.add(
        Make.purchase(
          EventID(stringLiteral: "stripe:evt_\(round)"),
          of: MembershipID(stringLiteral: "stripe:sub_\(round)"),
          account: AccountID(stringLiteral: name(round)),
          invoice: ReferenceID(stringLiteral: "stripe:in_\(round)")))
      // Once, twice and three times: the generation that the reader knows is another, or again
      // the same one made anew.
      if round % 10 == 0 {
        for _ in 0..<(round / 10 % 3 + 1) { try ledger.rebuild() }
      }
      try channel.send(receipt.position.rawValue)
      guard try channel.receive() == round else { throw Broken() }
    }
  }

  static func read(_ ledger: Ledger, _ channel: Channel) throws {
    var premium: Entitlement?
    for round in 1...rounds {
      let position = Position(try channel.receive())
      let entitlement = try premium ?? ledger.entitlement("premium")
      premium = entitlement
      let (now, next) = (name(round), name(round + 1))
      #expect(try ledger.isEntitled(now, to: entitlement, at: day(2)), "round \(round)")
      #expect(try !ledger.isEntitled(next, to: entitlement, at: day(2)), "round \(round)")
      // A rebuild takes the index away.
      if round % 10 > 3 {
        ledger.fillIndex()
        #expect(ledger.isGivenByIndex(now, entitlement, at: day(2)) == true, "round \(round)")
      }
      #expect(try ledger.lastPosition() == position, "round \(round)")
      let decision = try ledger.decision(
        for: CustomerID(stringLiteral: now), on: "premium", at: day(2), explained: true)
      #expect(decision.isEntitled && decision.position == position, "round \(round)")
      if round % 30 == 0 { try expectSound(ledger) }
      // A write closes the handles of tables that the other process dropped.
      if round % 7 == 0 {
        try ledger.add(AppendTests.note(Int(10_000 + round)))
        #expect(try ledger.isEntitled(now, to: entitlement, at: day(2)), "round \(round)")
      }
      if round % 25 == 0 { try ledger.rebuild() }
      try channel.send(round)
    }
  }
}

private struct Broken: Error {}

/// Numbers between two processes, through two pipes with names.
struct Channel: Sendable {
  private let incoming: Int32
  private let outgoing: Int32

  init(_ folder: String, isWriter: Bool) throws {
    let paths = [folder + "/there", folder + "/back"]
    for path in paths where !isWriter {
      guard unsafe mkfifo(path, 0o600) == 0 else { throw Broken() }
    }
    // Open for both, so that opening waits for nobody.
    let descriptors = paths.map { unsafe open($0, O_RDWR) }
    guard descriptors.allSatisfy({ $0 >= 0 }) else { throw Broken() }
    (incoming, outgoing) =
      isWriter ? (descriptors[1], descriptors[0]) : (descriptors[0], descriptors[1])
  }

  func send(_ number: UInt64) throws {
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    guard unsafe write(outgoing, bytes, 8) == 8 else { throw Broken() }
  }

  /// Waits for the other process, though not for one that is gone.
  func receive() throws -> UInt64 {
    var waiting = pollfd(fd: incoming, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&waiting, 1, 600_000) == 1 else { throw Broken() }
    var bytes = [UInt8](repeating: 0, count: 8)
    guard unsafe read(incoming, &bytes, 8) == 8 else { throw Broken() }
    return bytes.enumerated().reduce(0) { $0 | UInt64($1.element) << (8 * $1.offset) }
  }
}

/// Work on a thread of its own, which begins at once: what blocks must wait for no task, nor keep
/// the threads of tasks busy.
final class Background: Sendable {
  private let outcome = Lock<Result<Void, any Error>?>(nil)
  private let running = DispatchGroup()
  private let queue = DispatchQueue(label: "membership-ledger.test")

  init(_ body: @escaping @Sendable () throws -> Void) {
    queue.async(group: running) { [self] in
      let result = Result { try body() }
      outcome.withLock { $0 = result }
    }
  }

  /// Waits for the end of the work and throws what it threw.
  func finish() async throws {
    await withCheckedContinuation { continuation in
      running.notify(queue: queue) { continuation.resume() }
    }
    try outcome.withLock { $0 }?.get()
  }

  static func run(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await Background(body).finish()
  }
}
