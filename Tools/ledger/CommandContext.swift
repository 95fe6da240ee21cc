internal import FoundationEssentials
internal import Glibc
internal import LedgerStorage
internal import MembershipLedger
internal import MembershipModel

/// What a command runs with: where its ledger is, where its output goes, and what time it is.
struct CommandContext {
  let ledgerPath: String
  let printsJSON: Bool
  let isQuiet: Bool
  let style: TextStyle
  /// Results, for standard output.
  let output: OutputBuffer
  /// Messages and progress, for standard error.
  let messages: OutputBuffer
  let surroundings: Surroundings
  let present: Present

  /// The one instant that `now` means throughout the command, once its ledger is open.
  var now: Timestamp { present.instant }

  /// Long enough for the work of other processes, short enough for somebody who waits.
  private static let busyTimeout: Duration = .seconds(10)

  /// Prints a whole result as one JSON document.
  func printJSON(_ value: JSONValue) throws {
    try output.line(value.text(indentation: 2))
  }

  /// Prints one item of a stream as a line of JSON.
  func printJSONLine(_ value: JSONValue) throws {
    try output.line(value.text())
  }

  /// Tells the user something that is no result; silent where quiet is wanted.
  func say(_ message: String) throws {
    if !isQuiet { try messages.line(message) }
  }

  /// A progress line for work that may take long.
  func progress(_ title: String) -> ProgressLine {
    ProgressLine(title, on: messages, isEnabled: !isQuiet)
  }

  /// The whole of a file or of standard input.
  func read(_ file: InputFile) throws -> [UInt8] {
    switch file {
    case .standardInput: try readStandardInput()
    case .path(let path): try surroundings.readFile(path)
    }
  }

  private func readStandardInput() throws -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let piece = try surroundings.nextInput()
      if piece.isEmpty { return bytes }
      bytes += piece
    }
  }

  /// The ledger, for reading alone.
  func openForReading() throws -> Ledger {
    let ledger = try Ledger.open(
      ledgerPath, LedgerConfiguration(isReadOnly: true, clock: surroundings.clock))
    try follow(ledger)
    return ledger
  }

  /// The ledger, for recording.
  func openForWriting() throws -> Ledger {
    let ledger = try Ledger.open(
      ledgerPath,
      LedgerConfiguration(clock: surroundings.clock, busyTimeout: Self.busyTimeout))
    try follow(ledger)
    return ledger
  }

  /// Lets `now` be what the ledger takes for it where the clock is behind, and warns of that.
  private func follow(_ ledger: Ledger) throws {
    let lag = try ledger.clockLag()
    if lag == .zero { return }
    present.instant = max(present.instant, ledger.now)
    if lag > .seconds(1) {
      try say(
        "ledger: the clock is \(lag.milliseconds / 1000) seconds behind the newest recorded time; "
          + "until it has caught up, now is \(ledger.now)")
    }
  }

  /// An event by hand that states one fact: with a new id and by the user who runs the command,
  /// unless the caller says otherwise.
  func event(
    id: EventID? = nil, in environment: Environment = .production, customer: CustomerID? = nil,
    actor: String? = nil, reason: String = "", _ fact: Fact
  ) throws -> Event {
    try event(
      id: id, in: environment, customer: customer, actor: actor, reason: reason, facts: [fact])
  }

  /// An event by hand that states facts, as the one that states a single one.
  func event(
    id: EventID? = nil, in environment: Environment = .production, customer: CustomerID? = nil,
    actor: String? = nil, reason: String = "", facts: [Fact]
  ) throws -> Event {
    Event(
      id: try id ?? EventID(surroundings.makeID(now)), provider: .manual,
      environment: environment, effectiveAt: now, customer: customer,
      actor: actor ?? surroundings.user, reason: reason, facts: facts)
  }

  /// Who decides, and why, for a decision by hand.
  func attribution(actor: String?, reason: String?) throws -> Attribution {
    Attribution(
      actor: actor ?? surroundings.user, reason: reason ?? "",
      id: try EventID(surroundings.makeID(now)))
  }
}

/// The instant that a command takes for the present one.
final class Present {
  var instant: Timestamp

  init(_ instant: Timestamp) {
    self.instant = instant
  }
}

/// What the process around a command gives it.
struct Surroundings: Sendable {
  let clock: @Sendable () -> Timestamp
  /// The name of the user who runs the command.
  let user: String
  /// A new id for an event or a grant of ours.
  let makeID: @Sendable (Timestamp) -> String
  /// Refuses a path that is no file, before any work is begun.
  let requireFile: @Sendable (String) throws -> Void
  let readFile: @Sendable (String) throws -> [UInt8]
  /// The next piece of standard input, as soon as there is one; empty at its end.
  let nextInput: @Sendable () throws -> [UInt8]
  /// Whether standard input has a piece, or its end, within so many milliseconds.
  let hasInput: @Sendable (_ milliseconds: Int32) -> Bool
}

extension Surroundings {
  /// Those of the real process.
  static func process(environment: [String: String]) -> Surroundings {
    Surroundings(
      clock: Timestamp.now,
      user: userName(
        environment: environment, accountName: ProcessInfo.processInfo.userName, id: geteuid()),
      makeID: { "manual:\(EventID.make(at: $0))" },
      requireFile: LedgerCommand.requireFile, readFile: LedgerCommand.readFile,
      nextInput: nextStandardInput,
      hasInput: { ProcessStreams.hasInput(STDIN_FILENO, within: $0) })
  }

  /// Who runs the command: by the session's word, by the system's, or by number.
  static func userName(
    environment: [String: String], accountName: String, id: UInt32
  ) -> String {
    let names = [environment["USER"], environment["LOGNAME"], accountName].compactMap { $0 }
    return names.first { !$0.isEmpty } ?? "uid \(id)"
  }
}
