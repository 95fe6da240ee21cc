import Glibc

/// What to measure, and how much of it.
struct Options {
  /// Small sizes, for a check that everything runs and comes to the right results.
  var isSmoke = false
  var isJSON = false
  var wantsHelp = false
  var customers = 100_000
  var rounds = 9
  var seed: UInt64 = 1
  /// Only workloads whose name holds this.
  var filter = ""
  /// Where the ledgers are made; a folder of its own in it is removed at the end.
  var folder = "/tmp"

  static let help = """
    usage: LedgerBenchmarks [--smoke] [--json] [--filter NAME] [--customers N] [--rounds N]
                            [--seed N] [--folder DIR]

      --smoke        small sizes, done in seconds; fails where results are wrong
      --json         one JSON document instead of tables
      --filter NAME  only the workloads whose name holds NAME
      --customers N  customers in the ledger (100000)
      --rounds N     rounds that count, after one that warms up (9)
      --seed N       seed of all random choices (1)
      --folder DIR   where to make the ledgers (/tmp); its file system is what appends measure
    """

  struct Fault: Error {
    let message: String
  }

  init(_ arguments: [String]) throws(Fault) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--smoke": (isSmoke, customers, rounds) = (true, 300, 2)
      case "--json": isJSON = true
      case "--help": wantsHelp = true
      case "--filter": filter = try Self.value(of: argument, &rest)
      case "--folder": folder = try Self.value(of: argument, &rest)
      case "--customers": customers = try Self.number(of: argument, &rest)
      case "--rounds": rounds = try Self.number(of: argument, &rest)
      case "--seed": seed = UInt64(try Self.number(of: argument, &rest))
      default: throw Fault(message: "unknown option \(argument)\n\n\(Self.help)")
      }
    }
  }

  func selects(_ name: String) -> Bool { filter.isEmpty || name.contains(filter) }

  private static func value(
    of option: String, _ rest: inout ArraySlice<String>
  ) throws(Fault) -> String {
    guard let value = rest.popFirst() else { throw Fault(message: "\(option) needs a value") }
    return value
  }

  private static func number(
    of option: String, _ rest: inout ArraySlice<String>
  ) throws(Fault) -> Int {
    let text = try value(of: option, &rest)
    guard let number = Int(text), number > 0 else {
      throw Fault(message: "\(option) needs a whole number above 0, not \(text)")
    }
    return number
  }
}

/// The standard streams that text is printed to.
enum Stream {
  case standardError
}

func print(_ text: String, to stream: Stream) {
  let bytes = Array((text + "\n").utf8)
  // Safe because the buffer is valid for the call. A message that cannot be written is lost.
  _ = unsafe bytes.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
