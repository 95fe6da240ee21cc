import MembershipModel

/// What one document says of one object of Whop's, whatever the generation of the document.
struct WhopNotice {
  /// The event's name, or the object's kind where the object came bare.
  let type: String
  let object: DocumentObject
  /// The object as it was before the event, where the document says so.
  let previous: DocumentObject?
  /// When the object was so.
  let at: Timestamp
  /// Whether the document or its signature says when; else it is the latest instant shown.
  let isTimeStated: Bool
  /// Whether the merchant keeps access while past due.
  let keepsPastDue: Bool

  var ordering: SourceOrdering {
    SourceOrdering(
      state: Self.digest(object), previousState: previous.map(Self.digest) ?? 0)
  }

  /// A digest of what facts rest on; 0 for objects of which no snapshot competes with another.
  private static func digest(_ object: DocumentObject) -> UInt64 {
    guard let membership = WhopMembership(object) else { return 0 }
    return DocumentDigest.state(membership.trackedFields)
  }
}
