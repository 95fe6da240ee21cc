/// The terms as they stood at a position of theirs; decoded once for all that read under them.
struct TermsCache: Sendable {
  /// The position of the last event about the terms; 0 before the first.
  let version: Position
  let terms: TermsState
}
