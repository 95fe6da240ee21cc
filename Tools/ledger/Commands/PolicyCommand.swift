internal import MembershipLedger
internal import MembershipModel

/// `ledger policy`: the rules that are the service's to choose.
enum PolicyCommand {
  static let spec = CommandSpec(
    "policy", group: .record, abstract: "Revise the policy, or show it",
    discussion: [
      """
      The policy says what grace is given, what a partial refund, an open dispute and paused \
      collection do, who wins a restore, and which environments are accepted.
      """
    ],
    subcommands: [PolicyApplyCommand.spec, PolicyShowCommand.spec])
}

/// `ledger policy apply`: a new revision.
struct PolicyApplyCommand: Command {
  static let file: Argument<InputFile> = .operand(
    "FILE", help: "The policy as JSON, or - for standard input.")

  static let spec = CommandSpec(
    "apply", group: .record, abstract: "Record a revision of the policy",
    discussion: ["What the file leaves out takes its default value."],
    operands: [file.definition],
    exitStatuses: [(.badData, "The file is not JSON, or not a policy.")],
    examples: [.init("ledger policy apply policy.json", "Revise the policy")],
    command: PolicyApplyCommand.init)

  let file: InputFile

  init(_ values: ParsedValues) {
    file = values[Self.file]
  }
}

/// `ledger policy show`: the revision in force.
struct PolicyShowCommand: Command {
  static let spec = CommandSpec(
    "show", group: .ask, abstract: "Show the policy in force",
    discussion: ["It prints a file that policy apply takes."],
    options: [SharedArguments.at.definition, SharedArguments.knownAt.definition],
    command: PolicyShowCommand.init)

  let at: TimeValue
  let knownAt: LogPoint?

  init(_ values: ParsedValues) {
    at = values[SharedArguments.at] ?? .now
    knownAt = values[SharedArguments.knownAt]
  }
}

extension PolicyApplyCommand {
  func run(in context: CommandContext) throws -> ExitCode {
    let policy = try policy(in: context)
    let ledger = try context.openForWriting()
    let revision = PolicyRevision(policy: policy, from: context.now)
    let receipt = try ledger.append(context.event(Fact(.policyRevised(revision))))
    if context.printsJSON {
      try context.printJSON(
        .fields(["position": .position(receipt.position), "from": .time(context.now)]))
    } else {
      try context.output.line("appended \(receipt.position) policyRevised")
    }
    return .done
  }

  private func policy(in context: CommandContext) throws -> Policy {
    do {
      return try Policy(parsing: context.read(file))
    } catch let error as InvalidValue {
      throw CommandFailure(.badData, "\(printable(file.name)): \(printable("\(error)"))")
    }
  }
}

extension PolicyShowCommand {
  func run(in context: CommandContext) throws -> ExitCode {
    let ledger = try context.openForReading()
    let instant = at.instant(at: context.now)
    let policy =
      if let knownAt {
        try ledger.asKnown(at: knownAt.point(at: context.now)).policy(at: instant)
      } else {
        try ledger.policy(at: instant)
      }
    try context.output.write(policy.fileText())
    return .done
  }
}
