import FoundationEssentials
import LedgerTestSupport
import MembershipModel
import MembershipProviders
import Testing

/// Samples of Apple's own server library, where they lie beside the checkout.
@Suite struct AppStoreSharedFilesTests {
  private let folder: String

  init() throws {
    folder = SharedMaterial.folder("data/apple") ?? ""
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: folder + "/" + path)))
  }

  private func judge(
    _ sample: String, root: String? = "swift/certs/testCA.der", in field: String = "signedPayload",
    bundleID: String? = "com.example", appAppleID: Int64? = nil, environment: Environment? = nil,
    trustsUnsigned: Bool = false, changing change: ((inout [UInt8]) -> Void)? = nil
  ) throws -> Reading {
    var compact = try bytes(sample)
    change?(&compact)
    let adapter = AppStoreAdapter(
      bundleID: bundleID, appAppleID: appAppleID,
      roots: try root.map { [try AppStoreRoot(bytes($0))] } ?? [], environment: environment,
      trustsUnsigned: trustsUnsigned)
    let body: JSONValue = .object([
      .init(field, .string(String(decoding: compact, as: UTF8.self)))
    ])
    return adapter.read(AppStoreFixture.document(body))
  }

  private func code(_ reading: Reading) -> Refusal.Code? {
    if case .refused(let refusal) = reading { refusal.code } else { nil }
  }

  private static let mocks = "swift/mock_signed_data/"

  @Test func `the samples are believed or refused for the one thing that is wrong`() throws {
    if folder.isEmpty { return }
    let test = Self.mocks + "testNotification"
    guard case .events(let events) = try judge(test) else {
      Issue.record("the test notification is not believed: \(try judge(test))")
      return
    }
    #expect(events.map(\.id) == ["app-store:9ad56bd2-0bc6-42e0-af24-fd996d87a1e6"])
    #expect(events.first?.environment == .sandbox)
    #expect(events.first?.provenance.verification.verdict == .verified)
    #expect(events.first?.facts.notes.map(\.type) == ["TEST"])

    #expect(try code(judge(Self.mocks + "missingX5CHeaderClaim")) == .malformed)
    #expect(try code(judge(Self.mocks + "wrongBundleId")) == .wrongBundle)
    #expect(try code(judge(test, root: nil)) == .untrustedChain)
    #expect(
      try code(judge(test, root: "embedded-certs/real_apple_root.der")) == .untrustedChain)
    #expect(try code(judge(test, bundleID: "com.example.other")) == .wrongBundle)
    #expect(try code(judge(test, environment: .production)) == .wrongEnvironment)
    #expect(try code(judge(test, appAppleID: 99)) == nil)
  }

  @Test func `transactions and renewal infos without content are believed and noted`() throws {
    if folder.isEmpty { return }
    for (sample, field) in [
      ("transactionInfo", "signedTransactionInfo"), ("renewalInfo", "signedRenewalInfo"),
    ] {
      guard case .events(let events) = try judge(Self.mocks + sample, in: field) else {
        Issue.record("\(sample): \(try judge(Self.mocks + sample, in: field))")
        continue
      }
      #expect(events.first?.provenance.verification.verdict == .verified)
      #expect(events.first?.facts.map(\.body.name) == ["noted"])
    }
  }

  @Test func `what Xcode signs is refused, and taken as unverified where that is trusted`() throws {
    if folder.isEmpty { return }
    let bundle = "com.example.naturelab.backyardbirds.example"
    let sample = "swift/xcode/xcode-signed-transaction"
    let field = "signedTransactionInfo"
    #expect(try code(judge(sample, in: field, bundleID: bundle)) == .untrustedChain)
    let reading = try judge(sample, in: field, bundleID: bundle, trustsUnsigned: true)
    guard case .events(let events) = reading, let event = events.first else {
      Issue.record("\(reading)")
      return
    }
    #expect(event.environment == .sandbox)
    #expect(event.provenance.verification.verdict == .unverified)
    #expect(event.facts.transactions.first?.period?.end.milliseconds == 1_700_358_336_049)
    #expect(
      try code(
        judge(
          sample, in: field, bundleID: bundle, environment: .production, trustsUnsigned: true))
        == .wrongEnvironment)
  }

  @Test func `one letter changed anywhere in a sample is refused`() throws {
    if folder.isEmpty { return }
    let sample = Self.mocks + "testNotification"
    let count = try bytes(sample).count
    for index in stride(from: 0, to: count, by: 7) {
      let reading = try judge(sample) { bytes in
        bytes[index] = bytes[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      }
      #expect(code(reading) != nil, "letter \(index)")
    }
  }

  @Test func `no sample of any kind traps`() throws {
    if folder.isEmpty { return }
    let adapter = AppStoreAdapter(bundleID: nil, trustsUnsigned: true)
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      guard let data = FileManager.default.contents(atPath: folder + "/" + path) else { continue }
      switch adapter.read(ProviderDocument(body: Array(data), receivedAt: AppStoreFixture.now)) {
      case .events(let events):
        for event in events {
          #expect(throws: Never.self, "\(path)") { try Event(decoding: event.encoded()) }
        }
      case .refused: break
      }
    }
  }
}
