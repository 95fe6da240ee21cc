import MembershipModel

/// A snapshot of a person: which perks Voidhash itself says that the person has.
enum VoidhashPerson {
  /// The latest instant that the snapshot shows to have passed.
  static func shownTime(_ object: DocumentObject) -> Timestamp? {
    let subscriptions = object.expanded("subscriptions")?.list("history") ?? []
    let purchases = object.expanded("purchases")?.list("history") ?? []
    return
      (subscriptions.flatMap { [$0.time("startsAt"), $0.time("canceledAt")] }
      + purchases.map { $0.time("createdAt") }).compactMap { $0 }.max()
  }

  /// Perks that follow from purchases are claims to compare; those given by hand are given.
  static let read: VoidhashEventKind.Read = { notice, facts in
    let person = notice.object.text("personId") ?? ""
    let grants = notice.object.expanded("entitlements")?.list("grants") ?? []
    var claimed: [String] = []
    var isComplete =
      notice.object.expanded("snapshotContext")?.text("mode") != "temporary_pending_transfer"
    if !isComplete { facts.note("the snapshot spans persons that are being merged") }
    for grant in grants {
      guard let perk = grant.text("perkId"), let status = grant.text("status") else {
        facts.note("a grant without a usable perk and status")
        isComplete = false
        continue
      }
      if status == "active" { claimed.append(perk) }
      if grant.text("source") == "manual" {
        state(grant, perk, isActive: status == "active", of: person, notice, in: &facts)
      }
    }
    facts.state(.claimed(EntitlementClaim(entitlements: claimed, isComplete: isComplete)))
  }

  private static func state(
    _ grant: DocumentObject, _ perk: String, isActive: Bool, of person: String,
    _ notice: VoidhashNotice, in facts: inout FactCollector
  ) {
    // A grant on a shared plan is another person's; there is one for each person and perk.
    if let source = grant.text("sourcePersonId"), source != person {
      return facts.note("the perk \(perk) is shared by another person")
    }
    let until = grant.time("expiresAt")
    guard notice.customer != nil else {
      return facts.note("the perk \(perk) is given by hand to nobody of the service's own ids")
    }
    guard let id: GrantID = DocumentObject.identifier("\(person)/\(perk)", notice.object.faults),
      let key = try? EntitlementKey(perk), until != nil || grant.given("expiresAt") == nil
    else { return }
    if isActive {
      facts.state(
        .granted(
          ManualGrant(
            id: id, entitlement: key, until: until, reason: "given by hand", giver: "voidhash")))
    } else {
      facts.state(
        .grantRevoked(
          ManualGrantRevocation(id: id, at: min(until ?? notice.at, notice.at), reason: "expired")))
    }
  }
}
