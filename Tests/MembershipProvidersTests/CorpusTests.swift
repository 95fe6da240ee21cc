import Foundation
import MembershipModel
import MembershipProviders
import Testing

/// The inputs from which fuzzing starts, and those that it found: each is read soundly for ever.
@Suite("The corpus of fuzzing") struct CorpusTests {
  private static let adapters: [String: any ProviderAdapter] = [
    "stripe": StripeAdapter(trustsUnsigned: true), "whop": WhopAdapter(trustsUnsigned: true),
    "voidhash": VoidhashAdapter(trustsUnsigned: true),
    "revenuecat": RevenueCatAdapter(trustsUnsigned: true),
    "google-play": GooglePlayAdapter(trustsUnsigned: true),
    "app-store": AppStoreAdapter(bundleID: nil, trustsUnsigned: true),
    "app-store-signed": AppStoreAdapter(
      bundleID: nil, roots: testRoot.map { [$0] } ?? []),
  ]

  private static let testRoot = try? AppStoreRoot(
    Array(Data(contentsOf: AppStoreSignedTests.folder.appending(path: "root.der"))))

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../Corpus")

  private static func inputs(of target: String) throws -> [[UInt8]] {
    try FileManager.default.contentsOfDirectory(
      at: folder.appending(path: target), includingPropertiesForKeys: nil
    ).map { [UInt8](try Data(contentsOf: $0)) }
  }

  @Test(arguments: adapters.keys.sorted())
  func `every input is read in one way, to events that can be recorded`(target: String) throws {
    let adapter = try #require(Self.adapters[target])
    let inputs = try Self.inputs(of: target)
    #expect(!inputs.isEmpty)
    for input in inputs {
      let document = ProviderDocument(
        body: input, receivedAt: receivedAt, observedAt: receivedAt)
      let reading = adapter.read(document)
      #expect(adapter.read(document) == reading)
      guard case .events(let events) = reading else { continue }
      for event in events {
        #expect(try Event(decoding: event.encoded()).encoded() == event.encoded())
      }
    }
  }

  @Test func `every record is read to what it was written from, or refused`() throws {
    let inputs = try Self.inputs(of: "record")
    #expect(!inputs.isEmpty)
    for input in inputs {
      guard let record = try? RecordedEvent(decoding: input) else { continue }
      #expect(try RecordedEvent(decoding: record.encoded()) == record)
    }
  }
}
