/// The rules that a service sets itself: what grace, refunds, disputes and pauses do.
///
/// A rule in force at the instant of the fact it judges decides, whenever the fact arrived.
public struct Policy: Hashable, Sendable {
  /// The rules that differ by provider; a provider that is not listed has the defaults.
  public var providers: [ProviderRules]
  /// What a refund of all that was paid does to what the payment gave.
  public var fullRefund: RefundRule
  /// What a refund of a part does to what the payment gave.
  public var partialRefund: RefundRule
  /// What an open dispute does, to all of the membership: while one of its payments is disputed,
  /// none of it is had, be the payment for this period or for one long over.
  public var openDispute: HoldRule
  /// What an open inquiry of the bank does, in which no money has moved.
  public var inquiry: HoldRule
  /// What a lost dispute does to what the payment gave; other transactions stand.
  public var lostDispute: RefundRule
  /// What an early warning of fraud does.
  public var fraudWarning: HoldRule
  /// What a pause does, be it of the subscription or of its collection.
  public var pause: HoldRule
  /// Who wins a restore of a membership that another customer holds.
  public var restores: RestoreRule
  /// The environments whose events are accepted; others are refused at the door.
  public var environments: [Environment]
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes the default policy, or one with some rules changed.
  ///
  /// - Parameters:
  ///   - providers: The rules that differ by provider.
  ///   - fullRefund: What a refund of all that was paid does.
  ///   - partialRefund: What a refund of a part does.
  ///   - openDispute: What an open dispute does.
  ///   - inquiry: What an open inquiry does.
  ///   - lostDispute: What a lost dispute does.
  ///   - fraudWarning: What an early warning of fraud does.
  ///   - pause: What a pause does.
  ///   - restores: Who wins a restore.
  ///   - environments: The environments whose events are accepted.
  public init(
    providers: [ProviderRules] = [], fullRefund: RefundRule = .revoke,
    partialRefund: RefundRule = .keep, openDispute: HoldRule = .hold, inquiry: HoldRule = .ignore,
    lostDispute: RefundRule = .revoke, fraudWarning: HoldRule = .ignore, pause: HoldRule = .hold,
    restores: RestoreRule = .transfer, environments: [Environment] = [.production, .sandbox]
  ) {
    self.providers = providers
    self.fullRefund = fullRefund
    self.partialRefund = partialRefund
    self.openDispute = openDispute
    self.inquiry = inquiry
    self.lostDispute = lostDispute
    self.fraudWarning = fraudWarning
    self.pause = pause
    self.restores = restores
    self.environments = environments
  }

  /// The rules for one provider.
  ///
  /// - Parameter provider: The provider.
  /// - Returns: Its own rules where the policy has some, else the defaults.
  public func rules(for provider: Provider) -> ProviderRules {
    providers.first { $0.provider == provider } ?? ProviderRules(provider: provider)
  }

  /// The rules for memberships of one provider.
  public struct ProviderRules: Hashable, Sendable {
    /// The provider.
    public var provider: Provider
    /// Grace in milliseconds from the start of an unpaid period, where the store grants none
    /// itself.
    public var graceMilliseconds: Int64
    /// How long past its end a renewing membership is trusted to be renewed, in milliseconds.
    public var renewalToleranceMilliseconds: Int64
    /// Whether a good standing without any invoice or payment to show for it is not trusted.
    public var distrustsStanding: Bool
    /// Fields of newer schema versions.
    public var unknownFields = UnknownFields()

    /// Makes rules; without arguments, the defaults: no grace, no tolerance, standing trusted.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - graceMilliseconds: Grace from the start of an unpaid period.
    ///   - renewalToleranceMilliseconds: How long a renewing membership is trusted past its end.
    ///   - distrustsStanding: Whether a good standing without a payment gives nothing.
    public init(
      provider: Provider, graceMilliseconds: Int64 = 0, renewalToleranceMilliseconds: Int64 = 0,
      distrustsStanding: Bool = false
    ) {
      self.provider = provider
      self.graceMilliseconds = graceMilliseconds
      self.renewalToleranceMilliseconds = renewalToleranceMilliseconds
      self.distrustsStanding = distrustsStanding
    }
  }

  /// What becomes of what a payment gave.
  @nonexhaustive public enum RefundRule: Hashable, Sendable {
    /// It ends.
    case revoke
    /// It stays.
    case keep
    /// A value of a newer version, by its number; it revokes.
    case unrecognized(Int64)
  }

  /// What becomes of access meanwhile.
  @nonexhaustive public enum HoldRule: Hashable, Sendable {
    /// It rests.
    case hold
    /// It goes on.
    case ignore
    /// A value of a newer version, by its number; it holds.
    case unrecognized(Int64)
  }

  /// Who wins a restore.
  @nonexhaustive public enum RestoreRule: Hashable, Sendable {
    /// Whoever restores.
    case transfer
    /// Whoever held it.
    case keepWithOwner
    /// Whoever restores, if the membership is not active.
    case transferIfInactive
    /// A value of a newer version, by its number; the owner keeps it.
    case unrecognized(Int64)
  }
}

/// One revision of the policy, in force from an instant on.
public struct PolicyRevision: Hashable, Sendable {
  /// The whole policy.
  public var policy: Policy
  /// From when on; nil for the event's effective time.
  public var from: Timestamp?
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes a revision.
  ///
  /// - Parameters:
  ///   - policy: The whole policy.
  ///   - from: From when on; nil for the event's effective time.
  public init(policy: Policy, from: Timestamp? = nil) {
    self.policy = policy
    self.from = from
  }
}
