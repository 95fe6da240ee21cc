public import MembershipModel

/// Reads what Voidhash sends and what its server gives: webhook bodies, the normalised actions of
/// its purchase processing, and snapshots of a person.
///
/// A webhook is verified by its headers `X-Webhook-Timestamp` and
/// `X-Webhook-Signature` under each of the secrets. <doc:Voidhash> lists what each type states.
public struct VoidhashAdapter: ProviderAdapter {
  private let secrets: [String]
  private let tolerance: Duration
  private let trustsUnsigned: Bool
  private let environment: Environment?
  private let isObserver: Bool
  private let linksDistinctIDs: Bool

  /// Makes an adapter.
  ///
  /// - Parameters:
  ///   - secrets: The endpoint's signing secrets (`whsec_…`), whole; two while one is replaced.
  ///     Empty ones are left out: they would prove nothing.
  ///   - tolerance: How far the signature's time may lie before or after the time of receipt.
  ///   - trustsUnsigned: Whether documents without a signature are taken as they are, and marked
  ///     unverified; a signature that is there and wrong is refused all the same.
  ///   - environment: The only environment accepted; nil takes whichever a document says.
  ///   - isObserver: Whether Voidhash only observes what another system processes. What it reports
  ///     then is marked as observed, and the policy's `distrustsStanding` for `voidhash` says whether
  ///     it gives access or is only there to compare.
  ///   - linksDistinctIDs: Whether distinct ids are the service's own ids of its customers, so that
  ///     they link by themselves. Anonymous ones must not be.
  public init(
    secrets: [String] = [], tolerance: Duration = .seconds(300), trustsUnsigned: Bool = false,
    environment: Environment? = nil, isObserver: Bool = false, linksDistinctIDs: Bool = false
  ) {
    self.secrets = secrets.filter { !$0.isEmpty }
    self.tolerance = tolerance
    self.trustsUnsigned = trustsUnsigned
    self.environment = environment
    self.isObserver = isObserver
    self.linksDistinctIDs = linksDistinctIDs
  }

  /// Voidhash.
  public var provider: Provider { .voidhash }

  /// Reads a webhook body, an action, or a snapshot of a person.
  ///
  /// A webhook has no id: its event's id follows from its type, what it is about, and when it
  /// occurred. An action's follows from its idempotency key and the same time.
  ///
  /// - Parameter document: The document as it came.
  /// - Returns: Its events, or why it is not accepted.
  public func read(_ document: ProviderDocument) -> Reading {
    do {
      let verification = try verify(document)
      let source = VoidhashSource(
        verification: verification, environment: environment, isObserver: isObserver,
        linksDistinctIDs: linksDistinctIDs, observedAt: document.observedAt)
      return .events([try source.event(in: try JSONValue(document: document.body))])
    } catch {
      return .refused(error)
    }
  }

  private func verify(_ document: ProviderDocument) throws(Refusal) -> Verification {
    if let verdict = document.verdict { return verdict }
    if !secrets.isEmpty, let signature = try VoidhashSignature(headersOf: document) {
      try signature.verify(
        document, keys: secrets.map { Array($0.utf8) }, tolerance: tolerance)
      return Verification(.verified, method: VoidhashSignature.method)
    }
    if trustsUnsigned { return Verification(.unverified) }
    throw .unproven(hasSecrets: !secrets.isEmpty, header: VoidhashSignature.signatureHeader)
  }
}

extension VoidhashAdapter: CustomStringConvertible {
  /// How it is set up, without the secrets.
  public var description: String {
    "VoidhashAdapter(\(secrets.count) secrets, trustsUnsigned: \(trustsUnsigned))"
  }
}
