public import MembershipModel

/// Reads what RevenueCat sends and hands out: webhook bodies, subscriber objects, and rows of a
/// transaction export.
///
/// A webhook is proven by its `X-RevenueCat-Webhook-Signature`, or else by the `Authorization`
/// header that its endpoint was set up with. What RevenueCat says of a store's purchase goes by the
/// store's own ids, so that it and the store's own documents are about one membership.
/// <doc:RevenueCat> lists what each event type states.
public struct RevenueCatAdapter: ProviderAdapter {
  private let proof: RevenueCatProof
  private let environment: Environment?

  /// Makes an adapter.
  ///
  /// - Parameters:
  ///   - secrets: The endpoint's signing secrets, and the whole values of its `Authorization`
  ///     header (such as `Bearer …`); each may be either. Empty ones are left out.
  ///   - tolerance: How far the signature's time may lie before or after the time of receipt.
  ///   - trustsUnsigned: Whether documents that nothing proves are taken as they are, and marked
  ///     unverified; a proof that is there and wrong is refused all the same.
  ///   - environment: The only environment accepted; nil takes whichever a document says.
  public init(
    secrets: [String] = [], tolerance: Duration = .seconds(300), trustsUnsigned: Bool = false,
    environment: Environment? = nil
  ) {
    proof = RevenueCatProof(
      secrets: secrets.filter { !$0.isEmpty }, tolerance: tolerance,
      trustsUnsigned: trustsUnsigned)
    self.environment = environment
  }

  /// RevenueCat.
  public var provider: Provider { .revenueCat }

  /// Reads a webhook body, a subscriber object, a row of an export, or an array of any.
  ///
  /// A webhook is one event under RevenueCat's own id. Of a subscriber each purchase is an event
  /// of its own, whose id follows from its content and time; a row of an export is one likewise.
  ///
  /// - Parameter document: The document as it came.
  /// - Returns: Its events, or why it is not accepted.
  public func read(_ document: ProviderDocument) -> Reading {
    do {
      let source = RevenueCatSource(
        verification: try proof.verify(document), environment: environment,
        observedAt: document.observedAt)
      return .events(try source.events(in: try JSONValue(document: document.body)))
    } catch {
      return .refused(error)
    }
  }
}

extension RevenueCatAdapter: CustomStringConvertible {
  /// How it is set up, without the secrets.
  public var description: String {
    "RevenueCatAdapter(\(proof.secrets.count) secrets, trustsUnsigned: \(proof.trustsUnsigned))"
  }
}
