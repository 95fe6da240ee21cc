import FoundationEssentials
import LedgerCrypto
import MembershipModel
import MembershipProviders

/// Documents of one provider as they come, with what a C program needs to check their signatures.
struct SignedDocuments {
  let adapter: any ProviderAdapter
  var documents: [ProviderDocument] = []
  /// Checks all signatures by OpenSSL alone; how many documents are right.
  let check: () -> Int

  var byteCount: Int { documents.reduce(0) { $0 + $1.body.count } }

  private static let secret = "whsec_of_no_value"
  private static let now: Int64 = 1_780_000_000

  /// The folder of the package, whose tests have the documents.
  private static let package = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../../..")

  /// The webhooks from which fuzzing starts, signed as their provider signs.
  static func webhooks(
    of corpus: String, _ adapter: any ProviderAdapter, trusting: any ProviderAdapter,
    headers: ([UInt8]) -> [String: String]
  ) throws -> SignedDocuments {
    let folder = package.appending(path: "Tests/Corpus/\(corpus)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let bodies = try names.map { [UInt8](try Data(contentsOf: folder.appending(path: $0))) }
      .filter { body in
        let plain = ProviderDocument(body: body, receivedAt: Timestamp(seconds: now))
        guard case .events(let events) = trusting.read(plain) else { return false }
        return !events.isEmpty
      }
    let proofs = bodies.map { body in (message: signed(body), code: code(body)) }
    let key = Array(secret.utf8)
    return SignedDocuments(
      adapter: adapter,
      documents: bodies.map {
        ProviderDocument(
          body: $0, headers: headers(code($0)), receivedAt: Timestamp(seconds: now))
      },
      check: { proofs.count { BaselineProof.isRight($0.code, of: $0.message, key: key) } })
  }

  static func stripe() throws -> SignedDocuments {
    try webhooks(
      of: "stripe", StripeAdapter(secrets: [secret]), trusting: StripeAdapter(trustsUnsigned: true)
    ) { ["Stripe-Signature": "t=\(now),v1=\(Hexadecimal.encode($0))"] }
  }

  static func voidhash() throws -> SignedDocuments {
    try webhooks(
      of: "voidhash", VoidhashAdapter(secrets: [secret]),
      trusting: VoidhashAdapter(trustsUnsigned: true)
    ) {
      [
        "X-Webhook-Timestamp": "\(now)", "X-Webhook-Signature": "v1=\(Hexadecimal.encode($0))",
      ]
    }
  }

  static func revenueCat() throws -> SignedDocuments {
    try webhooks(
      of: "revenuecat", RevenueCatAdapter(secrets: [secret]),
      trusting: RevenueCatAdapter(trustsUnsigned: true)
    ) { ["X-RevenueCat-Webhook-Signature": "t=\(now),v1=\(Hexadecimal.encode($0))"] }
  }

  /// What the signature of a webhook covers: the time, and the body.
  private static func signed(_ body: [UInt8]) -> [UInt8] { Array("\(now).".utf8) + body }

  private static func code(_ body: [UInt8]) -> [UInt8] {
    HMACSHA256.authenticationCode(for: signed(body), key: Array(secret.utf8)).bytes
  }
}

extension SignedDocuments {
  /// One notification of every type, each with the signed payloads within it.
  static func appStore() throws -> SignedDocuments {
    let folder = package.appending(path: "Tests/MembershipProvidersTests/AppStoreDocuments")
    let root = try AppStoreRoot([UInt8](Data(contentsOf: folder.appending(path: "root.der"))))
    let lines = try Data(contentsOf: folder.appending(path: "notifications.jsonl"))
      .split(separator: UInt8(ascii: "\n")).map { [UInt8]($0) }
    let proofs = try lines.map { line in
      let payload = try JSONValue(parsing: line)["signedPayload"]?.string ?? ""
      return try payloads(in: payload)
    }
    return SignedDocuments(
      adapter: AppStoreAdapter(bundleID: "com.example.app", roots: [root]),
      documents: lines.map { ProviderDocument(body: $0, receivedAt: Timestamp(seconds: now)) },
      check: { proofs.count { BaselineProof.isRight($0.chain, $0.parts) } })
  }

  private typealias Proof = (chain: [[UInt8]], parts: [(message: [UInt8], signature: [UInt8])])

  /// The chain and the signatures of a payload, and of those within it.
  private static func payloads(in compact: String) throws -> Proof {
    let parts = compact.utf8.split(separator: UInt8(ascii: "."))
    guard parts.count == 3, let header = Base64.decode(parts[0], .url),
      let content = Base64.decode(parts[1], .url), let signature = Base64.decode(parts[2], .url)
    else { throw WrongResult("a signed payload has three parts") }
    let certificates = try JSONValue(parsing: header)["x5c"]?.array ?? []
    var proof: Proof = (
      certificates.compactMap { Base64.decode(($0.string ?? "").utf8, .standard) },
      [(Array(parts[0]) + [UInt8(ascii: ".")] + Array(parts[1]), signature)]
    )
    let payload = try JSONValue(parsing: content)
    for scope in ["data", "appData", "summary", "externalPurchaseToken"] {
      for field in payload[scope]?.fields ?? [] where field.key.hasPrefix("signed") {
        if let inner = field.value.string { proof.parts += try payloads(in: inner).parts }
      }
    }
    return proof
  }
}
