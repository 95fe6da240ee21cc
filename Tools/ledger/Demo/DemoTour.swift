internal import MembershipModel

/// Goes through the script and tells what happens.
struct DemoTour {
  private let context: CommandContext
  private var stage: DemoStage
  private var chapterCount = 0
  private var acts: [DemoStage.Act] = []

  private static let columns = 80

  init(_ context: CommandContext, stage: DemoStage) {
    self.context = context
    self.stage = stage
  }

  /// Takes all steps; throws at the first one that does not come out as the script says.
  mutating func take(_ steps: [DemoStep]) throws {
    for step in steps { try take(step) }
    if context.printsJSON { try context.printJSON(outputJSON) }
  }

  private mutating func take(_ step: DemoStep) throws {
    switch step {
    case .chapter(let title, let time):
      stage.setClock(time)
      chapterCount += 1
      try tell(chapter: title)
    case .tell(let text):
      try print(wrapped(text, columns: Self.columns - 3), indent: 3)
    case .deliver(let webhook):
      let name = webhook.name
      try run("ingest stripe \(name).json --headers \(name).head --secret-file whsec", .done)
    case .run(let line, let status):
      try run(line, status)
    case .compareLedgers:
      try compareLedgers()
    }
  }

  private func tell(chapter title: String) throws {
    let heading = "\(chapterCount). \(title)"
    let time = TimeText.absolute(stage.now)
    let gap = String(
      repeating: " ", count: max(2, Self.columns - displayWidth(heading) - displayWidth(time)))
    let style = context.style
    try print(["", style.paint(heading, .bold) + gap + style.paint(time, .faint)], indent: 0)
  }

  private mutating func run(_ line: String, _ expected: ExitCode) throws {
    let act = stage.run(line)
    acts.append(act)
    let style = context.style
    try print([style.paint("$ \(act.command)", .cyan)], indent: 3)
    try print(act.lines, indent: 5)
    if act.status != .done {
      try print([style.paint("(exit status \(act.status.rawValue))", .faint)], indent: 5)
    }
    if act.status != expected {
      throw CommandFailure(
        act.status == .done ? .no : act.status,
        "the tour went wrong: '\(act.command)' ended with status \(act.status.rawValue)")
    }
  }

  /// Both ledgers have the same memberships and the same timeline, to the last field.
  private mutating func compareLedgers() throws {
    let questions = ["memberships user_42 --json", "timeline user_42 --json"]
    for question in questions {
      let answers = ["", "--ledger backwards.ledger "].map { stage.run($0 + question).lines }
      let documents = try answers.map { lines -> JSONValue in
        let document = try JSONValue(parsing: Array(lines.joined(separator: "\n").utf8))
        // The events themselves stand in another order.
        return document["segments"] ?? document
      }
      guard documents[0] == documents[1] else {
        throw CommandFailure(.no, "the tour went wrong: the ledgers differ on '\(question)'")
      }
    }
    try print(
      [context.style.paint("Both ledgers agree on memberships and timeline.", .green)], indent: 3)
  }

  private func print(_ lines: [String], indent: Int) throws {
    if context.printsJSON { return }
    let margin = String(repeating: " ", count: indent)
    for line in lines { try context.output.line(line.isEmpty ? "" : margin + line) }
  }

  private var outputJSON: JSONValue {
    .fields([
      "ok": .bool(true),
      "steps": .array(
        acts.map { act in
          .fields([
            "at": .time(act.at), "command": .string(act.command),
            "status": .integer(Int64(act.status.rawValue)),
            "output": .array(act.lines.map { .string($0) }),
          ])
        }),
    ])
  }
}
