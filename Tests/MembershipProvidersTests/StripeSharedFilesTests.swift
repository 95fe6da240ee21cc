import FoundationEssentials
import LedgerTestSupport
import MembershipModel
import MembershipProviders
import Testing

@Suite struct StripeSharedFilesTests {
  @Test func `every recorded file gives events or a refusal`() throws {
    guard let folder = SharedMaterial.folder("data/stripe") else { return }
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".json") }.sorted()
    #expect(!paths.isEmpty)
    var outcomes: [String: Int] = [:]
    for path in paths {
      let data = try Data(contentsOf: URL(filePath: folder + "/" + path))
      let document = ProviderDocument(
        body: Array(data), receivedAt: receivedAt, observedAt: receivedAt)
      let isEvent = (try? JSONValue(parsing: data))?["object"] == .string("event")
      switch trustingStripe.read(document) {
      case .events(let events):
        for event in events {
          #expect(!event.facts.isEmpty, "\(path)")
          #expect(throws: Never.self, "\(path)") { try Event(decoding: event.encoded()) }
          outcomes[event.facts.first?.body.name ?? "", default: 0] += 1
        }
      case .refused(let refusal):
        #expect(!isEvent, "\(path): \(refusal)")
        outcomes["refused: \(refusal.code)", default: 0] += 1
      }
    }
    print("\(paths.count) files: \(outcomes.sorted { $0.key < $1.key })")
  }
}
