import MembershipModel

/// How far the time of a signature may lie from the time of receipt.
enum SignatureAge {
  /// Judges in whole seconds, as signatures have them; the bound itself passes.
  static func check(
    _ signedAt: Int64, at receivedAt: Timestamp, _ tolerance: Duration, sender: String
  ) throws(Refusal) {
    let received = receivedAt.milliseconds / 1000
    let (age, overflows) = received.subtractingReportingOverflow(signedAt)
    let bound = tolerance.components.seconds
    if age > bound || (overflows && received > signedAt) {
      throw Refusal(
        .tooOld, message: "the signature is \(age) s old; at most \(bound) s are allowed",
        remedy: "let \(sender) send the event again, which signs it afresh")
    }
    if age < -bound || overflows {
      throw Refusal(
        .fromFuture,
        message: "the signature's time lies more than \(bound) s after the time of receipt",
        remedy: "set the receiving machine's clock right")
    }
  }
}

extension Refusal {
  /// No secret gives any of the codes in a header.
  static func wrongCode(of header: String, secrets: Int) -> Refusal {
    Refusal(
      .signatureMismatch,
      message: "no code in \(header) matches the body under any of \(secrets) secrets",
      remedy: "hand over the raw body unchanged, and the secret of this very endpoint")
  }

  /// Nothing that would prove the document came with it, or nothing is at hand to prove it by.
  static func unproven(hasSecrets: Bool, header: String) -> Refusal {
    if hasSecrets {
      return Refusal(
        .missingSignature, message: "there is no \(header) header",
        remedy: "hand over the request's headers, or say that unsigned documents are trusted")
    }
    return Refusal(
      .noSecret, message: "there is no secret to check a signature with",
      remedy: "give the endpoint's signing secret, or say that unsigned documents are trusted")
  }
}
