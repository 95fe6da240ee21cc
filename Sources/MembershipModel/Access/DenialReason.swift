/// Why a check is answered as it is.
@nonexhaustive public enum DecisionReason: String, Hashable, Sendable {
  /// A membership or a grant gives the entitlement.
  case granted
  /// A period is not paid, and access goes on for a while.
  case grace
  /// Nothing that the customer has or had gives the entitlement.
  case none
  /// What gave it has run out.
  case expired
  /// What gave it was cancelled, and the cancellation is in effect.
  case cancelled
  /// The payment for it was given back.
  case refunded
  /// It was taken back.
  case revoked
  /// A hold rests it.
  case held
  /// A pause rests it.
  case paused
  /// It begins later.
  case notStarted
  /// No revision of the catalog has this entitlement.
  case unknownEntitlement
  /// Nothing is known of the customer.
  case unknownCustomer
}

/// Why a membership gives no access in a stretch.
enum DenialReason: Int, Hashable {
  case none
  case notStarted
  case expired
  case cancelled
  case revoked
  case refunded
  case paused
  case held

  /// Which of two reasons is told where both hold at one instant: the greater one.
  var severity: Int { rawValue }

  var decision: DecisionReason {
    switch self {
    case .none: .none
    case .notStarted: .notStarted
    case .expired: .expired
    case .cancelled: .cancelled
    case .revoked: .revoked
    case .refunded: .refunded
    case .paused: .paused
    case .held: .held
    }
  }
}
