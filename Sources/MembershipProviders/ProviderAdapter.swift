public import MembershipModel

/// Turns the documents of one provider into events.
///
/// An adapter is a pure function of a document and its own settings: it knows no clock and no
/// ledger, and reads equal documents equally for ever.
public protocol ProviderAdapter: Sendable {
  /// The provider whose documents it reads.
  var provider: Provider { get }

  /// Reads one document.
  ///
  /// No input traps. Nothing that a document says is dropped: what has no effect, is not known or
  /// cannot be trusted becomes the fact `noted` with the reason.
  ///
  /// - Parameter document: The document as it came.
  /// - Returns: Its events, or why it is not accepted.
  func read(_ document: ProviderDocument) -> Reading
}

/// What reading a document gave.
public enum Reading: Hashable, Sendable {
  /// The events that it states: one for a webhook, one for each object of a list.
  ///
  /// Their `provenance.document` is empty: who keeps the document fills it in.
  case events([Event])
  /// Nothing of it may be recorded.
  case refused(Refusal)

  /// The events; throws the refusal where there are none.
  ///
  /// - Returns: The events.
  /// - Throws: `Refusal` where nothing of the document may be recorded.
  public func get() throws(Refusal) -> [Event] {
    switch self {
    case .events(let events): return events
    case .refused(let refusal): throw refusal
    }
  }
}
