public import MembershipModel

/// Reads what Stripe sends and what its API gives: webhook bodies, and subscription, invoice and
/// checkout session objects.
///
/// A webhook is verified by its `Stripe-Signature` header under each of the secrets. One webhook is
/// one event under Stripe's own id. Payloads of API versions before and after `2025-03-31.basil`
/// give equal events. <doc:Stripe> lists what each event type states.
public struct StripeAdapter: ProviderAdapter {
  private let secrets: [String]
  private let tolerance: Duration
  private let trustsUnsigned: Bool
  private let environment: Environment?

  /// Makes an adapter.
  ///
  /// - Parameters:
  ///   - secrets: The endpoint's signing secrets (`whsec_…`), whole; two while one is rolled.
  ///     Empty ones are left out: they would prove nothing.
  ///   - tolerance: How far the signature's time may lie before or after the time of receipt.
  ///   - trustsUnsigned: Whether documents without a signature are taken as they are, and marked
  ///     unverified; a signature that is there and wrong is refused all the same.
  ///   - environment: The only environment accepted; nil takes whichever a document says.
  public init(
    secrets: [String] = [], tolerance: Duration = .seconds(300), trustsUnsigned: Bool = false,
    environment: Environment? = nil
  ) {
    self.secrets = secrets.filter { !$0.isEmpty }
    self.tolerance = tolerance
    self.trustsUnsigned = trustsUnsigned
    self.environment = environment
  }

  /// Stripe.
  public var provider: Provider { .stripe }

  /// Reads a webhook body, a bare object, or a list of either.
  ///
  /// A bare object's event id follows from its content and time. Its time is the document's
  /// `observedAt`, else the latest instant that the object shows to have passed.
  ///
  /// - Parameter document: The document as it came.
  /// - Returns: Its events, or why it is not accepted.
  public func read(_ document: ProviderDocument) -> Reading {
    do {
      let verification = try verify(document)
      let source = StripeSource(
        verification: verification, environment: environment, observedAt: document.observedAt)
      return .events(try source.events(in: try JSONValue(document: document.body)))
    } catch {
      return .refused(error)
    }
  }

  private static let signature = TimedSignature.Form(
    provider: "Stripe", header: "Stripe-Signature")

  private func verify(_ document: ProviderDocument) throws(Refusal) -> Verification {
    if let verdict = document.verdict { return verdict }
    let headers = document.headerValues(named: Self.signature.headerName)
    if headers.count > 1 {
      throw Refusal(
        .badSignatureHeader, message: "there are \(headers.count) Stripe-Signature headers",
        remedy: "hand over the one header that Stripe sent")
    }
    if let header = headers.first, !secrets.isEmpty {
      try TimedSignature(parsing: header, as: Self.signature).verify(
        document, secrets: secrets, tolerance: tolerance)
      return Verification(.verified, method: Self.signature.method)
    }
    if trustsUnsigned { return Verification(.unverified) }
    if secrets.isEmpty {
      throw Refusal(
        .noSecret, message: "there is no secret to check a signature with",
        remedy: "give the endpoint's signing secret, or say that unsigned documents are trusted")
    }
    throw Refusal(
      .missingSignature, message: "there is no Stripe-Signature header",
      remedy: "hand over the request's headers, or say that unsigned documents are trusted")
  }
}

extension StripeAdapter: CustomStringConvertible {
  /// How it is set up, without the secrets.
  public var description: String {
    "StripeAdapter(\(secrets.count) secrets, trustsUnsigned: \(trustsUnsigned))"
  }
}
