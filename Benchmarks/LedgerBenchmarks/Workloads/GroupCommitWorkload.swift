import LedgerStorage
import MembershipLedger
import MembershipModel

/// Single durable appends from many tasks at once, which share commits.
struct GroupCommitWorkload: Workload {
  static let name = "group-commit"
  static let summary = "single durable appends from 1, 16 and 256 tasks"

  private let options: Options
  private let built: BuiltLedger

  init(_ options: Options, _ scratch: Scratch) throws {
    self.options = options
    built = try BuiltLedger(options, scratch)
  }

  func measure() async throws -> [Section] {
    let ledger = try built.open()
    let storage = try ledger.storage()
    var number = 0
    var rows: [Row] = []
    for tasks in [1, 16, 256] {
      let perTask = options.isSmoke ? 2 : max(4096 / tasks, 16) / (tasks == 1 ? 4 : 1)
      var samples = Samples()
      var (events, commits) = (0, UInt64(0))
      for round in 0...max(options.rounds / 3, 1) {
        let batch = (0..<tasks * perTask).map { built.population.renewal(number + $0) }
        number += batch.count
        let (position, commit) = (try ledger.lastPosition(), storage.lastTransactionID)
        let start = ContinuousClock.now
        try await append(batch, tasks, ledger)
        let time = start.duration(to: .now).nanoseconds
        guard try ledger.lastPosition().rawValue == position.rawValue + UInt64(batch.count) else {
          throw WrongResult("\(batch.count) events from \(tasks) tasks are not all in the log")
        }
        if round == 0 { continue }
        samples.append(nanoseconds: time, items: batch.count)
        events += batch.count
        commits += storage.lastTransactionID - commit
      }
      let share = Double(events) / Double(max(commits, 1))
      rows.append(
        Row(
          name: "await append, \(tasks) tasks", samples: samples,
          details: [("eventsPerCommit", decimal(share))]))
    }
    return [
      Section(
        title: "append, one event a call, from many tasks",
        conditions: "random customers of \(options.customers), \(Clock.wall.rawValue), "
          + "durable: fdatasync and synchronous meta page at each commit",
        item: "event", rows: rows)
    ]
  }

  private func append(_ events: [Event], _ tasks: Int, _ ledger: Ledger) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<tasks {
        group.addTask {
          for index in stride(from: task, to: events.count, by: tasks) {
            try await ledger.append(events[index])
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
