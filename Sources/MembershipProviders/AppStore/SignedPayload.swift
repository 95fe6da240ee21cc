import LedgerCrypto
import MembershipModel

/// A payload in the compact form of JWS (RFC 7515), read and not verified yet.
struct SignedPayload {
  /// The field that it stood in, for messages.
  let name: String
  let algorithm: String
  /// The certificates of the header, in base64 as they stand there.
  let certificates: [String]
  let payload: JSONValue
  let signature: [UInt8]
  /// What the signature covers.
  let signedBytes: [UInt8]

  /// Reads `HEADER.PAYLOAD.SIGNATURE`.
  init(compact text: String, name: String) throws(Refusal) {
    self.name = name
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3 else {
      throw .malformed(name, "it has \(parts.count) parts, and a signed payload has three")
    }
    let header = try Self.object(in: parts[0], "header", of: name)
    payload = try Self.object(in: parts[1], "payload", of: name)
    guard let signature = Base64.decode(parts[2], .url) else {
      throw .malformed(name, "its signature is not base64url")
    }
    self.signature = signature
    signedBytes = Array(parts[0]) + [UInt8(ascii: ".")] + Array(parts[1])
    guard let algorithm = header["alg"]?.string else {
      throw .malformed(name, "its header names no algorithm")
    }
    self.algorithm = algorithm
    if header["crit"] != nil {
      throw .malformed(name, "its header demands an extension that is not understood")
    }
    guard let certificates = header["x5c"]?.array else {
      throw .malformed(name, "its header has no certificates")
    }
    self.certificates = certificates.map { $0.string ?? "" }
  }

  private static func object(
    in part: Substring.UTF8View, _ partName: String, of name: String
  ) throws(Refusal) -> JSONValue {
    guard let bytes = Base64.decode(part, .url) else {
      throw .malformed(name, "its \(partName) is not base64url")
    }
    guard let value = try? JSONValue(parsing: bytes), value.fields != nil else {
      throw .malformed(name, "its \(partName) is no JSON object")
    }
    return value
  }
}

extension Refusal {
  static func malformed(_ name: String, _ fault: String) -> Refusal {
    Refusal(
      .malformed, message: "the \(name) cannot be read: \(fault)",
      remedy: "hand over the document exactly as the App Store gave it")
  }
}
