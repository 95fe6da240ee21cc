import LedgerCrypto
import MembershipModel

/// Judges the signed payloads of one document.
///
/// A payload counts as the App Store's where its three certificates lead to a trusted root, bear
/// Apple's marks, were valid when it was signed, and the first of them verifies its signature. The
/// clock of whoever checks plays no part, so that a payload is judged alike for ever.
final class AppStoreVerifier {
  /// What Apple's receipt signing certificates bear.
  private static let leafMark = "1.2.840.113635.100.6.11.1"
  /// What Apple's intermediate certificates for developer relations bear.
  private static let intermediateMark = "1.2.840.113635.100.6.2.1"

  static let method = "app-store jws ES256"

  private let roots: [AppStoreRoot]
  /// The paths that were found sound: payloads within payloads mostly share theirs.
  private var paths: [[String]: Path] = [:]

  private struct Path {
    let leaf: Certificate
    let intermediate: Certificate
    let root: Certificate
  }

  init(roots: [AppStoreRoot]) {
    self.roots = roots
  }

  /// Throws where the payload is not the App Store's as of an instant.
  func verify(_ signed: SignedPayload, at instant: Timestamp) throws(Refusal) {
    guard signed.algorithm == "ES256" else {
      throw .wrongAlgorithm(signed, "it is signed by \(signed.algorithm.prefix(20))")
    }
    let path = try path(of: signed)
    guard path.leaf.hasExtension(Self.leafMark) else {
      throw .missingMarker(signed, "signing certificate", Self.leafMark)
    }
    guard path.intermediate.hasExtension(Self.intermediateMark) else {
      throw .missingMarker(signed, "intermediate certificate", Self.intermediateMark)
    }
    guard path.leaf.hasP256Key else {
      throw .wrongAlgorithm(signed, "the key that signed it is not of the curve P-256")
    }
    let seconds = instant.milliseconds / 1000
    for certificate in [path.leaf, path.intermediate, path.root]
    where !certificate.isValid(at: seconds) {
      throw Refusal(
        .expiredCertificate,
        message: "a certificate of the \(signed.name) was not valid at \(instant), when it was "
          + "signed",
        remedy: "do not believe it; the App Store signs with certificates that are valid")
    }
    guard path.leaf.verifiesES256(signed.signature, of: signed.signedBytes) else {
      throw Refusal(
        .signatureMismatch, message: "the signature of the \(signed.name) is wrong",
        remedy: "hand over the document exactly as the App Store gave it")
    }
  }

  private func path(of signed: SignedPayload) throws(Refusal) -> Path {
    if let known = paths[signed.certificates] { return known }
    guard signed.certificates.count == 3 else {
      throw .malformed(
        signed.name,
        "its header has \(signed.certificates.count) certificates, and the App Store gives three")
    }
    let leaf = try certificate(0, of: signed)
    let intermediate = try certificate(1, of: signed)
    for root in trustedRoots(besides: signed.certificates[2])
    where CertificatePath.isSound(leaf: leaf, intermediate: intermediate, root: root) {
      let path = Path(leaf: leaf, intermediate: intermediate, root: root)
      paths[signed.certificates] = path
      return path
    }
    throw Refusal(
      .untrustedChain,
      message: "the certificates of the \(signed.name) do not lead to a root that is trusted",
      remedy: "do not believe it; for tests with a root of your own, give that root")
  }

  private func certificate(_ index: Int, of signed: SignedPayload) throws(Refusal) -> Certificate {
    guard let der = Base64.decode(signed.certificates[index].utf8, .standard),
      let certificate = Certificate(der: der)
    else { throw .malformed(signed.name, "x5c[\(index)] is no certificate") }
    return certificate
  }

  /// The roots given, and the header's own where it is the one that is known by its fingerprint.
  private func trustedRoots(besides claimed: String) -> [Certificate] {
    let given = roots.compactMap { Certificate(der: $0.bytes) }
    guard let der = Base64.decode(claimed.utf8, .standard), let own = Certificate(der: der),
      own.fingerprint == AppStoreRoot.appleFingerprint
    else { return given }
    return [own] + given
  }
}

extension Refusal {
  fileprivate static func wrongAlgorithm(_ signed: SignedPayload, _ fault: String) -> Refusal {
    Refusal(
      .wrongAlgorithm, message: "the \(signed.name) is not signed by ES256: \(fault)",
      remedy: "do not believe it; the App Store signs by ES256")
  }

  fileprivate static func missingMarker(
    _ signed: SignedPayload, _ certificate: String, _ mark: String
  ) -> Refusal {
    Refusal(
      .missingMarker,
      message: "the \(certificate) of the \(signed.name) lacks the extension \(mark)",
      remedy: "do not believe it; it is not signed for the App Store")
  }
}
