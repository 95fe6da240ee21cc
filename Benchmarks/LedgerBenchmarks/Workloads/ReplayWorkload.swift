import MembershipLedger
import MembershipModel

/// Reading the whole log: replay and verification beside a cursor in C, and opening a ledger.
struct ReplayWorkload: Workload {
  static let name = "replay"
  static let summary = "replay, verify, rebuild and open beside a raw scan in C"

  private let options: Options
  private let built: BuiltLedger

  init(_ options: Options, _ scratch: Scratch) throws {
    self.options = options
    built = try BuiltLedger(options, scratch)
  }

  func measure() throws -> [Section] {
    let rounds = max(options.rounds / 4, 1)
    let ledger = try built.open()
    let events = Int(try ledger.lastPosition().rawValue)
    let premium = try ledger.entitlement(Population.entitlements[0])
    let answer = try ledger.isEntitled(
      built.population.customer(0), to: premium, at: Population.now)
    let reader = try BaselineReader(ledger: built.path, table: "log")
    let contenders = [
      Contender(name: "C: cursor over the log", body: reader.scan),
      Contender(name: "replay, compared with what is stored") { try sound(ledger.replay()) },
      Contender(name: "verify, replay included") { try sound(ledger.verify()) },
    ]
    let rows = try interleave(contenders, rounds: rounds, items: events, expecting: events)
    return [
      Section(
        title: "replay and verify", conditions: "\(events) events, \(Clock.processor.rawValue)",
        item: "event", rows: rows),
      try opening(expecting: answer, ledger),
    ]
  }

  private func sound(_ report: LedgerReport) throws -> Int {
    guard report.isSound else { throw WrongResult("\(report.differences)") }
    return Int(report.events)
  }

  /// Opening to the first answer, while the environment is open already and while it is not.
  private func opening(expecting answer: Bool, _ ledger: consuming Ledger) throws -> Section {
    func open() throws -> Int {
      let opened = try built.open()
      let premium = try opened.entitlement(Population.entitlements[0])
      let given = try opened.isEntitled(
        built.population.customer(0), to: premium, at: Population.now)
      return given == answer ? 1 : 0
    }
    let contender = Contender(name: "open again, to the first answer", body: open)
    let shared = try interleave(
      [contender], rounds: options.rounds, items: 1, expecting: 1, by: .wall)
    _ = consume ledger
    let first = Contender(name: "open, to the first answer", body: open)
    let alone = try interleave([first], rounds: options.rounds, items: 1, expecting: 1, by: .wall)
    return Section(
      title: "open",
      conditions: "\(options.customers) customers, \(Clock.wall.rawValue), file in memory",
      item: "opening", rows: alone + shared)
  }
}
