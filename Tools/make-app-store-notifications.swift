// Makes App Store documents for tests, signed with keys that are made afresh and thrown away.
//
//     swift Tools/make-app-store-notifications.swift FOLDER
//
// Writes into FOLDER: root.der, the root certificate of the tests; notifications.jsonl, one
// notification of every type and subtype, signed the way the App Store signs; refused.jsonl, documents
// with one thing wrong in each, beside the code of the refusal that is due; tour.jws, the purchase in
// the command's tour. Needs openssl.

import Foundation

struct Failure: Error, CustomStringConvertible {
  let description: String
}

/// A folder for keys and certificates that is removed at the end.
struct Workshop {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  func path(_ name: String) -> String { folder.appending(path: name).path }

  @discardableResult
  func openssl(_ arguments: String...) throws -> Data {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    process.currentDirectoryURL = folder
    let (output, errors) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (output, errors)
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    let complaint = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(
        description: "openssl \(arguments.joined(separator: " ")): "
          + String(decoding: complaint, as: UTF8.self))
    }
    return data
  }

  func write(_ text: String, to name: String) throws {
    try text.write(toFile: path(name), atomically: true, encoding: .utf8)
  }
}

/// A key with a certificate, and those that issued it.
struct Signer {
  let name: String
  /// The certificates in DER from its own to the root.
  let chain: [Data]
}

struct Authority {
  let workshop: Workshop

  static let leafMark = "1.2.840.113635.100.6.11.1 = ASN1:NULL"
  static let intermediateMark = "1.2.840.113635.100.6.2.1 = ASN1:NULL"

  init() throws {
    workshop = try Workshop()
    try workshop.write("", to: "index.txt")
    try workshop.write("unique_subject = no\n", to: "index.txt.attr")
  }

  /// Makes a key and a certificate for it, issued by another, or by itself where there is none.
  func issue(
    _ name: String, by issuer: Signer?, isAuthority: Bool, mark: String = "",
    from start: String = "20250101000000Z", until end: String = "20450101000000Z"
  ) throws -> Signer {
    try workshop.openssl(
      "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", "\(name).key")
    try workshop.openssl(
      "req", "-new", "-key", "\(name).key", "-subj", "/CN=\(name)", "-out", "\(name).csr")
    let usage = isAuthority ? "keyCertSign, cRLSign" : "digitalSignature"
    try workshop.write(
      """
      [ ca ]
      default_ca = authority
      [ authority ]
      dir = .
      database = index.txt
      new_certs_dir = .
      rand_serial = yes
      default_md = sha256
      policy = any
      [ any ]
      commonName = supplied
      [ extensions ]
      basicConstraints = critical, CA:\(isAuthority ? "TRUE" : "FALSE")
      keyUsage = critical, \(usage)
      \(mark)

      """, to: "\(name).cnf")
    let signing =
      issuer.map { ["-cert", "\($0.name).pem", "-keyfile", "\($0.name).key"] }
      ?? ["-selfsign", "-keyfile", "\(name).key"]
    let process = ["ca", "-batch", "-notext", "-config", "\(name).cnf", "-in", "\(name).csr"]
    try run(
      process + signing + [
        "-extensions", "extensions", "-startdate", start, "-enddate", end, "-out", "\(name).pem",
      ])
    let own = try workshop.openssl("x509", "-in", "\(name).pem", "-outform", "DER")
    return Signer(name: name, chain: [own] + (issuer?.chain ?? []))
  }

  private func run(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    process.currentDirectoryURL = workshop.folder
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let complaint = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    if process.terminationStatus != 0 {
      throw Failure(description: String(decoding: complaint, as: UTF8.self))
    }
  }

  /// A payload in the compact form of JWS.
  func sign(
    _ payload: [String: Any], by signer: Signer, algorithm: String = "ES256",
    certificates: [Data]? = nil
  ) throws -> String {
    let chain = (certificates ?? signer.chain).map { $0.base64EncodedString() }
    let header = try Self.text(["alg": algorithm, "x5c": chain])
    let signed = Self.base64URL(header) + "." + Self.base64URL(try Self.text(payload))
    try workshop.write(signed, to: "signed")
    let der = try workshop.openssl(
      "dgst", "-sha256", "-sign", "\(signer.name).key", "-binary", "signed")
    return signed + "." + Self.base64URL(Self.raw([UInt8](der)))
  }

  private static func text(_ object: [String: Any]) throws -> Data {
    try JSONSerialization.data(
      withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
  }

  static func base64URL(_ data: Data) -> String {
    data.base64EncodedString().replacingOccurrences(of: "+", with: "-")
      .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
  }

  /// The two numbers of a signature, 32 bytes each, out of their DER form.
  private static func raw(_ der: [UInt8]) -> Data {
    var rest = der.dropFirst(2)
    var numbers: [UInt8] = []
    while let length = rest.dropFirst().first {
      let digits = rest.dropFirst(2).prefix(Int(length)).drop { $0 == 0 }
      numbers += [UInt8](repeating: 0, count: 32 - digits.count) + digits
      rest = rest.dropFirst(2 + Int(length))
    }
    return Data(numbers)
  }
}

// MARK: - What is signed

let day: Int64 = 86_400_000
let january: Int64 = 1_767_225_600_000  // 2026-01-01
let february = january + 31 * day

/// One notification to be made: its names, and what differs in it from a month bought in January.
struct Sample {
  var type: String
  var subtype = ""
  var signedAt = january
  var status = 1
  var transaction: [String: Any]? = [:]
  var renewal: [String: Any]? = [:]
  var scope = "data"
  var extra: [String: Any] = [:]
}

let refunded: [String: Any] = [
  "revocationDate": january + 9 * day, "revocationReason": 0, "revocationType": "REFUND_FULL",
]
let nextMonth: [String: Any] = [
  "transactionId": "+1", "transactionReason": "RENEWAL", "purchaseDate": february,
  "expiresDate": february + 28 * day,
]
let upgraded: [String: Any] = [
  "transactionId": "+1", "productId": "com.example.pro.yearly", "purchaseDate": january + 9 * day,
  "expiresDate": january + 374 * day, "price": 99_990,
]
let forYear: [String: Any] = [
  "productId": "com.example.pro.yearly", "autoRenewProductId": "com.example.pro.yearly",
  "renewalDate": january + 374 * day,
]
let downgrade: [String: Any] = ["autoRenewProductId": "com.example.basic.monthly"]
let off: [String: Any] = ["autoRenewStatus": 0]

func over(_ intent: Int) -> [String: Any] {
  ["autoRenewStatus": 0, "expirationIntent": intent, "isInBillingRetryPeriod": false]
}

let onceBought: [String: Any] = [
  "type": "Non-Consumable", "productId": "com.example.lifetime", "price": 49_990,
]
let grace: [String: Any] = [
  "isInBillingRetryPeriod": true, "gracePeriodExpiresDate": february + 16 * day,
]

let samples: [Sample] = [
  Sample(type: "SUBSCRIBED", subtype: "INITIAL_BUY"),
  Sample(type: "SUBSCRIBED", subtype: "RESUBSCRIBE"),
  Sample(type: "DID_RENEW", signedAt: february, transaction: nextMonth),
  Sample(
    type: "DID_RENEW", subtype: "BILLING_RECOVERY", signedAt: february + 3 * day,
    transaction: nextMonth),
  Sample(
    type: "OFFER_REDEEMED", transaction: ["offerType": 2, "offerDiscountType": "PAY_UP_FRONT"]),
  Sample(
    type: "OFFER_REDEEMED", subtype: "INITIAL_BUY",
    transaction: ["offerType": 3, "offerDiscountType": "FREE_TRIAL", "price": 0]),
  Sample(
    type: "OFFER_REDEEMED", subtype: "RESUBSCRIBE",
    transaction: ["offerType": 4, "offerDiscountType": "PAY_AS_YOU_GO"]),
  Sample(
    type: "OFFER_REDEEMED", subtype: "UPGRADE", signedAt: january + 9 * day, transaction: upgraded,
    renewal: forYear),
  Sample(
    type: "OFFER_REDEEMED", subtype: "DOWNGRADE", signedAt: january + 9 * day, renewal: downgrade),
  Sample(type: "ONE_TIME_CHARGE", transaction: onceBought, renewal: nil),
  Sample(
    type: "RENEWAL_EXTENDED", signedAt: january + 9 * day,
    renewal: ["renewalDate": february + 14 * day]),
  Sample(
    type: "DID_CHANGE_RENEWAL_PREF", subtype: "UPGRADE", signedAt: january + 9 * day,
    transaction: upgraded, renewal: forYear),
  Sample(
    type: "DID_CHANGE_RENEWAL_PREF", subtype: "DOWNGRADE", signedAt: january + 9 * day,
    renewal: downgrade),
  Sample(type: "DID_CHANGE_RENEWAL_PREF", signedAt: january + 9 * day),
  Sample(
    type: "DID_CHANGE_RENEWAL_STATUS", subtype: "AUTO_RENEW_DISABLED", signedAt: january + 9 * day,
    renewal: off),
  Sample(
    type: "DID_CHANGE_RENEWAL_STATUS", subtype: "AUTO_RENEW_ENABLED", signedAt: january + 9 * day),
  Sample(
    type: "DID_FAIL_TO_RENEW", subtype: "GRACE_PERIOD", signedAt: february, status: 4,
    renewal: grace),
  Sample(
    type: "DID_FAIL_TO_RENEW", signedAt: february, status: 3,
    renewal: ["isInBillingRetryPeriod": true]),
  Sample(
    type: "GRACE_PERIOD_EXPIRED", signedAt: february + 16 * day, status: 3, renewal: grace),
  Sample(
    type: "EXPIRED", subtype: "VOLUNTARY", signedAt: february + day, status: 2, renewal: over(1)),
  Sample(
    type: "EXPIRED", subtype: "BILLING_RETRY", signedAt: february + 60 * day, status: 2,
    renewal: over(2)),
  Sample(
    type: "EXPIRED", subtype: "PRICE_INCREASE", signedAt: february + day, status: 2,
    renewal: over(3)),
  Sample(
    type: "EXPIRED", subtype: "PRODUCT_NOT_FOR_SALE", signedAt: february + day, status: 2,
    renewal: over(4)),
  Sample(type: "EXPIRED", signedAt: february + day, status: 2, renewal: over(5)),
  Sample(
    type: "REFUND", signedAt: january + 9 * day, status: 5, transaction: refunded, renewal: off),
  Sample(type: "REFUND_REVERSED", signedAt: january + 12 * day),
  Sample(type: "REFUND_DECLINED", signedAt: january + 9 * day),
  Sample(
    type: "REVOKE", signedAt: january + 9 * day, status: 5,
    transaction: [
      "inAppOwnershipType": "FAMILY_SHARED", "revocationDate": january + 9 * day,
      "revocationType": "FAMILY_REVOKE",
    ], renewal: off),
  Sample(
    type: "CONSUMPTION_REQUEST", signedAt: january + 9 * day,
    extra: ["consumptionRequestReason": "UNINTENDED_PURCHASE"]),
  Sample(
    type: "PRICE_INCREASE", subtype: "PENDING", signedAt: january + 9 * day,
    renewal: ["priceIncreaseStatus": 0]),
  Sample(
    type: "PRICE_INCREASE", subtype: "ACCEPTED", signedAt: january + 9 * day,
    renewal: ["priceIncreaseStatus": 1]),
  Sample(type: "PRICE_CHANGE", signedAt: january + 9 * day),
  Sample(type: "METADATA_UPDATE", signedAt: january + 9 * day),
  Sample(type: "MIGRATION", signedAt: january + 9 * day),
  Sample(
    type: "RENEWAL_EXTENSION", subtype: "SUMMARY", transaction: nil, renewal: nil,
    scope: "summary",
    extra: [
      "productId": "com.example.pro.monthly", "requestIdentifier": "request-1",
      "storefrontCountryCodes": ["USA"], "succeededCount": 5, "failedCount": 2,
    ]),
  Sample(type: "RENEWAL_EXTENSION", subtype: "FAILURE", signedAt: january + 9 * day),
  Sample(
    type: "EXTERNAL_PURCHASE_TOKEN", subtype: "CREATED", transaction: nil, renewal: nil,
    scope: "externalPurchaseToken",
    extra: ["externalPurchaseId": "token-1", "tokenCreationDate": january]),
  Sample(
    type: "EXTERNAL_PURCHASE_TOKEN", subtype: "ACTIVE_TOKEN_REMINDER", transaction: nil,
    renewal: nil, scope: "externalPurchaseToken",
    extra: ["externalPurchaseId": "token-1", "tokenCreationDate": january]),
  Sample(
    type: "EXTERNAL_PURCHASE_TOKEN", subtype: "UNREPORTED", transaction: nil, renewal: nil,
    scope: "externalPurchaseToken",
    extra: ["externalPurchaseId": "token-1", "tokenCreationDate": january]),
  Sample(type: "RESCIND_CONSENT", transaction: nil, renewal: nil, scope: "appData"),
  Sample(type: "TEST", transaction: nil, renewal: nil),
]

/// Makes notifications; each is about a subscription of its own.
struct Factory {
  let authority: Authority
  let signer: Signer
  var nested: Signer
  var bundle = "com.example.app"
  var nestedBundle = "com.example.app"
  var environment = "Production"
  var nestedEnvironment = "Production"

  init(_ authority: Authority, _ signer: Signer) {
    (self.authority, self.signer, nested) = (authority, signer, signer)
  }

  private func transaction(_ sample: Sample, _ original: String) -> [String: Any]? {
    guard let changes = sample.transaction else { return nil }
    var fields: [String: Any] = [
      "transactionId": original, "originalTransactionId": original,
      "webOrderLineItemId": "9\(original)", "bundleId": nestedBundle,
      "productId": "com.example.pro.monthly", "subscriptionGroupIdentifier": "21000000",
      "type": "Auto-Renewable Subscription", "purchaseDate": january,
      "originalPurchaseDate": january, "expiresDate": february, "quantity": 1,
      "appAccountToken": "7e3fb20b-4cdb-47cc-936d-99d65f608138",
      "inAppOwnershipType": "PURCHASED", "signedDate": sample.signedAt,
      "environment": nestedEnvironment, "transactionReason": "PURCHASE", "storefront": "USA",
      "storefrontId": "143441", "price": 9990, "currency": "USD",
      "appTransactionId": "704000000000000001",
    ]
    fields.merge(changes) { $1 }
    if fields["transactionId"] as? String == "+1" { fields["transactionId"] = "\(original)1" }
    if sample.renewal == nil { fields["expiresDate"] = nil }
    return fields
  }

  private func renewal(_ sample: Sample, _ original: String) -> [String: Any]? {
    guard let changes = sample.renewal else { return nil }
    let fields: [String: Any] = [
      "originalTransactionId": original, "productId": "com.example.pro.monthly",
      "autoRenewProductId": "com.example.pro.monthly", "autoRenewStatus": 1,
      "renewalDate": sample.signedAt >= february ? february + 28 * day : february,
      "renewalPrice": 9990, "currency": "USD", "signedDate": sample.signedAt,
      "environment": nestedEnvironment, "recentSubscriptionStartDate": january,
    ]
    return fields.merging(changes) { $1 }
  }

  /// What an app hands over after a purchase in the tour: April, paid at its beginning.
  func tourPurchase() throws -> String {
    let (start, end) = (january + 91 * day, january + 121 * day)
    let fields: [String: Any] = [
      "transactionId": "88", "originalTransactionId": "88", "bundleId": "com.example.sound",
      "productId": "sound.pro.monthly", "type": "Auto-Renewable Subscription",
      "purchaseDate": start, "originalPurchaseDate": start, "expiresDate": end, "quantity": 1,
      "appAccountToken": "0e52a2c4-6f1c-4d5b-9a5e-b1d0a7f3c288", "inAppOwnershipType": "PURCHASED",
      "signedDate": start, "environment": "Production", "price": 9990, "currency": "USD",
    ]
    return try authority.sign(fields, by: signer)
  }

  func payload(_ sample: Sample, number: Int) throws -> [String: Any] {
    let original = "20\(100 + number)"
    var scope: [String: Any] = ["bundleId": bundle, "appAppleId": 41_234]
    if sample.scope != "externalPurchaseToken" { scope["environment"] = environment }
    if sample.scope == "data" { scope["bundleVersion"] = "3" }
    if let transaction = transaction(sample, original) {
      scope["signedTransactionInfo"] = try authority.sign(transaction, by: nested)
      if sample.renewal != nil { scope["status"] = sample.status }
    }
    if let renewal = renewal(sample, original) {
      scope["signedRenewalInfo"] = try authority.sign(renewal, by: signer)
    }
    if sample.scope == "appData" {
      scope["signedAppTransactionInfo"] = try authority.sign(
        [
          "appTransactionId": "704000000000000001", "bundleId": bundle,
          "receiptType": "Production", "receiptCreationDate": sample.signedAt,
        ], by: signer)
    }
    scope.merge(sample.extra) { $1 }
    var fields: [String: Any] = [
      "notificationType": sample.type, "version": "2.0", "signedDate": sample.signedAt,
      "notificationUUID": "00000000-0000-4000-8000-0000000\(10_000 + number)",
      sample.scope: scope,
    ]
    if !sample.subtype.isEmpty { fields["subtype"] = sample.subtype }
    return fields
  }
}

// MARK: - Making

guard CommandLine.arguments.count == 2 else {
  print("usage: swift Tools/make-app-store-notifications.swift FOLDER")
  exit(64)
}
let output = URL(filePath: CommandLine.arguments[1])
let authority = try Authority()
defer { try? FileManager.default.removeItem(at: authority.workshop.folder) }

let root = try authority.issue("test root", by: nil, isAuthority: true)
let middle = try authority.issue(
  "test intermediate", by: root, isAuthority: true, mark: Authority.intermediateMark)
let leaf = try authority.issue(
  "test leaf", by: middle, isAuthority: false, mark: Authority.leafMark)
let factory = Factory(authority, leaf)

try root.chain[0].write(to: output.appending(path: "root.der"))
try factory.tourPurchase().write(
  to: output.appending(path: "tour.jws"), atomically: true, encoding: .utf8)
let notifications = try samples.enumerated().map { number, sample in
  try authority.sign(factory.payload(sample, number: number), by: leaf)
}
try notifications.map { "{\"signedPayload\":\"\($0)\"}\n" }.joined()
  .write(to: output.appending(path: "notifications.jsonl"), atomically: true, encoding: .utf8)

let plainMiddle = try authority.issue("plain intermediate", by: root, isAuthority: true)
let underPlain = try authority.issue(
  "leaf under plain", by: plainMiddle, isAuthority: false, mark: Authority.leafMark)
let plainLeaf = try authority.issue("plain leaf", by: middle, isAuthority: false)
let oldLeaf = try authority.issue(
  "old leaf", by: middle, isAuthority: false, mark: Authority.leafMark, until: "20251231000000Z")
let oldMiddle = try authority.issue(
  "old intermediate", by: root, isAuthority: true, mark: Authority.intermediateMark,
  until: "20251231000000Z")
let underOld = try authority.issue(
  "leaf under old", by: oldMiddle, isAuthority: false, mark: Authority.leafMark)
let notAuthority = try authority.issue(
  "no authority", by: root, isAuthority: false, mark: Authority.intermediateMark)
let underNone = try authority.issue(
  "leaf under none", by: notAuthority, isAuthority: false, mark: Authority.leafMark)
let foreignRoot = try authority.issue("foreign root", by: nil, isAuthority: true)
let foreignMiddle = try authority.issue(
  "foreign intermediate", by: foreignRoot, isAuthority: true, mark: Authority.intermediateMark)
let foreignLeaf = try authority.issue(
  "foreign leaf", by: foreignMiddle, isAuthority: false, mark: Authority.leafMark)

let first = samples[0]
let last = samples.count - 1
let payload = try factory.payload(samples[last], number: last)
func changed(_ change: (inout Factory) -> Void) throws -> String {
  var copy = factory
  change(&copy)
  return try authority.sign(copy.payload(first, number: 0), by: leaf)
}
let good = notifications[last]
let parts = good.split(separator: ".").map(String.init)
let otherPayload = payload.merging(["notificationUUID": "another"]) { $1 }
let other = try authority.sign(otherPayload, by: leaf).split(separator: ".").map(String.init)

let wrong: [(code: String, what: String, payload: String)] = [
  ("malformed", "two parts", parts[0] + "." + parts[1]),
  ("malformed", "four parts", good + ".AAAA"),
  ("malformed", "padding", parts[0] + "=." + parts[1] + "." + parts[2]),
  (
    "malformed", "two certificates",
    try authority.sign(payload, by: leaf, certificates: Array(leaf.chain.prefix(2)))
  ),
  (
    "malformed", "four certificates",
    try authority.sign(payload, by: leaf, certificates: leaf.chain + [root.chain[0]])
  ),
  (
    "malformed", "no certificate",
    try authority.sign(payload, by: leaf, certificates: [Data([1, 2, 3])] + leaf.chain.dropFirst())
  ),
  ("wrongAlgorithm", "none", try authority.sign(payload, by: leaf, algorithm: "none")),
  ("wrongAlgorithm", "HS256", try authority.sign(payload, by: leaf, algorithm: "HS256")),
  ("untrustedChain", "a foreign root", try authority.sign(payload, by: foreignLeaf)),
  (
    "untrustedChain", "a foreign chain that shows the root",
    try authority.sign(
      payload, by: foreignLeaf, certificates: foreignLeaf.chain.prefix(2) + [root.chain[0]])
  ),
  (
    "untrustedChain", "certificates in the wrong order",
    try authority.sign(payload, by: leaf, certificates: leaf.chain.reversed())
  ),
  (
    "untrustedChain", "an intermediate that may not issue",
    try authority.sign(payload, by: underNone)
  ),
  ("missingMarker", "a leaf without a mark", try authority.sign(payload, by: plainLeaf)),
  ("missingMarker", "an intermediate without a mark", try authority.sign(payload, by: underPlain)),
  ("expiredCertificate", "a leaf that was over", try authority.sign(payload, by: oldLeaf)),
  (
    "expiredCertificate", "an intermediate that was over", try authority.sign(payload, by: underOld)
  ),
  (
    "signatureMismatch", "another payload's signature",
    [parts[0], parts[1], other[2]].joined(separator: ".")
  ),
  (
    "signatureMismatch", "another payload",
    [parts[0], other[1], parts[2]].joined(separator: ".")
  ),
  (
    "signatureMismatch", "another key under the same certificates",
    try authority.sign(payload, by: foreignLeaf, certificates: leaf.chain)
  ),
  ("signatureMismatch", "a short signature", parts[0] + "." + parts[1] + ".AAAA"),
  ("wrongBundle", "another bundle", try changed { $0.bundle = "com.example.other" }),
  ("wrongBundle", "another bundle within", try changed { $0.nestedBundle = "com.example.other" }),
  (
    "wrongEnvironment", "two environments", try changed { $0.nestedEnvironment = "Sandbox" }
  ),
  ("untrustedChain", "a foreign payload within", try changed { $0.nested = foreignLeaf }),
  ("missingMarker", "a payload within without a mark", try changed { $0.nested = plainLeaf }),
]
try wrong.map { entry in
  "{\"code\":\"\(entry.code)\",\"what\":\"\(entry.what)\","
    + "\"document\":{\"signedPayload\":\"\(entry.payload)\"}}\n"
}.joined().write(
  to: output.appending(path: "refused.jsonl"), atomically: true, encoding: .utf8)
print("\(notifications.count) notifications, \(wrong.count) documents to refuse")
