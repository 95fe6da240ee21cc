public import MembershipModel

/// One document of a provider: what came, with which headers, and when.
public struct ProviderDocument: Hashable, Sendable {
  /// The bytes exactly as they came; a signature covers each of them.
  public var body: [UInt8]
  /// The HTTP headers by name; the case of a name does not matter.
  public var headers: [String: String]
  /// When it came, by the receiver's clock; the age of a signature is judged by it.
  public var receivedAt: Timestamp
  /// When a fetched object was seen at the provider; nil where the document says it itself.
  public var observedAt: Timestamp?
  /// What was found when the document came, where it is one that a ledger has kept: what proves it
  /// is not judged again, nor asked for.
  public let verdict: Verification?

  /// Makes a document.
  ///
  /// - Parameters:
  ///   - body: The bytes exactly as they came.
  ///   - headers: The HTTP headers by name.
  ///   - receivedAt: When it came.
  ///   - observedAt: When a fetched object was seen at the provider.
  public init(
    body: [UInt8], headers: [String: String] = [:], receivedAt: Timestamp,
    observedAt: Timestamp? = nil
  ) {
    self.body = body
    self.headers = headers
    self.receivedAt = receivedAt
    self.observedAt = observedAt
    verdict = nil
  }

  /// Makes a document of what a ledger has kept, to be read again.
  ///
  /// Its headers and its signature are not needed: the record says what was found.
  ///
  /// - Parameters:
  ///   - body: The bytes that the ledger kept.
  ///   - record: An event that the document stated, as recorded.
  ///   - observedAt: When a fetched object was seen at the provider; nil where the document says it
  ///     itself.
  public init(kept body: [UInt8], of record: RecordedEvent, observedAt: Timestamp?) {
    self.body = body
    headers = [:]
    receivedAt = record.recordedAt
    self.observedAt = observedAt
    verdict = record.event.provenance.verification
  }

  /// The values of the headers with this name, whatever the case of its letters.
  func headerValues(named name: String) -> [String] {
    headers.filter { $0.key.lowercased() == name }.map(\.value)
  }
}
