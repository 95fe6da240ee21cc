import LedgerCrypto
public import MembershipModel

/// A root certificate that signed payloads may lead to.
///
/// Apple Root CA - G3 is always trusted and need not be given, except where payloads should not have
/// to bring it along. Give another one for tests alone: whoever holds its key can make purchases up.
public struct AppStoreRoot: Hashable, Sendable {
  /// The certificate in DER.
  let bytes: [UInt8]

  /// Reads a root certificate.
  ///
  /// - Parameter bytes: The certificate, in DER or in PEM.
  /// - Throws: `InvalidValue` where the bytes are not exactly one certificate.
  public init(_ bytes: [UInt8]) throws(InvalidValue) {
    let der = Self.pemContent(bytes) ?? bytes
    guard Certificate(der: der) != nil else {
      throw InvalidValue(
        value: "\(bytes.count) bytes", rule: "a root is one X.509 certificate in DER or PEM")
    }
    self.bytes = der
  }

  /// The SHA-256 fingerprint of Apple Root CA - G3.
  static let appleFingerprint = Digest(
    hexadecimal: "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179")

  private static func pemContent(_ bytes: [UInt8]) -> [UInt8]? {
    let lines = bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    guard let first = lines.first, first.elementsEqual("-----BEGIN CERTIFICATE-----".utf8),
      let last = lines.last, last.elementsEqual("-----END CERTIFICATE-----".utf8)
    else { return nil }
    return Base64.decode(lines.dropFirst().dropLast().joined(), .standard)
  }
}
