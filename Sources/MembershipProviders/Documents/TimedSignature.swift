import LedgerCrypto
import MembershipModel

/// A header `t=SECONDS,v1=HEX`: a time, and HMAC-SHA256 codes that cover it and the body.
struct TimedSignature {
  /// Whose header it is, and what it is called, for messages.
  struct Form {
    let provider: String
    let header: String

    /// The name that its header goes by in a request.
    var headerName: String { header.lowercased() }
    /// What a verdict calls it.
    var method: String { "\(headerName) v1" }
  }

  private let form: Form
  /// The time as written: what was signed is its text, not its value.
  private let timeText: Substring
  private let signedAt: Int64
  private let codes: [Digest]

  /// Reads `t=SECONDS,v1=HEX[,v1=HEX…]`; other schemes, and codes that are no SHA-256, are skipped.
  init(parsing header: String, as form: Form) throws(Refusal) {
    self.form = form
    var times: [Substring] = []
    var codes: [Digest] = []
    for part in header.split(separator: ",", omittingEmptySubsequences: false) {
      let pair = part.trimmingSpaces.split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2, let scheme = pair.first, let value = pair.last else {
        throw form.badHeader("a part of it is not NAME=VALUE")
      }
      if scheme == "t" {
        times.append(value)
      } else if scheme == "v1", let code = Digest(hexadecimal: String(value)) {
        codes.append(code)
      }
    }
    guard let timeText = times.first, times.count == 1 else {
      throw form.badHeader(times.isEmpty ? "it has no time" : "it has two times")
    }
    guard timeText.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let signedAt = Int64(timeText)
    else { throw form.badHeader("its time is no number of seconds") }
    guard !codes.isEmpty else { throw form.badHeader("it has no signature of scheme v1") }
    self.timeText = timeText
    self.signedAt = signedAt
    self.codes = codes
  }

  /// Checks the codes first and the age after, so that an age says nothing to who cannot sign.
  func verify(
    _ document: ProviderDocument, secrets: [String], tolerance: Duration
  ) throws(Refusal) {
    let message = Array(timeText.utf8) + [UInt8(ascii: ".")] + document.body
    var isSigned = false
    for secret in secrets {
      let expected = HMACSHA256.authenticationCode(for: message, key: Array(secret.utf8))
      for code in codes where constantTimeEquals(expected, code) { isSigned = true }
    }
    guard isSigned else { throw form.mismatch(secrets) }
    try checkAge(at: document.receivedAt, tolerance)
  }

  /// Whole seconds, as the header has them; the bound itself passes.
  private func checkAge(at receivedAt: Timestamp, _ tolerance: Duration) throws(Refusal) {
    let received = receivedAt.milliseconds / 1000
    let (age, overflows) = received.subtractingReportingOverflow(signedAt)
    let bound = tolerance.components.seconds
    if age > bound || (overflows && received > signedAt) { throw form.tooOld(age, bound) }
    if age < -bound || overflows { throw form.fromFuture(bound) }
  }
}

extension Substring {
  fileprivate var trimmingSpaces: Substring {
    var rest = drop { $0 == " " }
    while rest.last == " " { rest.removeLast() }
    return rest
  }
}

extension TimedSignature.Form {
  fileprivate func badHeader(_ fault: String) -> Refusal {
    Refusal(
      .badSignatureHeader, message: "the \(header) header cannot be read: \(fault)",
      remedy: "hand over the header exactly as \(provider) sent it")
  }

  fileprivate func mismatch(_ secrets: [String]) -> Refusal {
    let isPadded = secrets.contains { secret in
      secret.first?.isWhitespace == true || secret.last?.isWhitespace == true
    }
    return Refusal(
      .signatureMismatch,
      message: "no v1 signature matches the body under any of \(secrets.count) secrets",
      remedy: isPadded
        ? "remove the white space around the secret"
        : "hand over the raw body unchanged, and the secret of this very endpoint")
  }

  fileprivate func tooOld(_ age: Int64, _ bound: Int64) -> Refusal {
    Refusal(
      .tooOld, message: "the signature is \(age) s old; at most \(bound) s are allowed",
      remedy: "let \(provider) send the event again, which signs it afresh")
  }

  fileprivate func fromFuture(_ bound: Int64) -> Refusal {
    Refusal(
      .fromFuture,
      message: "the signature's time lies more than \(bound) s after the time of receipt",
      remedy: "set the receiving machine's clock right")
  }
}
