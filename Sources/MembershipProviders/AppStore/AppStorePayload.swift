import MembershipModel

/// A payload that may be believed, or that is trusted as it is.
struct AppStorePayload {
  let object: DocumentObject
  let isVerified: Bool
  /// When it was signed, where it says so.
  let signedAt: Timestamp?
  let environment: Environment
}

/// Opens the payloads of one document and holds each against what is expected.
struct AppStoreOpener {
  private let settings: AppStoreSettings
  private let verifier: AppStoreVerifier
  /// When a payload counts as signed that does not say so.
  private let receivedAt: Timestamp
  /// Whether it was judged before what signed the payloads; it is not judged again then.
  private let isJudged: Bool

  init(_ settings: AppStoreSettings, _ document: ProviderDocument) {
    self.settings = settings
    receivedAt = document.receivedAt
    isJudged = document.verdict != nil
    verifier = AppStoreVerifier(roots: settings.roots)
  }

  /// Whether payloads are taken that Apple does not sign.
  var trustsUnsigned: Bool { settings.trustsUnsigned || isJudged }

  /// Opens a payload: signed in compact form or, where unsigned ones are trusted, as an object.
  ///
  /// Messages call it by the name given; `scope` finds the part of it that names bundle, app and
  /// environment.
  func open(
    _ field: JSONValue, name: String, faults: DocumentFaults,
    scope: (DocumentObject) -> DocumentObject = { $0 }
  ) throws(Refusal) -> AppStorePayload {
    if let text = field.string {
      let signed = try SignedPayload(compact: text, name: name)
      let object = DocumentObject(signed.payload, path: "\(name).", faults: faults)
      let isLocal = Self.isLocal(scope(object))
      if isLocal, !trustsUnsigned { throw .local(name) }
      let payload = payload(object, scope(object), isVerified: !isLocal)
      if !isLocal, !isJudged { try verifier.verify(signed, at: payload.signedAt ?? receivedAt) }
      try compare(payload, scope(object), name)
      return payload
    }
    guard field.fields != nil else { throw .malformed(name, "it is no signed payload") }
    guard trustsUnsigned else {
      throw Refusal(
        .missingSignature, message: "the \(name) is not signed",
        remedy: "hand over the signed payload, or say that unsigned documents are trusted")
    }
    let object = DocumentObject(field, path: "\(name).", faults: faults)
    let payload = payload(object, scope(object), isVerified: false)
    try compare(payload, scope(object), name)
    return payload
  }

  private func payload(
    _ object: DocumentObject, _ scope: DocumentObject, isVerified: Bool
  ) -> AppStorePayload {
    AppStorePayload(
      object: object, isVerified: isVerified,
      signedAt: object.date("signedDate") ?? object.date("receiptCreationDate"),
      environment: Self.environment(of: scope))
  }

  /// What does not say that its money is real never counts as real.
  private static func environment(of scope: DocumentObject) -> Environment {
    if let token = scope.text("externalPurchaseId") {
      return token.hasPrefix("SANDBOX") ? .sandbox : .production
    }
    let name = scope.text("environment") ?? scope.text("receiptType")
    return name == "Production" ? .production : .sandbox
  }

  /// Whether it comes from a test on the developer's own machine, which Apple does not sign.
  private static func isLocal(_ scope: DocumentObject) -> Bool {
    let name = scope.text("environment") ?? scope.text("receiptType")
    return name == "Xcode" || name == "LocalTesting"
  }

  private func compare(
    _ payload: AppStorePayload, _ scope: DocumentObject, _ name: String
  ) throws(Refusal) {
    if let expected = settings.bundleID, !name.hasSuffix("RenewalInfo") {
      let found = scope.text("bundleId")
      guard found == expected else {
        throw Refusal(
          .wrongBundle,
          message: "the \(name) is of \(found.map { "the bundle \($0)" } ?? "no bundle"), and "
            + "\(expected) is expected",
          remedy: "accept that bundle, or send its documents elsewhere")
      }
    }
    if let expected = settings.environment, expected != payload.environment {
      throw Refusal(
        .wrongEnvironment,
        message: "the \(name) is of \(payload.environment.name), and \(expected.name) is expected",
        remedy: "accept that environment, or send its documents elsewhere")
    }
  }

  /// Apple's notifications name the app in production, those of its sandbox need not.
  func compareApp(_ scope: DocumentObject, _ environment: Environment) throws(Refusal) {
    guard let expected = settings.appAppleID, environment == .production else { return }
    let found = scope.integer("appAppleId")
    guard found == expected else {
      throw Refusal(
        .wrongApp,
        message: "the notification is of \(found.map { "the app \($0)" } ?? "no app"), and "
          + "\(expected) is expected",
        remedy: "accept that app, or send its notifications elsewhere")
    }
  }
}

extension Refusal {
  fileprivate static func local(_ name: String) -> Refusal {
    Refusal(
      .untrustedChain,
      message: "the \(name) comes from a test on a developer's machine; Apple has not signed it",
      remedy: "do not believe it; on such a machine say that unsigned documents are trusted")
  }
}
