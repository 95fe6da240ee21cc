/// What a transfer of a membership, or the undoing of one, came to.
public struct TransferOutcome: Hashable, Sendable {
  /// Where the event stands; nil where the customer holds it already, and nothing is recorded.
  public let receipt: Receipt?
  /// The membership.
  public let membership: MembershipID
  /// Who held it before, by the name that all of the customer's names lead to; nil for nobody.
  public let from: CustomerID?
  /// Who holds it from then on, by the name that the event gives.
  public let to: CustomerID
  /// From when on.
  public let at: Timestamp
  /// The event of the transfer that is undone; nil where none is.
  public let undoes: EventID?
  /// Who held the membership when, this transfer included.
  public let lineage: Lineage
}

/// A membership moves: decided in the transaction that records it.
struct Transferring: Sendable {
  let membership: MembershipID
  /// From when on; nil is now.
  let at: Timestamp?
  let attribution: Attribution
  let environment: Environment

  func move(
    to customer: CustomerID, in batch: inout Batch, now: Timestamp
  ) throws(LedgerError) -> TransferOutcome {
    let lineage = try lineage(in: batch)
    let instant = at ?? now
    let holder = lineage.holder(at: instant)
    let target = try batch.fold.canonicalName(of: customer, environment)
    if let holder, holder.customer == target {
      return TransferOutcome(
        receipt: nil, membership: membership, from: target, to: customer, at: instant,
        undoes: nil, lineage: lineage)
    }
    return try record(
      Transfer(
        to: customer, from: holder?.customer, at: instant, reason: attribution.reason), in: &batch,
      now: now)
  }

  /// Undoes the transfer that was decided last, of those not undone: the membership goes back to
  /// whom it was taken from.
  func undo(in batch: inout Batch, now: Timestamp) throws(LedgerError) -> TransferOutcome {
    let lineage = try lineage(in: batch)
    guard let (moved, before) = lineage.transferInForce, let before, let event = moved.event else {
      throw LedgerError(
        .nothingToUndo, "no transfer of \(membership) is in force: there is nothing to undo")
    }
    // A transfer that is yet to take effect is undone as of then.
    let instant = at ?? max(now, moved.from ?? .distantPast)
    return try record(
      Transfer(
        to: before.name, from: lineage.holder(at: instant)?.customer, at: instant,
        reason: attribution.reason, undoes: event), in: &batch, now: now)
  }

  private func lineage(in batch: Batch) throws(LedgerError) -> Lineage {
    guard let lineage = try batch.fold.lineage(of: membership, environment) else {
      throw LedgerError(
        .unknownMembership, "there is no membership \(membership) in \(environment.name)")
    }
    return lineage
  }

  private func record(
    _ transfer: Transfer, in batch: inout Batch, now: Timestamp
  ) throws(LedgerError) -> TransferOutcome {
    let receipt = try batch.append(
      [Fact(.transferred(transfer), membership: membership)], by: attribution, in: environment,
      now: now)
    return TransferOutcome(
      receipt: receipt, membership: membership, from: transfer.from, to: transfer.to,
      at: transfer.at ?? now, undoes: transfer.undoes, lineage: try lineage(in: batch))
  }
}
