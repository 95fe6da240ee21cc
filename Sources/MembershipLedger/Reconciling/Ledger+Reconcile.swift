internal import LedgerStorage

extension Ledger {
  /// Compares a provider's present state with the ledger's, and records what differs.
  ///
  /// Each document is folded on top of what is known; where any answer would differ, now, planned
  /// or at another instant, its event is appended with the origin `reconcile`, else nothing is
  /// written: a second run with the same state appends nothing. Each is judged in the transaction
  /// that appends it. What the reading does not mention is reported and left alone, and so are
  /// the provider's own lists of entitlements.
  ///
  /// - Parameters:
  ///   - documents: The events of the provider's documents, each with its document.
  ///   - provider: The provider; its live memberships are looked for in the reading.
  ///   - environment: Where they are looked for; nil is wherever the documents are from, production
  ///     for an empty reading.
  ///   - isDryRun: Whether to report alone; then a ledger open for reading will do.
  /// - Returns: What differs.
  /// - Throws: `LedgerError` where the ledger cannot be read or written.
  public func reconcile(
    _ documents: [AppendRequest], of provider: Provider, in environment: Environment? = nil,
    isDryRun: Bool = false
  ) throws(LedgerError) -> ReconcileReport {
    var report = ReconcileReport(at: clock.now, isDryRun: isDryRun)
    let reading = Reading(documents, provider, environment)
    for page in isDryRun ? [reading.documents] : reading.pages {
      let differing = try report.add(differing(page), of: page)
      if !differing.isEmpty { report.add(try decide(on: differing, Reconciling.record)) }
    }
    report.missing = try missing(in: reading, at: report.at)
    report.claims = try claimDifferences(in: reading.documents, of: provider)
    return report
  }

  /// Compares and records without holding the caller's thread while it waits to write; see the
  /// synchronous form.
  ///
  /// - Parameters:
  ///   - documents: The events of the provider's documents, each with its document.
  ///   - provider: The provider; its live memberships are looked for in the reading.
  ///   - environment: Where they are looked for; nil is wherever the documents are from, production
  ///     for an empty reading.
  ///   - isDryRun: Whether to report alone; then a ledger open for reading will do.
  /// - Returns: What differs.
  /// - Throws: As the synchronous form does.
  public func reconcile(
    _ documents: [AppendRequest], of provider: Provider, in environment: Environment? = nil,
    isDryRun: Bool = false
  ) async throws(LedgerError) -> ReconcileReport {
    var report = ReconcileReport(at: clock.now, isDryRun: isDryRun)
    let reading = Reading(documents, provider, environment)
    for page in isDryRun ? [reading.documents] : reading.pages {
      let differing = try report.add(differing(page), of: page)
      if !differing.isEmpty { report.add(try await decide(on: differing, Reconciling.record)) }
    }
    report.missing = try missing(in: reading, at: report.at)
    report.claims = try claimDifferences(in: reading.documents, of: provider)
    return report
  }

  /// What the documents of a page would change, found without writing.
  private func differing(
    _ page: [AppendRequest]
  ) throws(LedgerError) -> [Reconciling.Finding] {
    try tables.withProjections { (snapshot, head, projections) throws(LedgerError) in
      var batch = Batch(snapshot, tables, projections, head, terms: nil)
      return try Reconciling.compare(page.map(\.event), in: &batch, now: clock.now)
    }
  }

  /// The memberships that are live by the ledger and not in the reading, each once, whoever has
  /// seats of it.
  private func missing(
    in reading: Reading, at instant: Timestamp
  ) throws(LedgerError) -> [Membership] {
    var found: [Membership] = []
    for environment in reading.environments {
      found += try memberships(at: instant, in: environment).filter { membership in
        membership.role == .owner && membership.provider == reading.provider
          && membership.isToBeMentioned && !reading.mentions(membership)
      }
    }
    return found
  }
}

/// One reading of a provider's state.
private struct Reading {
  let documents: [AppendRequest]
  let provider: Provider
  let environments: [Environment]
  private let mentioned: Set<EntityKey>

  /// As many as are compared under one snapshot and appended in one transaction.
  private static let pageSize = 500

  init(_ documents: [AppendRequest], _ provider: Provider, _ environment: Environment?) {
    self.documents = documents.map { request in
      var copy = request
      copy.event.provenance.origin = .reconcile
      return copy
    }
    self.provider = provider
    mentioned = documents.reduce(into: []) { mentioned, request in
      for fact in request.event.facts {
        guard let membership = fact.membership else { continue }
        mentioned.insert(.membership(membership, request.event.environment))
      }
    }
    let found = Set(documents.map(\.event.environment)).sorted { $0.number < $1.number }
    environments = environment.map { [$0] } ?? (found.isEmpty ? [.production] : found)
  }

  var pages: [[AppendRequest]] {
    stride(from: 0, to: documents.count, by: Self.pageSize).map {
      Array(documents[$0..<min($0 + Self.pageSize, documents.count)])
    }
  }

  func mentions(_ membership: Membership) -> Bool {
    mentioned.contains(.membership(membership.id, membership.environment))
  }
}

extension Membership {
  /// Whether a provider's list of what goes on should have it: what is over, or was bought once and
  /// for all, need not be on it.
  fileprivate var isToBeMentioned: Bool {
    switch status {
    case .trialing, .active, .canceling, .pastDue, .paused, .held: true
    case .pending, .completed, .canceled, .expired, .refunded, .revoked: false
    }
  }
}
