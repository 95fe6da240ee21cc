import MembershipLedger
import MembershipModel

/// Durable appends of paid invoices of random customers, with all indexes and projections, beside
/// the same rows put by hand in C into a copy of the file, and the bare log.
///
/// C is given the rows ready made, in the order of their keys: it judges, folds and hashes nothing.
struct AppendWorkload: Workload {
  static let name = "append"
  static let summary = "durable appends beside the same rows put by hand in C"

  private let options: Options
  private let scratch: Scratch
  private let built: BuiltLedger

  init(_ options: Options, _ scratch: Scratch) throws {
    self.options = options
    self.scratch = scratch
    built = try BuiltLedger(options, scratch)
  }

  func measure() throws -> [Section] {
    let copy = try scratch.copy(built.path, as: "by-hand")
    let run = try AppendRun(
      ledger: try built.open(), population: built.population,
      byHand: BaselineWriter(folder: copy + "/log", tables: LedgerRows.tables),
      logOnly: BaselineWriter(folder: scratch.makeFolder("log-only"), tables: ["log"]))
    var sections: [Section] = []
    for (size, commits) in [(1, 60), (10, 30), (100, 12), (1000, 5)] {
      let count = options.isSmoke ? 2 : commits * max(options.rounds, 1) / 2
      sections.append(try run.measure(groupsOf: size, commits: count, options))
    }
    run.close()
    for table in LedgerRows.tables {
      let ours = try BaselineReader(ledger: built.path, table: table)
      guard ours.holdsSame(as: try BaselineReader(ledger: copy, table: table)) else {
        throw WrongResult("C has not written what the ledger has: the table \(table) differs")
      }
    }
    return sections
  }
}

/// Appends group after group, each by all three ways in turn.
private final class AppendRun {
  private let ledger: Ledger
  private let rows: LedgerRows
  private let population: Population
  private var byHand: BaselineWriter?
  private var logOnly: BaselineWriter?
  private var last: Position
  private var number = 0

  init(
    ledger: Ledger, population: Population, byHand: BaselineWriter, logOnly: BaselineWriter
  ) throws {
    self.ledger = ledger
    self.population = population
    self.byHand = byHand
    self.logOnly = logOnly
    rows = try LedgerRows(ledger)
    last = try ledger.lastPosition()
  }

  /// Closes the files that C writes to.
  func close() {
    byHand = nil
    logOnly = nil
  }

  func measure(groupsOf size: Int, commits: Int, _ options: Options) throws -> Section {
    var samples = [Samples](repeating: Samples(), count: 3)
    var processor = Samples()
    // The first group warms up.
    for commit in 0...commits {
      let times = try appendGroup(of: size)
      if commit == 0 { continue }
      for (index, time) in times.wall.enumerated() {
        samples[index].append(nanoseconds: time, items: size)
      }
      processor.append(nanoseconds: times.processor, items: size)
    }
    let share = samples[2].median / samples[1].median
    let own = Row(
      name: "Ledger.append(contentsOf:)", samples: samples[2],
      details: [
        ("timesLogOnly", decimal(share, 2)),
        ("processorTime", decimal(processor.median)),
      ])
    return Section(
      title: "append, \(size) per transaction",
      conditions:
        "\(commits) commits, random customers of \(population.count), \(Clock.wall.rawValue), "
        + "durable: fdatasync and synchronous meta page at each commit",
      item: "event",
      rows: [
        Row(name: "C: the same rows put by hand", samples: samples[0]),
        Row(name: "C: the bare log", samples: samples[1]), own,
      ])
  }

  private func appendGroup(of size: Int) throws -> (wall: [Int64], processor: Int64) {
    let events = (0..<size).map { population.renewal(number + $0) }
    let requests = events.map { AppendRequest($0) }
    number += size
    var own: (wall: Int64, processor: Int64) = (0, 0)
    let changed = try rows.recording(events, after: last) {
      let (result, wall) = Clock.wall.time {
        Clock.processor.time { ledger.append(contentsOf: requests) }
      }
      for outcome in result.0 { _ = try outcome.get() }
      own = (wall, result.1)
    }
    let records = try rows.records(after: last, count: size)
    last = Position(last.rawValue + UInt64(size))
    guard try ledger.lastPosition() == last else {
      throw WrongResult("\(size) events appended did not advance the log to \(last)")
    }
    let (_, hand) = try Clock.wall.time { try byHand?.put(changed) }
    let (_, log) = try Clock.wall.time { try logOnly?.put(records) }
    return ([hand, log, own.wall], own.processor)
  }
}
