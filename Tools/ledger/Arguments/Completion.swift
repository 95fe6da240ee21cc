/// What a shell offers in the place of a value.
enum Completion: Sendable {
  case nothing
  case file
  case folder
  case words([Candidate])
  /// Words that only the ledger at hand knows, such as customers or entitlements.
  case dynamic(@Sendable (CompletionContext) -> [Candidate])
}

/// A word that a shell may put on the command line.
struct Candidate: Sendable, Equatable {
  let word: String
  let description: String

  init(_ word: String, _ description: String = "") {
    self.word = word
    self.description = description
  }
}

/// What dynamic candidates are made from.
struct CompletionContext: Sendable {
  /// The ledger that the command line names so far.
  let ledgerPath: String
  /// The beginning of the word that is being completed.
  let prefix: String
}
