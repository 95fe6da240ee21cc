import MembershipModel

/// What was found in a document, opened and held against what is expected.
struct AppStoreFound {
  var isVerified: Bool
  let environment: Environment
  /// When what it shows was signed: what is to come, else the transaction, else the document.
  var at: Timestamp
  var transaction: AppStoreTransaction?
  var renewal: AppStoreRenewal?
  var status: Int64?
  /// Whether the standing is part of what Apple signed.
  var isStatusSigned = false
  /// The transaction that it is about, in Apple's words.
  var subject: String?
  /// All that it says, for an id.
  var content: [JSONValue.Field] = []
  var snapshot: AppStoreSnapshot?

  func snapshot(
    _ effect: AppStoreEffect, _ subtype: String?, _ settings: AppStoreSettings
  ) -> AppStoreSnapshot? {
    if transaction == nil, renewal == nil { return nil }
    return AppStoreSnapshot(
      effect: effect, subtype: subtype, transaction: transaction, renewal: renewal, status: status,
      isStatusSigned: isStatusSigned, at: at, settings: settings)
  }
}

extension AppStoreSource {
  /// Opens the payloads of a snapshot, each signed by itself, and holds them against the one around
  /// them, where there is one, and its time.
  func open(
    _ parts: AppStoreParts, _ outerTime: Timestamp?, _ outer: AppStorePayload?,
    _ faults: DocumentFaults
  ) throws(Refusal) -> AppStoreFound {
    let transaction = try parts.transaction.map { (field) throws(Refusal) in
      try opener.open(field, name: "signedTransactionInfo", faults: faults)
    }
    let renewal = try parts.renewal.map { (field) throws(Refusal) in
      try opener.open(field, name: "signedRenewalInfo", faults: faults)
    }
    let opened = [outer, transaction, renewal].compactMap { $0 }
    let environments = Set(opened.map(\.environment))
    guard let environment = environments.first, environments.count == 1 else {
      throw Refusal(
        .wrongEnvironment, message: "the payloads of the document are of different environments",
        remedy: "do not believe it; the App Store never mixes them")
    }
    let soldAt = try transaction.map { (payload) throws(Refusal) in
      try time(payload.signedAt ?? outerTime, of: "transaction")
    }
    let comingAt = try renewal.map { (payload) throws(Refusal) in
      try time(payload.signedAt ?? outerTime, of: "renewal info")
    }
    var found = AppStoreFound(
      isVerified: opened.allSatisfy(\.isVerified), environment: environment,
      at: comingAt ?? soldAt ?? outerTime ?? Timestamp(milliseconds: 0))
    found.transaction = transaction.flatMap {
      AppStoreTransaction($0.object, signedAt: soldAt ?? found.at)
    }
    found.renewal = renewal.flatMap {
      AppStoreRenewal($0.object, signedAt: comingAt ?? found.at)
    }
    found.status = parts.status?.integer
    found.isStatusSigned = outer != nil
    found.subject =
      transaction?.object.text("transactionId") ?? renewal?.object.text("originalTransactionId")
    found.content = [
      .init("transaction", transaction?.object.value ?? .null),
      .init("renewal", renewal?.object.value ?? .null), .init("status", parts.status ?? .null),
    ]
    return found
  }
}
