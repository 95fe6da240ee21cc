/// How the ledger came to know an event.
public struct Provenance: Hashable, Sendable {
  /// The way it came.
  public var origin: Origin
  /// Whether the document was proven to be the provider's.
  public var verification: Verification
  /// The digest under which the detached document is kept; empty where there is none.
  public var document: [UInt8] {
    get { documentDigest.content }
    set { documentDigest.content = newValue }
  }
  /// An id of the service's own that ties events together.
  public var correlation: String
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  private var documentDigest: Bytes

  /// Makes a provenance.
  ///
  /// - Parameters:
  ///   - origin: The way it came.
  ///   - verification: Whether the document was proven to be the provider's.
  ///   - document: The digest under which the detached document is kept.
  ///   - correlation: An id of the service's own that ties events together.
  public init(
    origin: Origin, verification: Verification = Verification(.unverified),
    document: [UInt8] = [], correlation: String = ""
  ) {
    self.origin = origin
    self.verification = verification
    self.documentDigest = Bytes(document)
    self.correlation = correlation
  }
}

extension Provenance: Message {
  package static var messageName: String { "Provenance" }

  package static var blank: Provenance {
    Provenance(origin: .defaultValue, verification: Verification(.defaultValue))
  }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "origin", &origin)
    try visitor.field(2, "verification", &verification)
    try visitor.field(3, "document", &documentDigest)
    try visitor.field(4, "correlation", &correlation)
  }
}

/// The verdict on a document's origin, given once at its arrival and never again.
public struct Verification: Hashable, Sendable {
  /// The verdict.
  public var verdict: Verdict
  /// By what means, such as `stripe-signature v1`.
  public var method: String
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes a verdict.
  ///
  /// - Parameters:
  ///   - verdict: The verdict.
  ///   - method: By what means.
  public init(_ verdict: Verdict, method: String = "") {
    self.verdict = verdict
    self.method = method
  }

  /// Whether a document is proven to be the provider's.
  @nonexhaustive public enum Verdict: Hashable, Sendable {
    /// A signature proves it.
    case verified
    /// Nothing proves it: it was trusted as it came, or is our own.
    case unverified
    /// A value of a newer version, by its number.
    case unrecognized(Int64)
  }
}

extension Verification: Message {
  package static var messageName: String { "Verification" }

  package static var blank: Verification { Verification(.defaultValue) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "verdict", &verdict)
    try visitor.field(2, "method", &method)
  }
}

extension Verification.Verdict: OpenEnum {
  package static var schemaType: String { "Verdict" }
  package static let known: [(value: Verification.Verdict, number: Int64, name: String)] = [
    (.verified, 1, "verified"), (.unverified, 2, "unverified"),
  ]

  package var unrecognizedNumber: Int64? {
    if case .unrecognized(let number) = self { number } else { nil }
  }
}
