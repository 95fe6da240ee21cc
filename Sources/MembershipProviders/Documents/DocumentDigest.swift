import LedgerCrypto
import MembershipModel

/// Digests of what documents say.
enum DocumentDigest {
  /// What puts documents of one instant in order: the first 8 bytes of SHA-256 over the lines.
  static func state(_ lines: [String]) -> UInt64 {
    SHA256.hash(Array(lines.joined(separator: "\n").utf8)).bytes.prefix(8)
      .reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The name of an event whose document has no id: what it is about, when, and all that it says.
  ///
  /// The same document gives the same name, however its fields are ordered.
  static func eventName(
    of subject: String, at instant: Timestamp, content: JSONValue
  ) -> String {
    let text = "\(instant.milliseconds)\n\(content.withSortedFields.text())"
    let digest = SHA256.hash(Array(text.utf8)).bytes.prefix(16)
    return "\(subject)@\(Hexadecimal.encode(digest))"
  }
}
