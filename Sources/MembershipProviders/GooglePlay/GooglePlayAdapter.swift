internal import LedgerCrypto
public import MembershipModel

/// Reads what Google Play sends and what its API gives: developer notifications, bare or in the
/// body of a Pub/Sub push, and fetched subscriptions, one-time purchases and voided purchases.
///
/// A notification says only that something changed: it is noted, with what to fetch. The fetched
/// resource, wrapped with its purchase token and the time of the fetch, is what facts follow from.
/// <doc:GooglePlay> lists what each notification and each state gives.
public struct GooglePlayAdapter: ProviderAdapter {
  private let secrets: [String]
  private let packageNames: Set<String>
  private let trustsUnsigned: Bool
  private let environment: Environment?

  /// Makes an adapter.
  ///
  /// - Parameters:
  ///   - secrets: The tokens of which a document's `Authorization: Bearer` header has to hold one;
  ///     two while one is replaced. Empty ones are left out: they would prove nothing.
  ///   - packageNames: The apps whose documents are accepted; none accepts all.
  ///   - trustsUnsigned: Whether documents without an `Authorization` header are taken as they are,
  ///     and marked unverified, such as resources that the service fetched itself.
  ///   - environment: The only environment accepted; nil takes whichever a document says. What does
  ///     not say it, such as a notification, is taken for it, or for production.
  public init(
    secrets: [String] = [], packageNames: Set<String> = [], trustsUnsigned: Bool = false,
    environment: Environment? = nil
  ) {
    self.secrets = secrets.filter { !$0.isEmpty }
    self.packageNames = packageNames
    self.trustsUnsigned = trustsUnsigned
    self.environment = environment
  }

  /// Google Play.
  public var provider: Provider { .googlePlay }

  /// Reads a push body, a developer notification, or a fetched resource in its wrapping.
  ///
  /// The event id of a push is its message's; every other one follows from the document's content
  /// and time. The time of a resource is its `observedAt`, else the document's, else that of the
  /// notification beside it.
  ///
  /// - Parameter document: The document as it came.
  /// - Returns: Its events, or why it is not accepted.
  public func read(_ document: ProviderDocument) -> Reading {
    do {
      let source = GooglePlaySource(
        verification: try verify(document), environment: environment, packageNames: packageNames,
        observedAt: document.observedAt)
      return .events(try source.events(in: try JSONValue(document: document.body)))
    } catch {
      return .refused(error)
    }
  }

  private func verify(_ document: ProviderDocument) throws(Refusal) -> Verification {
    if let verdict = document.verdict { return verdict }
    let headers = document.headerValues(named: "authorization")
    if headers.count > 1 {
      throw Refusal(
        .badSignatureHeader, message: "there are \(headers.count) Authorization headers",
        remedy: "hand over the one header that came")
    }
    if let header = headers.first, !secrets.isEmpty {
      try check(header)
      return Verification(.verified, method: "google-play bearer token")
    }
    if trustsUnsigned { return Verification(.unverified) }
    if secrets.isEmpty {
      throw Refusal(
        .noSecret, message: "there is no token to know a document by",
        remedy: "give the token that documents bear, or say that unsigned documents are trusted")
    }
    throw Refusal(
      .missingSignature, message: "there is no Authorization header",
      remedy: "hand over the request's headers, or say that unsigned documents are trusted")
  }

  private func check(_ header: String) throws(Refusal) {
    let scheme = "bearer "
    guard header.lowercased().hasPrefix(scheme) else {
      throw Refusal(
        .badSignatureHeader, message: "the Authorization header has not the form Bearer TOKEN",
        remedy: "hand over the header exactly as it came")
    }
    let token = Array(header.utf8.dropFirst(scheme.utf8.count))
    // Every secret is compared, so that the time does not tell which one was right.
    let matches = secrets.map { constantTimeEquals(Array($0.utf8), token) }
    if matches.contains(true) { return }
    throw Refusal(
      .signatureMismatch, message: "the bearer token is none of \(secrets.count) tokens",
      remedy: "give the token that the push subscription sends; one signed by Google is for the "
        + "endpoint to verify")
  }
}

extension GooglePlayAdapter: CustomStringConvertible {
  /// How it is set up, without the secrets.
  public var description: String {
    "GooglePlayAdapter(\(secrets.count) secrets, trustsUnsigned: \(trustsUnsigned))"
  }
}
