extension MembershipState {
  /// Joins a fact about this membership.
  mutating func join(_ fact: Fact, in context: FactContext) {
    let stamp = context.stamp
    switch fact.body {
    case .purchased(let transaction):
      join(Purchase(transaction, isRenewal: false), fact.references, context)
    case .renewed(let transaction):
      join(Purchase(transaction, isRenewal: true), fact.references, context)
    case .extended(let extended):
      if let id = extended.transaction {
        transactions[id, default: TransactionState()].extension_.join(extended, stamp)
      } else {
        extensions.join(extended, at: context.effectiveAt, stamp)
      }
    case .cancellationScheduled(let schedule):
      for instant in context.instants(since: schedule.requestedAt) {
        join(
          Intent(endsAt: schedule.effectiveAt), by: schedule.cause, at: instant,
          stamp.with(precedence: Precedence.scheduledEnd))
      }
    case .cancellationWithdrawn(let withdrawal):
      join(
        Intent(endsAt: nil), by: withdrawal.cause, at: context.instant(withdrawal.at),
        stamp.with(precedence: Precedence.renewing))
    case .ended(let end):
      ends[end.at, default: Register()].join(end, stamp)
    case .observed(let observation):
      join(observation, context)
    case .paymentFailed(let failure):
      failures[failure.period.start, default: Register()].join(failure, stamp)
    case .invoiced(let invoice):
      invoices[invoice.id, default: Register()].join(
        invoice, stamp.with(precedence: Precedence.of(invoice.state)))
    case .checkoutClosed(let closure):
      checkouts[closure.id, default: Register()].join(
        closure, stamp.with(precedence: Precedence.of(closure.outcome)))
    default:
      joinInterruption(fact.body, context)
    }
  }

  private mutating func join(
    _ intent: Intent, by cause: String, at instant: Timestamp, _ stamp: Stamp
  ) {
    if cause.isEmpty {
      self.intent.join(intent, at: instant, stamp)
    } else {
      otherIntents[cause, default: History()].join(intent, at: instant, stamp)
    }
  }

  private mutating func joinInterruption(_ body: Fact.Body, _ context: FactContext) {
    let stamp = context.stamp
    switch body {
    case .paused(let pause):
      for instant in context.instants(since: pause.at) {
        pauses[pause.cause, default: History()].join(
          PauseMark(isPaused: true, resumesAt: pause.resumesAt), at: instant,
          stamp.with(precedence: 1))
      }
    case .resumed(let resumption):
      pauses[resumption.cause, default: History()].join(
        PauseMark(isPaused: false), at: context.instant(resumption.at), stamp)
    case .holdPlaced(let hold):
      holds.join(hold, context)
    case .holdReleased(let release):
      holds.join(release, context)
    case .accessRevoked(let revocation):
      join(revocation, context)
    case .planChanged(let change):
      let key = "\(change.at) \(change.item)"
      changes[key, default: Register()].join(change, stamp)
    case .planChangeScheduled(let change):
      planned[change.item, default: History()].join(change, at: context.effectiveAt, stamp)
    case .planChangeWithdrawn(let withdrawal):
      withdrawals.join(withdrawal, at: context.instant(withdrawal.at), stamp)
    case .transferred(let transfer):
      transfers.join(transfer, at: context.instant(transfer.at), stamp.ofDecision)
    case .seatAssigned, .seatClaimed, .seatReleased:
      seats.join(body, context)
    default:
      break
    }
  }

  private mutating func join(
    _ purchase: Purchase, _ references: [ReferenceID], _ context: FactContext
  ) {
    let precedence = purchase.isRenewal ? Precedence.renewing : Precedence.starting
    let key = purchase.transaction.id
    transactions[key, default: TransactionState()].purchase.join(
      purchase, context.stamp.with(precedence: precedence))
    if purchase.transaction.kind == .trial {
      transactions[key, default: TransactionState()].trial.join(purchase, context.stamp)
    }
    transactions[key, default: TransactionState()].bought.join(
      context.stamp.event, at: context.effectiveAt)
    for reference in references {
      transactions[key, default: TransactionState()].references.insert(reference)
    }
  }

  private mutating func join(_ observation: Observation, _ context: FactContext) {
    let instant = context.instant(observation.at)
    standing.join(
      observation, at: instant,
      context.stamp.with(precedence: Precedence.of(observation.standing)))
    if observation.isRenewing {
      intent.join(
        Intent(endsAt: nil), at: instant, context.stamp.with(precedence: Precedence.renewing))
    }
  }

  private mutating func join(_ revocation: AccessRevocation, _ context: FactContext) {
    let instant = context.instant(revocation.at)
    if !revocation.entitlements.isEmpty {
      for key in revocation.entitlements {
        takenEntitlements[key, default: History()].join(
          RevocationMark(isRevoked: true), at: instant, context.stamp)
      }
      return
    }
    if let transaction = revocation.transaction {
      transactions[transaction, default: TransactionState()].revocations.join(
        RevocationMark(isRevoked: true), at: instant, context.stamp.with(precedence: 1))
    } else {
      revocations[instant, default: Register()].join(revocation, context.stamp)
    }
  }
}

extension SortedMap where Key == String, Value == History<HoldMark> {
  mutating func join(_ hold: Hold, _ context: FactContext) {
    self[hold.cause, default: History()].join(
      HoldMark(isHeld: true, kind: hold.kind), at: context.instant(hold.at),
      context.stamp.with(precedence: 1))
  }

  mutating func join(_ release: HoldRelease, _ context: FactContext) {
    self[release.cause, default: History()].join(
      HoldMark(isHeld: false), at: context.instant(release.at), context.stamp)
  }
}
