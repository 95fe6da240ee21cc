/// Why a document is not accepted, and what to do about it.
public struct Refusal: Error, Hashable, Sendable {
  /// The rule that the document breaks.
  public let code: Code
  /// What is wrong, in one sentence that names the input.
  public let message: String
  /// What to do about it, in one sentence.
  public let remedy: String

  /// Makes a refusal.
  ///
  /// - Parameters:
  ///   - code: The rule that the document breaks.
  ///   - message: What is wrong.
  ///   - remedy: What to do about it.
  public init(_ code: Code, message: String, remedy: String) {
    self.code = code
    self.message = message
    self.remedy = remedy
  }

  /// Whether a later delivery of the document can be accepted.
  ///
  /// True where a setting or a clock is at fault, or where each delivery is signed afresh: answer
  /// the provider so that it sends the document again. False where the document itself is.
  public var isWorthRetrying: Bool {
    switch code {
    case .noSecret, .signatureMismatch, .tooOld, .fromFuture: true
    case .unreadable, .wrongShape, .malformed, .missingSignature, .badSignatureHeader,
      .wrongAlgorithm, .untrustedChain, .missingMarker, .expiredCertificate, .wrongBundle,
      .wrongApp, .wrongEnvironment, .missingTime:
      false
    }
  }

  /// The HTTP status to answer the provider with: 503 asks for the document again, 200 does not.
  ///
  /// A status of the 400s is no third answer: some providers send such documents again, others never.
  public var httpStatus: Int { isWorthRetrying ? 503 : 200 }

  /// The rules that a document can break.
  @nonexhaustive public enum Code: String, Hashable, Sendable, CaseIterable {
    /// It is empty, too large, too deep or not JSON.
    case unreadable
    /// It is no document of this provider, or none that is read.
    case wrongShape
    /// It lacks what identifies it.
    case malformed
    /// It is unsigned, and there is no secret to know a signed one by.
    case noSecret
    /// It is unsigned.
    case missingSignature
    /// Its signature header does not have the provider's form.
    case badSignatureHeader
    /// None of its signatures is right.
    case signatureMismatch
    /// It was signed too long ago.
    case tooOld
    /// It was signed too far in the future.
    case fromFuture
    /// It is signed by an algorithm that its provider does not use.
    case wrongAlgorithm
    /// Its certificates do not lead to a root that is trusted.
    case untrustedChain
    /// Its certificates lack the mark of what they may sign.
    case missingMarker
    /// Its certificates were not valid when it was signed.
    case expiredCertificate
    /// It is of another bundle.
    case wrongBundle
    /// It is of another app.
    case wrongApp
    /// It is of test mode where real money is expected, or the reverse.
    case wrongEnvironment
    /// It says nowhere when it was true.
    case missingTime
  }
}

extension Refusal: CustomStringConvertible {
  /// The code, the message and the remedy in one line.
  public var description: String { "\(code.rawValue): \(message). \(remedy)." }
}
