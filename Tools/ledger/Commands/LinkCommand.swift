internal import MembershipLedger
internal import MembershipModel

/// `ledger link`: whose a provider's account is.
struct LinkCommand: Command {
  static let account: Argument<AccountID> = .operand(
    "ACCOUNT", help: "The account at a provider, such as stripe:cus_1.")
  static let environment: Argument<EnvironmentName?> = .option(
    "environment", help: "The account's environment. Default: production.")

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
    options: [environment.definition],
    operands: [account.definition, SharedArguments.customer.definition],
    examples: [.init("ledger link stripe:cus_1 user_42", "Link an account to a customer")],
    command: LinkCommand.init)

  let account: AccountID
  let customer: CustomerID
  let environment: EnvironmentName

  init(_ values: ParsedValues) {
    account = values[Self.account]
    customer = values[SharedArguments.customer]
    environment = values[Self.environment] ?? .production
  }
}

extension LinkCommand {
  func run(in context: CommandContext) throws -> ExitCode {
    try checkAccount()
    let ledger = try context.openForWriting()
    let owner = try ledger.customer(ofAccount: account, in: environment.environment)
    if owner == customer {
      try context.say("the account is linked already")
      try print(nil, formerly: nil, context)
      return .done
    }
    let receipt = try ledger.append(
      context.event(
        in: environment.environment, customer: customer,
        Fact(.accountLinked(AccountLink(account: account, customer: customer)))))
    try print(receipt.position, formerly: owner, context)
    if let owner {
      try context.say(
        "note: until now \(printable(account.rawValue)) was \(printable(owner.rawValue))'s account")
    }
    return .done
  }

  /// A prefix forgotten would link a customer to another for good.
  private func checkAccount() throws(CommandFailure) {
    let stores = Provider.known.filter { $0 != .manual }.map(\.rawValue)
    let isAccount = stores.contains { store in
      account.rawValue.hasPrefix("\(store):") && account.rawValue.count > store.count + 1
    }
    if isAccount, account.rawValue != customer.rawValue { return }
    throw CommandFailure(
      .badData, "\(printable(account.rawValue)) is no account of a provider's to be linked",
      hint: "Write PROVIDER:ACCOUNT, such as stripe:cus_1; a provider is one of "
        + stores.joined(separator: ", ") + ".")
  }

  private func print(
    _ position: Position?, formerly owner: CustomerID?, _ context: CommandContext
  ) throws {
    if context.printsJSON {
      try context.printJSON(
        .fields([
          "account": .id(account), "customer": .id(customer), "formerCustomer": .id(owner),
          "position": .position(position),
        ]))
    } else if let position {
      try context.output.line("appended \(position) accountLinked")
    }
  }
}
