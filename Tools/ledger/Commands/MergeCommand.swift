internal import MembershipLedger
internal import MembershipModel

/// The operands of merging and of its undoing.
private enum MergeArguments {
  static let customer: Argument<CustomerID> = .operand(
    "A", help: "The customer that is taken in.", completion: LedgerCandidates.customers)
  static let other: Argument<CustomerID> = .operand(
    "B", help: "The customer that stays.", completion: LedgerCandidates.customers)
}

/// `ledger merge`: two customers are one.
struct MergeCommand: Command {
  static let spec = CommandSpec(
    "merge", group: .record, abstract: "Say that two customers are one: A is taken into B",
    discussion: [
      """
      It holds for the whole past and is known from its position on. Afterwards both names answer \
      alike. Accounts are linked, not merged.
      """
    ],
    options: DecisionOptions.definitions,
    operands: [MergeArguments.customer.definition, MergeArguments.other.definition],
    exitStatuses: [
      (
        .no,
        "One of them is an account, or A is merged into a third customer, or both are one name."
      )
    ],
    examples: [.init("ledger merge user_41 user_42", "Take user_41 into user_42")],
    command: MergeCommand.init)

  let customer: CustomerID
  let other: CustomerID
  let options: DecisionOptions

  init(_ values: ParsedValues) {
    customer = values[MergeArguments.customer]
    other = values[MergeArguments.other]
    options = DecisionOptions(values)
  }
}

extension MergeCommand {
  func run(in context: CommandContext) throws -> ExitCode {
    let change = try context.openForWriting().merge(
      customer, into: other, by: options.attribution(in: context),
      in: options.environment.environment)
    if change.receipt == nil { try context.say("the two are one customer already") }
    try change.print(
      "customersMerged", [("from", .id(customer)), ("into", .id(other))], context)
    return .done
  }
}

/// `ledger unmerge`: two customers are two after all.
struct UnmergeCommand: Command {
  static let spec = CommandSpec(
    "unmerge", group: .record, abstract: "Undo the merge of A into B",
    discussion: ["Each has again what is its own, over the whole past."],
    options: DecisionOptions.definitions,
    operands: [MergeArguments.customer.definition, MergeArguments.other.definition],
    exitStatuses: [(.no, "A is not merged into B.")],
    examples: [.init("ledger unmerge user_41 user_42", "Make two customers of them again")],
    command: UnmergeCommand.init)

  let customer: CustomerID
  let other: CustomerID
  let options: DecisionOptions

  init(_ values: ParsedValues) {
    customer = values[MergeArguments.customer]
    other = values[MergeArguments.other]
    options = DecisionOptions(values)
  }
}

extension UnmergeCommand {
  func run(in context: CommandContext) throws -> ExitCode {
    let change = try context.openForWriting().unmerge(
      customer, from: other, by: options.attribution(in: context),
      in: options.environment.environment)
    try change.print("mergeUndone", [("from", .id(customer)), ("into", .id(other))], context)
    return .done
  }
}
