import MembershipModel

/// What is there in a document and cannot be used, in words; shared by all readers of it.
final class DocumentFaults {
  /// Whose document it is; the ids in it get this prefix.
  let provider: Provider
  private(set) var reasons: [String] = []

  init(_ provider: Provider) {
    self.provider = provider
  }

  /// Remembers a reason once; a hostile document gets no more than 20.
  func note(_ reason: String) {
    if reasons.count < 20, !reasons.contains(reason) { reasons.append(reason) }
  }
}
