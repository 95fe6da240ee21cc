import MembershipModel

/// Documents about a customer as a whole.
enum StripeCustomer {
  /// Deleting a customer cancels all of its subscriptions.
  static let readDeletion: StripeEventKind.Read = { notice, facts in
    let account: AccountID? = notice.object.identifier("id")
    guard account != nil else {
      facts.note("the customer has no usable id")
      return
    }
    facts.state(.ended(End(at: notice.at, reason: .accountDeleted)))
  }

  /// The summary holds at most ten entitlements and says whether there are more.
  static let readEntitlements: StripeEventKind.Read = { notice, facts in
    let summary = notice.object
    guard let list = summary.object("entitlements") else {
      facts.note("the summary lists nothing")
      return
    }
    let entitlements = summary.list("entitlements")
    let keys = entitlements.compactMap { $0.text("lookup_key") }
    let isComplete = list.flag("has_more") == false && keys.count == entitlements.count
    facts.state(.claimed(EntitlementClaim(entitlements: keys, isComplete: isComplete)))
  }
}
