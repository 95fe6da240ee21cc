/// Why a membership ended.
@nonexhaustive public enum EndReason: Hashable, Sendable {
  /// Someone asked for it.
  case cancelled
  /// Its last period ran out without renewal.
  case expired
  /// Payment was not made.
  case paymentFailed
  /// It was refunded.
  case refunded
  /// The account at the provider was deleted.
  case accountDeleted
  /// Its first payment was never made.
  case neverStarted
  /// Another membership took its place.
  case replaced
  /// A value of a newer version, by its number; it never grants.
  case unrecognized(Int64)
}

extension EndReason: OpenEnum {
  package static let known: [(value: EndReason, number: Int64, name: String)] = [
    (.cancelled, 1, "cancelled"), (.expired, 2, "expired"), (.paymentFailed, 3, "paymentFailed"),
    (.refunded, 4, "refunded"), (.accountDeleted, 5, "accountDeleted"),
    (.neverStarted, 6, "neverStarted"), (.replaced, 7, "replaced"),
  ]

  package var unrecognizedNumber: Int64? {
    if case .unrecognized(let number) = self { number } else { nil }
  }
}

/// A request to end: in effect only at the instant it names.
public struct CancellationSchedule: Hashable, Sendable {
  /// When the membership ends unless this is withdrawn.
  public var effectiveAt: Timestamp
  /// When it was asked for; nil for the event's effective time.
  public var requestedAt: Timestamp?
  /// The source's reason.
  public var reason: String
  /// What plans the end beside the membership itself, such as a schedule of phases; empty for the
  /// membership itself.
  ///
  /// Each cause plans and withdraws for itself, and the first end counts.
  public var cause: String
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes the payload; see the properties for the meaning of each part.
  public init(
    effectiveAt: Timestamp, requestedAt: Timestamp? = nil, reason: String = "", cause: String = ""
  ) {
    self.effectiveAt = effectiveAt
    self.requestedAt = requestedAt
    self.reason = reason
    self.cause = cause
  }
}

extension CancellationSchedule: Message {
  package static var messageName: String { "CancellationSchedule" }

  package static var blank: CancellationSchedule {
    CancellationSchedule(effectiveAt: .defaultValue)
  }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "effectiveAt", &effectiveAt)
    try visitor.field(2, "requestedAt", &requestedAt)
    try visitor.field(3, "reason", &reason)
    try visitor.field(4, "cause", &cause)
  }
}

/// Something planned is not to happen: a cancellation or a plan change.
public struct Withdrawal: Hashable, Sendable {
  /// When it was withdrawn; nil for the event's effective time.
  public var at: Timestamp?
  /// What had planned the end that is withdrawn; empty for the membership itself.
  public var cause: String
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes the payload; see the properties for the meaning of each part.
  public init(at: Timestamp? = nil, cause: String = "") {
    self.at = at
    self.cause = cause
  }
}

extension Withdrawal: Message {
  package static var messageName: String { "Withdrawal" }

  package static var blank: Withdrawal { Withdrawal() }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "at", &at)
    try visitor.field(2, "cause", &cause)
  }
}

/// The end, in effect: terminal for every period that started before it.
public struct End: Hashable, Sendable {
  /// From when on nothing bought before gives access.
  public var at: Timestamp
  /// Why.
  public var reason: EndReason
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes the payload; see the properties for the meaning of each part.
  public init(at: Timestamp, reason: EndReason) {
    self.at = at
    self.reason = reason
  }
}

extension End: Message {
  package static var messageName: String { "End" }

  package static var blank: End { End(at: .defaultValue, reason: .defaultValue) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "at", &at)
    try visitor.field(2, "reason", &reason)
  }
}

/// A payment for a period failed or is overdue.
public struct PaymentFailure: Hashable, Sendable {
  /// The period that was to be paid.
  public var period: Period
  /// Until when the store itself grants grace; nil where it grants none.
  public var graceUntil: Timestamp?
  /// When it failed; nil for the event's effective time.
  public var failedAt: Timestamp?
  /// The unpaid invoice.
  public var invoice: ReferenceID?
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes the payload; see the properties for the meaning of each part.
  public init(
    period: Period, graceUntil: Timestamp? = nil, failedAt: Timestamp? = nil,
    invoice: ReferenceID? = nil
  ) {
    self.period = period
    self.graceUntil = graceUntil
    self.failedAt = failedAt
    self.invoice = invoice
  }
}

extension PaymentFailure: Message {
  package static var messageName: String { "PaymentFailure" }

  package static var blank: PaymentFailure { PaymentFailure(period: .defaultValue) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "period", &period)
    try visitor.field(2, "graceUntil", &graceUntil)
    try visitor.field(3, "failedAt", &failedAt)
    try visitor.field(4, "invoice", &invoice)
  }
}

/// A pause in effect from an instant on.
public struct Pause: Hashable, Sendable {
  /// What paused it; each cause is resumed for itself.
  public var cause: String
  /// From when on; nil for the event's effective time.
  public var at: Timestamp?
  /// When it ends by itself; nil where only a resumption ends it.
  public var resumesAt: Timestamp?
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes the payload; see the properties for the meaning of each part.
  public init(cause: String, at: Timestamp? = nil, resumesAt: Timestamp? = nil) {
    self.cause = cause
    self.at = at
    self.resumesAt = resumesAt
  }
}

extension Pause: Message {
  package static var messageName: String { "Pause" }

  package static var blank: Pause { Pause(cause: .defaultValue) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "cause", &cause)
    try visitor.field(2, "at", &at)
    try visitor.field(3, "resumesAt", &resumesAt)
  }

  package func validate() throws(WireError) {
    try require(cause, "cause")
  }
}

/// The end of a pause.
public struct Resumption: Hashable, Sendable {
  /// The cause that is over.
  public var cause: String
  /// From when on; nil for the event's effective time.
  public var at: Timestamp?
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes the payload; see the properties for the meaning of each part.
  public init(cause: String, at: Timestamp? = nil) {
    self.cause = cause
    self.at = at
  }
}

extension Resumption: Message {
  package static var messageName: String { "Resumption" }

  package static var blank: Resumption { Resumption(cause: .defaultValue) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "cause", &cause)
    try visitor.field(2, "at", &at)
  }

  package func validate() throws(WireError) {
    try require(cause, "cause")
  }
}

/// Access was taken back: for one transaction, for all before an instant, or single entitlements of
/// the membership for good.
public struct AccessRevocation: Hashable, Sendable {
  /// The transaction revoked; nil for every one that started before.
  public var transaction: TransactionID?
  /// From when on; nil for the event's effective time.
  public var at: Timestamp?
  /// The source's reason.
  public var reason: String
  /// The entitlements that the membership gives no more from then on, also by later periods; none
  /// where all that was given is taken.
  public var entitlements: [EntitlementKey]
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes the payload; see the properties for the meaning of each part.
  public init(
    transaction: TransactionID? = nil, at: Timestamp? = nil, reason: String = "",
    entitlements: [EntitlementKey] = []
  ) {
    self.transaction = transaction
    self.at = at
    self.reason = reason
    self.entitlements = entitlements
  }
}

extension AccessRevocation: Message {
  package static var messageName: String { "AccessRevocation" }

  package static var blank: AccessRevocation { AccessRevocation() }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "transaction", &transaction)
    try visitor.field(2, "at", &at)
    try visitor.field(3, "reason", &reason)
    try visitor.field(4, "entitlements", &entitlements)
  }
}

/// What kind of cause a hold has.
@nonexhaustive public enum HoldKind: Hashable, Sendable {
  /// Someone ordered it.
  case order
  /// A bank warns that the payment may be fraud; the policy says whether that holds.
  case fraudWarning
  /// A value of a newer version, by its number; it holds.
  case unrecognized(Int64)
}

extension HoldKind: OpenEnum {
  package static let known: [(value: HoldKind, number: Int64, name: String)] = [
    (.order, 1, "order"), (.fraudWarning, 2, "fraudWarning"),
  ]

  package var unrecognizedNumber: Int64? {
    if case .unrecognized(let number) = self { number } else { nil }
  }
}

/// A hold: access rests until it is released.
public struct Hold: Hashable, Sendable {
  /// What holds; each cause is released for itself.
  public var cause: String
  /// What kind of cause it is, for the policy to tell apart.
  public var kind: HoldKind
  /// From when on; nil for the event's effective time.
  public var at: Timestamp?
  /// The reason in words.
  public var reason: String
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes the payload; see the properties for the meaning of each part.
  public init(
    cause: String, kind: HoldKind = .order, at: Timestamp? = nil, reason: String = ""
  ) {
    self.cause = cause
    self.kind = kind
    self.at = at
    self.reason = reason
  }
}

extension Hold: Message {
  package static var messageName: String { "Hold" }

  package static var blank: Hold { Hold(cause: .defaultValue, kind: .defaultValue) }

  package static var jsonBlank: Hold { Hold(cause: .defaultValue) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "cause", &cause)
    try visitor.field(2, "at", &at)
    try visitor.field(3, "reason", &reason)
    try visitor.field(4, "kind", &kind)
  }

  package func validate() throws(WireError) {
    try require(cause, "cause")
  }
}

/// The end of a hold.
public struct HoldRelease: Hashable, Sendable {
  /// The cause that holds no more.
  public var cause: String
  /// From when on; nil for the event's effective time.
  public var at: Timestamp?
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes the payload; see the properties for the meaning of each part.
  public init(cause: String, at: Timestamp? = nil) {
    self.cause = cause
    self.at = at
  }
}

extension HoldRelease: Message {
  package static var messageName: String { "HoldRelease" }

  package static var blank: HoldRelease { HoldRelease(cause: .defaultValue) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "cause", &cause)
    try visitor.field(2, "at", &at)
  }

  package func validate() throws(WireError) {
    try require(cause, "cause")
  }
}
