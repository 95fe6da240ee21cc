import CBaseline

/// One way of doing the work of a section.
struct Contender {
  let name: String
  /// Does the work once and returns what it came to, so that it can be compared and not left out.
  let body: () throws -> Int
}

/// How long one item of the work took, in nanoseconds, for each time it was measured.
struct Samples {
  private(set) var values: [Double] = []

  mutating func append(nanoseconds: Int64, items: Int) {
    values.append(Double(nanoseconds) / Double(max(items, 1)))
  }

  var minimum: Double { percentile(0) }
  var median: Double { percentile(50) }

  func percentile(_ percent: Double) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return .nan }
    return sorted[Int((percent / 100 * Double(sorted.count - 1)).rounded())]
  }
}

/// What time is told by.
enum Clock: String {
  /// The time of this thread on the processor, from which other load of the machine drops out.
  case processor = "processor time"
  /// Time on the wall, as work that waits for a disk needs.
  case wall = "wall time"

  /// Runs `body`; how long it took, in nanoseconds.
  func time<Result>(_ body: () throws -> Result) rethrows -> (Result, Int64) {
    switch self {
    case .processor:
      let start = baseline_thread_time()
      let result = try body()
      return (result, baseline_thread_time() - start)
    case .wall:
      let start = ContinuousClock.now
      let result = try body()
      return (result, start.duration(to: .now).nanoseconds)
    }
  }
}

extension Duration {
  var nanoseconds: Int64 {
    components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }
}

/// Runs contenders in turn, round by round, so that what disturbs the machine disturbs all of them.
///
/// A first round warms up and is not counted. The result of each run must be the expected one.
func interleave(
  _ contenders: [Contender], rounds: Int, items: Int, expecting expected: Int,
  by clock: Clock = .processor
) throws -> [Row] {
  var samples = [Samples](repeating: Samples(), count: contenders.count)
  for round in 0...rounds {
    for (index, contender) in contenders.enumerated() {
      let (result, time) = try clock.time(contender.body)
      guard result == expected else {
        throw WrongResult("\(contender.name): came to \(result) instead of \(expected)")
      }
      if round > 0 { samples[index].append(nanoseconds: time, items: items) }
    }
  }
  return zip(contenders, samples).map { Row(name: $0.name, samples: $1) }
}
