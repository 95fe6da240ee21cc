public import MembershipModel

/// Reads what Whop sends and what its API gives: webhook bodies of all generations, and membership
/// and payment objects.
///
/// A webhook is verified by its Standard Webhooks headers, or by the older `X-Whop-Signature`, under
/// each of the secrets. <doc:Whop> lists what each event type states.
public struct WhopAdapter: ProviderAdapter {
  private let secrets: [String]
  private let tolerance: Duration
  private let trustsUnsigned: Bool
  private let environment: Environment
  private let keepsPastDue: Bool

  /// Makes an adapter.
  ///
  /// - Parameters:
  ///   - secrets: The webhook's secrets (`ws_…`), whole; two while one is replaced. Empty ones are
  ///     left out: they would prove nothing.
  ///   - tolerance: How far the signature's time may lie before or after the time of receipt.
  ///   - trustsUnsigned: Whether documents without a signature are taken as they are, and marked
  ///     unverified; a signature that is there and wrong is refused all the same.
  ///   - environment: The environment of the company whose documents they are: they do not say it
  ///     themselves. Nil is production.
  ///   - keepsPastDue: Whether the merchant's dashboard keeps access while past due; documents that
  ///     say themselves whether a membership is valid are believed instead.
  public init(
    secrets: [String] = [], tolerance: Duration = .seconds(300), trustsUnsigned: Bool = false,
    environment: Environment? = nil, keepsPastDue: Bool = false
  ) {
    self.secrets = secrets.filter { !$0.isEmpty }
    self.tolerance = tolerance
    self.trustsUnsigned = trustsUnsigned
    self.environment = environment ?? .production
    self.keepsPastDue = keepsPastDue
  }

  /// Whop.
  public var provider: Provider { .whop }

  /// Reads a webhook body, a bare object, or a list of bare objects.
  ///
  /// A body without an id of its own, and a bare object, is one event whose id follows from its
  /// content and time. The time is the body's own, else that of the signature, else the document's
  /// `observedAt`, else the latest instant that the object shows to have passed.
  ///
  /// - Parameter document: The document as it came.
  /// - Returns: Its events, or why it is not accepted.
  public func read(_ document: ProviderDocument) -> Reading {
    do {
      let verification = try verify(document)
      let source = WhopSource(
        verification: verification, environment: environment, keepsPastDue: keepsPastDue,
        sentAt: Self.sentAt(document), observedAt: document.observedAt)
      return .events(try source.events(in: try JSONValue(document: document.body)))
    } catch {
      return .refused(error)
    }
  }

  private func verify(_ document: ProviderDocument) throws(Refusal) -> Verification {
    if let verdict = document.verdict { return verdict }
    if !secrets.isEmpty {
      let keys = secrets.map { Array($0.utf8) }
      if let signature = try StandardWebhooks(headersOf: document) {
        try signature.verify(document, keys: keys, tolerance: tolerance, sender: "Whop")
        return Verification(.verified, method: StandardWebhooks.method)
      }
      if let signature = try WhopSignature(headerOf: document) {
        try signature.verify(document, keys: keys)
        return Verification(.verified, method: WhopSignature.method)
      }
    }
    if trustsUnsigned { return Verification(.unverified) }
    throw .unproven(hasSecrets: !secrets.isEmpty, header: StandardWebhooks.signatureHeader)
  }

  /// When the request was signed, by its header.
  private static func sentAt(_ document: ProviderDocument) -> Timestamp? {
    let times = document.headerValues(named: StandardWebhooks.timeHeader)
    guard times.count == 1, let seconds = times.first.flatMap(StandardWebhooks.seconds)
    else { return nil }
    let instant = Timestamp(seconds: seconds)
    return instant <= .latest ? instant : nil
  }
}

extension WhopAdapter: CustomStringConvertible {
  /// How it is set up, without the secrets.
  public var description: String {
    "WhopAdapter(\(secrets.count) secrets, trustsUnsigned: \(trustsUnsigned))"
  }
}
