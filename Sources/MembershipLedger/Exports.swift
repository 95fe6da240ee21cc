// Whoever uses a ledger names its events, facts and decisions.
@_exported public import MembershipModel
