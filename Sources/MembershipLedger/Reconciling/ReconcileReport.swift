/// What a provider's present state and the ledger's differ in.
public struct ReconcileReport: Sendable {
  /// The documents that show a difference, in the order of the reading.
  public internal(set) var drifts: [Drift] = []
  /// The documents that could not be recorded, each with the reason.
  public internal(set) var refusals: [(event: EventID, error: LedgerError)] = []
  /// Memberships that the ledger takes for live and the reading does not mention.
  ///
  /// They are left as they are: an empty or partial reading ends nothing.
  public internal(set) var missing: [Membership] = []
  /// The provider's own lists of entitlements that differ from the ledger's answers, in the order
  /// of the reading.
  ///
  /// What was recorded just now counts as known.
  public internal(set) var claims: [ClaimDifference] = []
  /// How many documents were compared.
  public internal(set) var documents = 0
  /// Whether nothing was written, whatever was found.
  public let isDryRun: Bool
  /// The instant at which both states were compared.
  public let at: Timestamp

  /// Whether nothing differs and nothing is missing.
  public var isInAgreement: Bool {
    drifts.isEmpty && missing.isEmpty && claims.isEmpty && refusals.isEmpty
  }

  init(at instant: Timestamp, isDryRun: Bool) {
    self.at = instant
    self.isDryRun = isDryRun
  }

  /// Adds what comparing a page of documents found; gives those that are to be recorded.
  mutating func add(
    _ findings: [Reconciling.Finding], of page: [AppendRequest]
  ) -> [AppendRequest] {
    documents += page.count
    if isDryRun {
      add(findings)
      return []
    }
    return zip(findings, page).compactMap { finding, request in
      switch finding {
      case .agreement: nil
      // What may differ, or be refused, is judged anew in the transaction that writes.
      case .drift, .refusal: request
      }
    }
  }

  mutating func add(_ findings: [Reconciling.Finding]) {
    for finding in findings {
      switch finding {
      case .agreement: break
      case .refusal(let event, let error): refusals.append((event, error))
      case .drift(var drift):
        if isDryRun { drift.receipt = nil }
        drifts.append(drift)
      }
    }
  }
}

/// What one document of a provider says otherwise than the ledger.
public struct Drift: Hashable, Sendable {
  /// The event that states it.
  public let event: EventID
  /// Where the event was appended; nil for a dry run.
  public internal(set) var receipt: Receipt?
  /// The memberships of which something differs.
  public let memberships: [MembershipDrift]
  /// What customers gain and lose by it.
  public let access: [AccessChange]
}

/// A membership as the ledger has it, and as the provider's document would have it.
public struct MembershipDrift: Hashable, Sendable {
  /// The membership.
  public let id: MembershipID
  /// How the ledger has it now; nil where the ledger does not know it.
  public let ledger: Membership?
  /// How it stands with what the provider says.
  public let provider: Membership
  /// Whether what it gave or will give at other instants, or who held it then, differs.
  public let differsInTime: Bool
}

extension Drift {
  /// The difference between two outlooks.
  init(of event: EventID, _ receipt: Receipt?, from before: Outlook, to after: Outlook) {
    var memberships: [MembershipDrift] = []
    for (id, new) in after.memberships.sorted(by: { $0.key < $1.key }) {
      let old = before.memberships[id]
      if old == new { continue }
      memberships.append(
        MembershipDrift(
          id: id, ledger: old?.view, provider: new.view,
          differsInTime: old.map { $0.timeline != new.timeline || $0.holders != new.holders }
            ?? false))
    }
    self.event = event
    self.receipt = receipt
    self.memberships = memberships
    access = Set(before.access.keys).union(after.access.keys).sorted().flatMap { customer in
      AccessChange.changes(
        of: customer, from: before.access[customer], to: after.access[customer])
    }
  }
}
