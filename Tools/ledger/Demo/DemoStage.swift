internal import FoundationEssentials
internal import MembershipModel

/// Where the tour happens: two ledgers, files that exist only here, and a clock that the tour sets.
struct DemoStage {
  /// One command line that was carried out.
  struct Act {
    let at: Timestamp
    let command: String
    var status: ExitCode
    let lines: [String]
  }

  private let ledger: String
  private let scratch: String
  private let style: TextStyle
  private(set) var now = DemoTime.at("01-01 09:00")

  init(ledger: String, scratch: String, style: TextStyle) {
    self.ledger = ledger
    self.scratch = scratch
    self.style = style
  }

  mutating func setClock(_ time: String) {
    now = DemoTime.at(time)
  }

  /// Carries out a command line as the program would, one second after the one before.
  mutating func run(_ line: String) -> Act {
    let captured = CapturedLines()
    let output = OutputBuffer(isTerminal: false, sink: captured.append)
    var status: ExitCode
    do {
      status = try perform(line.split(separator: " ").map(String.init), output)
      try output.flush()
    } catch {
      let failure = FailureReport(error)
      captured.append(Array(failure.lines.joined(separator: "\n").utf8))
      status = failure.code
    }
    defer { now = now.adding(milliseconds: 1000) }
    // Paths are told as a user in the tour's folder would see them.
    let lines = captured.lines.map { $0.replacing("\(scratch)/", with: "") }
    return Act(at: now, command: "ledger \(line)", status: status, lines: lines)
  }

  private func perform(_ words: [String], _ output: OutputBuffer) throws -> ExitCode {
    let invocation = try Parser.parse(words, root: CommandTable.root)
    guard let makeCommand = invocation.path.last?.makeCommand else { return .usage }
    let other = invocation.global.ledger.map { "\(scratch)/\($0)" }
    let instant = now
    let context = CommandContext(
      ledgerPath: other ?? ledger, printsJSON: invocation.global.printsJSON, isQuiet: true,
      style: style, output: output, messages: output,
      surroundings: Surroundings(
        clock: { instant }, user: "demo", makeID: Self.makeID,
        requireFile: { _ = try Self.read($0, at: instant) },
        readFile: { try Self.read($0, at: instant) }, nextInput: { [] },
        hasInput: { _ in true }),
      present: Present(instant))
    return try makeCommand(invocation.values).run(in: context)
  }

  /// An id that follows from the instant, so that the tour is the same each time.
  private static let makeID: @Sendable (Timestamp) -> EventID = { instant in
    var generator = DemoGenerator(state: UInt64(bitPattern: instant.milliseconds))
    return EventID(unchecked: "manual:\(EventID.make(at: instant, using: &generator))")
  }

  private static func read(_ name: String, at instant: Timestamp) throws -> [UInt8] {
    guard let text = file(named: name, at: instant) else {
      throw CommandFailure(.noInput, "\(name): there is no such file")
    }
    return Array(text.utf8)
  }

  private static func file(named name: String, at instant: Timestamp) -> String? {
    switch name {
    case "catalog.json": return DemoFiles.catalog
    case "policy.json": return DemoFiles.policy
    case "terms.jsonl": return DemoFiles.terms
    case "play-pushed.json": return DemoPlay.pushed
    case "play-bought.json": return DemoPlay.bought
    case "play-changed.json": return DemoPlay.changed
    case "app-store.pem": return DemoAppStore.root
    case "app-store-sold.jws": return DemoAppStore.sold
    case "app-store-forged.jws": return DemoAppStore.forged
    case "whop-joined.json": return DemoWhop.joined
    case "whop-joined.head": return DemoWhop.headers(of: DemoWhop.joined, deliveredAt: instant)
    case "whop-left.json": return DemoWhop.left
    case "whop-left.head": return DemoWhop.headers(of: DemoWhop.left, deliveredAt: instant)
    case "ws": return DemoWhop.secret + "\n"
    case "voidhash-started.json": return DemoResellers.started
    case "voidhash-transferred.json": return DemoResellers.transferred
    case "revenuecat-repeated.json": return DemoResellers.repeated
    case "whsec": return DemoWebhook.secret + "\n"
    case "backwards.jsonl":
      return DemoWebhooks.all.reversed().map { $0.body + "\n" }.joined()
    default:
      let parts = name.split(separator: ".")
      let webhook = DemoWebhooks.all.first { $0.name == parts.first.map(String.init) }
      return parts.last == "json" ? webhook?.body : webhook?.headers(deliveredAt: instant)
    }
  }
}

/// What a command prints, kept.
private final class CapturedLines {
  private var bytes: [UInt8] = []

  func append(_ piece: [UInt8]) {
    bytes += piece
  }

  var lines: [String] {
    var lines = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }
}

/// Bits that follow from a number alone (SplitMix64).
private struct DemoGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
