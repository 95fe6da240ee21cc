/// Whether an account at a provider is a customer's: decided in the transaction that records it.
struct Linking: Sendable {
  let account: AccountID
  let attribution: Attribution
  let environment: Environment

  func link(
    to customer: CustomerID, in batch: inout Batch, now: Timestamp
  ) throws(LedgerError) -> BelongingChange {
    let name = CustomerID(unchecked: account.rawValue)
    guard name.isAnonymous, name != customer else {
      let stores = Provider.known.filter { $0 != .manual }.map(\.rawValue)
      throw LedgerError(
        .invalidEvent,
        "\(account) is no account of a provider's to be linked: write PROVIDER:ACCOUNT, such as "
          + "stripe:cus_1; a provider is one of \(stores.joined(separator: ", "))")
    }
    let fold = batch.fold
    let owner = try fold.store.account(account, environment)?.linkedCustomer
    if let owner,
      try fold.canonicalName(of: owner, environment)
        == fold.canonicalName(of: customer, environment)
    {
      return BelongingChange(receipt: nil, subject: name, from: owner, to: owner)
    }
    let link = AccountLink(account: account, customer: customer)
    let receipt = try batch.append(
      [Fact(.accountLinked(link))], by: attribution, in: environment, now: now,
      customer: customer)
    return BelongingChange(receipt: receipt, subject: name, from: owner, to: customer)
  }

  func unlink(
    from customer: CustomerID?, in batch: inout Batch, now: Timestamp
  ) throws(LedgerError) -> BelongingChange {
    let name = CustomerID(unchecked: account.rawValue)
    let fold = batch.fold
    guard let owner = try fold.store.account(account, environment)?.linkedCustomer else {
      return BelongingChange(receipt: nil, subject: name, from: nil, to: nil)
    }
    if let customer,
      try fold.canonicalName(of: owner, environment)
        != fold.canonicalName(of: customer, environment)
    {
      throw LedgerError(
        .belongsToAnother, "\(account) is \(owner)'s account, not \(customer)'s")
    }
    let link = AccountLink(account: account, customer: owner)
    let receipt = try batch.append(
      [Fact(.accountUnlinked(link))], by: attribution, in: environment, now: now, customer: owner)
    return BelongingChange(receipt: receipt, subject: name, from: owner, to: nil)
  }
}
