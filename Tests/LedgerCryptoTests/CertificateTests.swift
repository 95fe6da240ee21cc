import FoundationEssentials
import LedgerCrypto
import LedgerTestSupport
import Testing

/// Certificates of a test authority that was made for this: a root, an intermediate, a leaf that
/// signed a message, and what else may go wrong.
@Suite struct CertificateTests {
  private static func bytes(_ base64: String) -> [UInt8] {
    Base64.decode(base64.utf8.filter { $0 > 0x20 }, .standard) ?? []
  }

  private static func certificate(_ base64: String) throws -> Certificate {
    try #require(Certificate(der: bytes(base64)))
  }

  /// 2026-01-01, within the validity of all; 2024 lies before, 2046 after it.
  private static let within: Int64 = 1_767_225_600

  @Test func `a certificate is read from exactly its own bytes`() throws {
    let der = Self.bytes(CertificateVectors.leaf)
    #expect(try #require(Certificate(der: der)).fingerprint == SHA256.hash(der))
    for count in 0..<der.count { #expect(Certificate(der: Array(der.prefix(count))) == nil) }
    #expect(Certificate(der: der + [0]) == nil)
    #expect(Certificate(der: Array("-----BEGIN CERTIFICATE-----".utf8)) == nil)
  }

  @Test func `damaged bytes never trap, and lead to no root`() throws {
    let root = try Self.certificate(CertificateVectors.root)
    let intermediate = try Self.certificate(CertificateVectors.intermediate)
    let der = Self.bytes(CertificateVectors.leaf)
    for index in der.indices {
      for bit in 0..<8 {
        var damaged = der
        damaged[index] ^= 1 << UInt8(bit)
        guard let leaf = Certificate(der: damaged) else { continue }
        _ = leaf.hasP256Key
        _ = leaf.isValid(at: Self.within)
        let isSound = CertificatePath.isSound(
          leaf: leaf, intermediate: intermediate, root: root)
        #expect(!isSound, "byte \(index), bit \(bit)")
      }
    }
  }

  @Test func `a path leads from the leaf over the intermediate to the root, and no other way`()
    throws
  {
    let root = try Self.certificate(CertificateVectors.root)
    let intermediate = try Self.certificate(CertificateVectors.intermediate)
    let leaf = try Self.certificate(CertificateVectors.leaf)
    let foreign = try Self.certificate(CertificateVectors.foreignRoot)
    func isSound(_ leaf: Certificate, _ intermediate: Certificate, _ root: Certificate) -> Bool {
      CertificatePath.isSound(leaf: leaf, intermediate: intermediate, root: root)
    }
    #expect(isSound(leaf, intermediate, root))
    #expect(!isSound(leaf, intermediate, foreign))
    #expect(!isSound(leaf, root, root))
    #expect(!isSound(intermediate, root, root))
    #expect(!isSound(intermediate, leaf, root))
    #expect(!isSound(leaf, leaf, root))
    #expect(!isSound(leaf, leaf, leaf))
    #expect(!isSound(root, root, root))
  }

  @Test func `validity is of an instant, and no clock is asked`() throws {
    let leaf = try Self.certificate(CertificateVectors.leaf)
    #expect(leaf.isValid(at: Self.within))
    for seconds in [.min, -1, 0, 1_704_067_200, 2_398_377_600, .max] as [Int64] {
      #expect(!leaf.isValid(at: seconds), "\(seconds)")
    }
  }

  @Test func `extensions are found by their numbers`() throws {
    let leaf = try Self.certificate(CertificateVectors.leaf)
    #expect(leaf.hasExtension("1.2.840.113635.100.6.11.1"))
    #expect(leaf.hasExtension("2.5.29.19"))
    #expect(!leaf.hasExtension("1.2.840.113635.100.6.2.1"))
    for name in ["", "basicConstraints", "1.2.x", "-1", "."] {
      #expect(!leaf.hasExtension(name), "\(name)")
    }
  }

  @Test func `a signature is by the key of its certificate, over the very message`() throws {
    let leaf = try Self.certificate(CertificateVectors.leaf)
    let intermediate = try Self.certificate(CertificateVectors.intermediate)
    let message = Array(CertificateVectors.message.utf8)
    let signature = Self.bytes(CertificateVectors.signature)
    #expect(leaf.hasP256Key)
    #expect(leaf.verifiesES256(signature, of: message))
    #expect(!intermediate.verifiesES256(signature, of: message))
    #expect(!leaf.verifiesES256(signature, of: message + [0]))
    #expect(!leaf.verifiesES256(signature, of: []))
    for index in signature.indices {
      for bit in 0..<8 {
        var damaged = signature
        damaged[index] ^= 1 << UInt8(bit)
        #expect(!leaf.verifiesES256(damaged, of: message))
      }
    }
    for damaged in [
      [], Array(signature.dropLast()), signature + [0], [UInt8](repeating: 0, count: 64),
      [UInt8](repeating: 0xff, count: 64), Array(signature.suffix(32) + signature.prefix(32)),
    ] {
      #expect(!leaf.verifiesES256(damaged, of: message))
    }
  }

  @Test func `a key of another curve signs nothing here`() throws {
    let other = try Self.certificate(CertificateVectors.otherCurve)
    #expect(!other.hasP256Key)
    #expect(!other.verifiesES256(Self.bytes(CertificateVectors.signature), of: []))
  }
}
