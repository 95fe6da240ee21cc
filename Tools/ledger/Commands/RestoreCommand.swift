internal import MembershipLedger
internal import MembershipModel

/// `ledger restore`: a customer gets what a store still reports as bought.
struct RestoreCommand: Command {
  static let provider: Argument<IngestProvider> = .operand(
    "PROVIDER", help: "Whose report it is: \(IngestProvider.list).")
  static let file: Argument<InputFile?> = .optionalOperand(
    "FILE", help: "What the store reports; - or none is standard input, [] an empty report.")

  static let spec = CommandSpec(
    "restore", group: .record, abstract: "Give a customer what a store reports as bought",
    discussion: [
      """
      It runs only when it is asked for, and makes no purchase. What the documents say is recorded \
      where it is news; then each transaction they report gives a line: restored, alreadyHeld, \
      transferredFrom CUSTOMER, ownedByAnother CUSTOMER, expired, revoked; or nothingFound.
      """,
      """
      Who wins what another customer holds, the policy's restores says: transfer, keepWithOwner, or \
      transferIfInactive, which looks at the membership in question: whether it gives access now. \
      What is over or was taken back is never given anew; under transferIfInactive a membership \
      that has run out moves all the same, for its later periods. An account of nobody's gives \
      way to the customer, and takes nothing from one.
      """,
    ],
    options: Proof.definitions + DecisionOptions.definitions,
    operands: [SharedArguments.customer.definition, provider.definition, file.definition],
    exitStatuses: [
      (.done, "The customer holds something of what was reported."),
      (.no, "All is another's, over, taken back, refused, or there is nothing."),
      (.badData, "There is no readable document at all; nothing is recorded."),
    ],
    examples: [
      .init(
        "ledger restore user_42 stripe subscriptions.json --trust-unsigned",
        "Restore what a list from Stripe's API shows"),
      .init(
        "ledger restore user_42 app-store transactions.jsonl --bundle-id com.example.app",
        "Restore the signed transactions that an app hands over"),
    ],
    command: RestoreCommand.init)

  let customer: CustomerID
  let provider: IngestProvider
  let file: InputFile
  let proof: Proof
  let options: DecisionOptions

  init(_ values: ParsedValues) {
    customer = values[SharedArguments.customer]
    provider = values[Self.provider]
    file = values[Self.file] ?? .standardInput
    proof = Proof(values)
    options = DecisionOptions(values)
  }
}

extension RestoreCommand {
  func run(in context: CommandContext) throws -> ExitCode {
    let place = options.environment.environment
    let reported = try StoreReport(
      file, proof.adapter(for: provider, place, in: context),
      headers: proof.readHeaders(in: context), observedAt: context.now, in: context)
    try reported.tellRefused(context)
    if reported.isRefused {
      throw CommandFailure(.no, "no document of the report may be believed: nothing is restored")
    }
    let report = try context.openForWriting().restore(
      reported.requests, to: customer,
      by: options.attribution(in: context), in: place)
    for (_, error) in report.refusals { try context.say("refused \(printable(error.message))") }
    if context.printsJSON {
      try context.printJSON(json(report, reported))
    } else {
      for result in report.results { try context.output.line(result.outputLine(context)) }
    }
    for membership in Set(report.results.filter(\.isPingPong).compactMap(\.membership)).sorted() {
      try context.say(
        "warning: \(printable(membership.rawValue)) goes to and fro between customers")
    }
    return report.holdsAny ? .done : .no
  }

  private func json(_ report: RestoreReport, _ reported: StoreReport) -> JSONValue {
    .fields([
      "customer": .id(customer), "provider": .string(provider.rawValue), "at": .time(report.at),
      "results": .array(report.results.map(\.outputJSON)),
      "refused": reported.refusedJSON(report.refusals),
      "position": .position(report.receipts.last?.position),
      "environment": .string(options.environment.rawValue),
    ])
  }
}

extension RestoreResult {
  fileprivate func outputLine(_ context: CommandContext) -> String {
    var line = context.style.paint(outcome.name, isHeld ? .green : .red)
    if outcome != .restored, let otherCustomer { line += " \(printable(otherCustomer.rawValue))" }
    guard let membership else { return line }
    line += " \(printable(transaction?.rawValue ?? membership.rawValue))"
    var details = [reason?.rawValue].compactMap { $0 }
    if let until { details.append("until \(TimeText.absolute(until))") }
    if isTransferred, !isHeld { details.append("later periods are the customer's") }
    return line + (details.isEmpty ? "" : " (\(details.joined(separator: ", ")))")
  }

  fileprivate var outputJSON: JSONValue {
    .fields([
      "transaction": .id(transaction), "membership": .id(membership),
      "outcome": .string(outcome.name), "otherCustomer": .id(otherCustomer),
      "reason": .text(reason?.rawValue), "until": .time(until),
      "transferred": .bool(isTransferred), "pingPong": .bool(isPingPong),
    ])
  }
}
