/// Whether two customers are one: decided in the transaction that records it.
struct Merging: Sendable {
  let merge: CustomerMerge
  let attribution: Attribution
  let environment: Environment

  func join(in batch: inout Batch, now: Timestamp) throws(LedgerError) -> BelongingChange {
    let (from, into) = (merge.from, merge.into)
    if from == into {
      throw LedgerError(.sameCustomer, "\(from) is not merged into itself: name two customers")
    }
    for name in [from, into] where name.isAnonymous {
      throw LedgerError(
        .anonymousCustomer,
        "\(name) is an account and takes no part in a merge: link it to its customer instead")
    }
    let fold = batch.fold
    let present = try fold.store.customer(from, environment)?.merge?.customer
    if try fold.canonicalName(of: from, environment)
      == fold.canonicalName(of: into, environment)
    {
      return BelongingChange(receipt: nil, subject: from, from: present, to: present)
    }
    if let present {
      throw LedgerError(
        .belongsToAnother,
        "\(from) was merged into \(present): unmerge it first, or merge \(present)")
    }
    let receipt = try batch.append(
      [Fact(.customersMerged(merge))], by: attribution, in: environment, now: now)
    return BelongingChange(receipt: receipt, subject: from, from: nil, to: into)
  }

  func undo(in batch: inout Batch, now: Timestamp) throws(LedgerError) -> BelongingChange {
    let present = try batch.fold.store.customer(merge.from, environment)?.merge?.customer
    guard present == merge.into else {
      let state = present.map { "it is merged into \($0)" } ?? "it is merged into nobody"
      throw LedgerError(
        .nothingToUndo, "\(merge.from) is not merged into \(merge.into): \(state)")
    }
    let receipt = try batch.append(
      [Fact(.mergeUndone(merge))], by: attribution, in: environment, now: now)
    return BelongingChange(receipt: receipt, subject: merge.from, from: merge.into, to: nil)
  }
}
