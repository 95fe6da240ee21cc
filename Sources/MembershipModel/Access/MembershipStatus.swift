/// How a membership stands at an instant; whether it gives access, it says beside this.
@nonexhaustive public enum MembershipStatus: String, Hashable, Sendable, CaseIterable {
  /// Nothing is paid yet.
  case pending
  /// In a trial.
  case trialing
  /// Paid for, and going on.
  case active
  /// Paid for, and to end at a known instant.
  case canceling
  /// A payment failed and is outstanding.
  case pastDue = "past_due"
  /// Paused.
  case paused
  /// Held, such as by a dispute.
  case held
  /// Bought once and for all.
  case completed
  /// Cancelled, in effect.
  case canceled
  /// Run out.
  case expired
  /// Given back.
  case refunded
  /// Taken back by the store.
  case revoked
}
