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
      """
    ],
    operands: [account.definition, SharedArguments.customer.definition],
    exitStatuses: [(.no, "The account is another customer's.")],
    examples: [.init("ledger link stripe:cus_1 user_42", "Link an account to a customer")],
    command: LinkCommand.init)

  let account: AccountID
  let customer: CustomerID

  init(_ values: ParsedValues) {
    account = values[Self.account]
    customer = values[SharedArguments.customer]
  }
}
