import FoundationEssentials
import LedgerTestSupport
import MembershipModel
import Testing

@testable import MembershipProviders

/// Documents that were signed once with keys made for it: `Tools/make-app-store-notifications.swift`
/// makes them anew.
@Suite struct AppStoreSignedTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "AppStoreDocuments")

  private static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appending(path: name)))
  }

  private static func lines(_ name: String) throws -> [JSONValue] {
    try bytes(name).split(separator: UInt8(ascii: "\n")).map { try JSONValue(parsing: $0) }
  }

  private static func adapter(
    bundleID: String = AppStoreFixture.bundle, appAppleID: Int64 = 41_234,
    environment: Environment? = nil, trustsRoot: Bool = true
  ) throws -> AppStoreAdapter {
    AppStoreAdapter(
      bundleID: bundleID, appAppleID: appAppleID,
      roots: trustsRoot ? [try AppStoreRoot(bytes("root.der"))] : [], environment: environment)
  }

  private static func code(_ reading: Reading) -> Refusal.Code? {
    if case .refused(let refusal) = reading { refusal.code } else { nil }
  }

  @Test func `a notification of each type and subtype passes the whole verification`() throws {
    let adapter = try Self.adapter()
    var seen: Set<String> = []
    for document in try Self.lines("notifications.jsonl") {
      let reading = adapter.read(AppStoreFixture.document(document))
      guard case .events(let events) = reading, let event = events.first else {
        Issue.record("\(reading)")
        continue
      }
      let compact = document["signedPayload"]?.string ?? ""
      let payload = try SignedPayload(compact: compact, name: "payload").payload
      let type = try #require(payload["notificationType"]?.string)
      let subtype = payload["subtype"]?.string
      let kind = try #require(AppStoreEventTable.kind(type, subtype))
      #expect(kind.isKnown)
      #expect(events.count == 1)
      #expect(event.id.rawValue == "app-store:\(payload["notificationUUID"]?.string ?? "")")
      #expect(event.provenance.verification.verdict == .verified)
      #expect(event.environment == .production)
      let names = Set(event.facts.map(\.body.name))
      #expect(names.isSuperset(of: kind.kind.facts), "\(kind.kind.name): \(names)")
      let allowed = Set(kind.kind.facts + AppStoreEventTable.snapshotFacts)
        .union(["accountLinked", "noted"])
      #expect(names.isSubset(of: allowed), "\(kind.kind.name): \(names)")
      #expect(names.contains("noted") == (kind.kind.remark != nil), "\(kind.kind.name)")
      seen.insert(kind.kind.name)
    }
    #expect(seen == Set(AppStoreEventTable.kinds.map(\.name)))
  }

  @Test func `what is wrong with a document is refused by its own name`() throws {
    let adapter = try Self.adapter()
    for line in try Self.lines("refused.jsonl") {
      let reading = adapter.read(AppStoreFixture.document(line["document"] ?? .null))
      #expect(
        Self.code(reading)?.rawValue == line["code"]?.string,
        "\(line["what"]?.string ?? ""): \(reading)")
    }
  }

  @Test func `a good document is refused where another one is expected`() throws {
    let document = AppStoreFixture.document(try Self.lines("notifications.jsonl")[0])
    #expect(try Self.code(Self.adapter(trustsRoot: false).read(document)) == .untrustedChain)
    #expect(try Self.code(Self.adapter(bundleID: "com.example").read(document)) == .wrongBundle)
    #expect(try Self.code(Self.adapter(appAppleID: 1).read(document)) == .wrongApp)
    #expect(
      try Self.code(Self.adapter(environment: .sandbox).read(document)) == .wrongEnvironment)
    #expect(try Self.code(Self.adapter(environment: .production).read(document)) == nil)
  }

  @Test func `STORE-65: each cause of a refusal has a code of its own`() throws {
    let codes = Set(try Self.lines("refused.jsonl").compactMap { $0["code"]?.string })
    #expect(codes.count == 8)
  }

  @Test func `one bit changed anywhere in a signed payload is refused`() throws {
    let adapter = try Self.adapter()
    let document = try #require(try Self.lines("notifications.jsonl").last)
    let compact = Array((document["signedPayload"]?.string ?? "").utf8)
    for index in compact.indices where index.isMultiple(of: 3) {
      var damaged = compact
      damaged[index] ^= 1 << UInt8(index / 3 % 6)
      let body: JSONValue = ["signedPayload": .string(String(decoding: damaged, as: UTF8.self))]
      #expect(Self.code(adapter.read(AppStoreFixture.document(body))) != nil, "byte \(index)")
    }
  }

  @Test func `a document that was kept is read by its verdict, which is not judged again`() throws {
    // Without the root, a stranger's bundle and all: it was judged when it came.
    let today = AppStoreAdapter(bundleID: nil)
    for document in try Self.lines("notifications.jsonl") {
      guard case .events(let events) = try Self.adapter().read(AppStoreFixture.document(document))
      else { continue }
      expectSameAgain(events, of: AppStoreFixture.document(document), by: today)
    }
  }

  @Test func `STORE-64: a payload is judged by its own time, asking nobody, whenever it comes`()
    throws
  {
    let adapter = try Self.adapter()
    let document = try Self.lines("notifications.jsonl")[0]
    let readings = ["1999-01-01", "2026-01-01", "2099-01-01"].map { day in
      adapter.read(
        ProviderDocument(body: Array(document.text().utf8), receivedAt: AppStoreFixture.at(day)))
    }
    #expect(Set(readings).count == 1)
    #expect(Self.code(readings[0]) == nil)
  }

  @Test func `a transaction may be handed over by itself, with or without quotes`() throws {
    let adapter = try Self.adapter()
    let notification = try Self.lines("notifications.jsonl")[0]["signedPayload"]?.string ?? ""
    let payload = try SignedPayload(compact: notification, name: "").payload
    let signed = try #require(payload["data"]?["signedTransactionInfo"]?.string)
    let bodies: [JSONValue] = [["signedTransactionInfo": .string(signed)], .string(signed)]
    var readings = Set(bodies.map { adapter.read(AppStoreFixture.document($0)) })
    readings.insert(
      adapter.read(ProviderDocument(body: Array("\n\(signed)\n".utf8), receivedAt: .now())))
    #expect(readings.count == 1)
    guard case .events(let events)? = readings.first else {
      Issue.record("\(readings)")
      return
    }
    #expect(events.first?.provenance.verification.verdict == .verified)
    #expect(events.first?.facts.transactions.first?.id == "app-store:20100")
  }

  @Test func `a history of notifications gives the events that the notifications gave`() throws {
    let adapter = try Self.adapter()
    let documents = try Self.lines("notifications.jsonl")
    let history: JSONValue = [
      "hasMore": false,
      "notificationHistory": .array(
        documents.map { document in
          ["signedPayload": document["signedPayload"] ?? .null, "sendAttempts": []]
        }),
    ]
    guard case .events(let events) = adapter.read(AppStoreFixture.document(history)) else {
      Issue.record("the history is refused")
      return
    }
    let sent = documents.flatMap { document -> [Event] in
      if case .events(let events) = adapter.read(AppStoreFixture.document(document)) {
        events
      } else {
        []
      }
    }
    #expect(events.map { $0.encoded() } == sent.map { $0.encoded() })
    #expect(events.allSatisfy { $0.provenance.origin == .import })
  }

  @Test func `a root is one certificate, in DER or PEM`() throws {
    let der = try Self.bytes("root.der")
    let base64 = Data(der).base64EncodedString()
    let pem = "-----BEGIN CERTIFICATE-----\n\(base64)\n-----END CERTIFICATE-----\n"
    #expect(try AppStoreRoot(der) == AppStoreRoot(Array(pem.utf8)))
    #expect(throws: InvalidValue.self) { try AppStoreRoot([]) }
    #expect(throws: InvalidValue.self) { try AppStoreRoot(Array(der.dropLast())) }
    #expect(throws: InvalidValue.self) { try AppStoreRoot(der + [0]) }
    #expect(throws: InvalidValue.self) { try AppStoreRoot(Array("root".utf8)) }
  }
}
