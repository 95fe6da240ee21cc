internal import MembershipLedger
internal import MembershipModel

/// `ledger link`: whose a provider's account is.
struct LinkCommand: Command {
  static let account: Argument<AccountID> = .operand(
    "ACCOUNT", help: "The account at a provider, such as stripe:cus_1.")

  static let spec = CommandSpec(
    "link", group: .record, abstract: "Say whose a provider's account is",
    discussion: [
      """
      It says whose the account always was, so it holds for the whole past; it is known from its \
      position on. Afterwards both names answer alike.
      """,
      """
      An account has one customer: the last link says who. Linking one that is another customer's \
      takes it from that customer, and says so.
      """,
    ],
    options: DecisionOptions.definitions,
    operands: [account.definition, SharedArguments.customer.definition],
    examples: [.init("ledger link stripe:cus_1 user_42", "Link an account to a customer")],
    command: LinkCommand.init)

  let account: AccountID
  let customer: CustomerID
  let options: DecisionOptions

  init(_ values: ParsedValues) {
    account = values[Self.account]
    customer = values[SharedArguments.customer]
    options = DecisionOptions(values)
  }
}

extension LinkCommand {
  func run(in context: CommandContext) throws -> ExitCode {
    let change = try context.openForWriting().link(
      account, to: customer, by: options.attribution(in: context),
      in: options.environment.environment)
    if change.receipt == nil { try context.say("the account is linked already") }
    let former = change.receipt == nil ? nil : change.from
    try change.print(
      "accountLinked",
      [("account", .id(account)), ("customer", .id(customer)), ("formerCustomer", .id(former))],
      context)
    if let former {
      try context.say(
        "note: until now \(printable(account.rawValue)) was \(printable(former.rawValue))'s account"
      )
    }
    return .done
  }
}

/// `ledger unlink`: whose a provider's account is not.
struct UnlinkCommand: Command {
  static let customer: Argument<CustomerID?> = .optionalOperand(
    "CUSTOMER", help: "Whose account it is believed to be; a check.",
    completion: LedgerCandidates.customers)

  static let spec = CommandSpec(
    "unlink", group: .record, abstract: "Undo the link of a provider's account",
    discussion: [
      """
      The account stands for itself again, over the whole past: what it bought is no customer's \
      until it is linked anew. Documents that name the same customer do not link it again.
      """
    ],
    options: DecisionOptions.definitions,
    operands: [LinkCommand.account.definition, customer.definition],
    exitStatuses: [(.no, "The account is another customer's.")],
    examples: [.init("ledger unlink stripe:cus_1", "Undo whatever link the account has")],
    command: UnlinkCommand.init)

  let account: AccountID
  let customer: CustomerID?
  let options: DecisionOptions

  init(_ values: ParsedValues) {
    account = values[LinkCommand.account]
    customer = values[Self.customer]
    options = DecisionOptions(values)
  }
}

extension UnlinkCommand {
  func run(in context: CommandContext) throws -> ExitCode {
    let change = try context.openForWriting().unlink(
      account, from: customer, by: options.attribution(in: context),
      in: options.environment.environment)
    if change.receipt == nil { try context.say("the account is not linked") }
    try change.print(
      "accountUnlinked",
      [("account", .id(account)), ("customer", .id(change.from ?? customer))], context)
    return .done
  }
}

extension BelongingChange {
  /// Prints what is recorded, or that nothing is, with the names concerned.
  func print(
    _ fact: String, _ names: [(role: String, name: JSONValue)], _ context: CommandContext
  ) throws {
    if context.printsJSON {
      let position = JSONValue.Field("position", .position(receipt?.position))
      try context.printJSON(.object(names.map { .init($0.role, $0.name) } + [position]))
    } else if let receipt {
      try context.output.line("appended \(receipt.position) \(fact)")
    }
  }
}
