import Foundation
import LedgerTestSupport
import MembershipModel
import Testing

@testable import LedgerCommand

/// Of what is refused nothing is recorded, whoever sent it.
@Suite struct RefusalCommandTests {
  private static let documents: [(name: String, text: String)] = [
    ("no JSON", "id=1&type=a"), ("cut off", #"{"id": "a", "#),
    ("of nobody", #"{"hello":"world"}"#), ("twice", #"{"id": "a", "id": "b"}"#),
    ("deep", String(repeating: "[", count: 200) + String(repeating: "]", count: 200)),
    ("huge number", #"{"id":"a","object":"event","created":1e400,"type":"x","data":{}}"#),
  ]

  @Test(arguments: IngestProvider.allCases.map(\.rawValue))
  func `nothing of a refused document is recorded`(provider: String) throws {
    try LedgerFolder.with { folder in
      for (name, text) in Self.documents {
        let file = try folder.file("document.json", text)
        let outcome = try folder.run("ingest", provider, "--trust-unsigned", file)
        #expect(outcome.status == 1 || outcome.status == 65, "\(name): \(outcome)")
        #expect(outcome.output.contains("refused") || !outcome.errors.isEmpty, "\(name)")
        #expect(try folder.json("stats")["events"] == .integer(0), "\(name): \(outcome.output)")
      }
    }
  }

  @Test(arguments: IngestProvider.allCases.map(\.rawValue))
  func `a document without proof is refused, and the message says what would prove it`(
    provider: String
  ) throws {
    try LedgerFolder.with { folder in
      let secret = try folder.file("secret", "whsec_1\n")
      let file = try folder.file("document.json", #"{"signedPayload":{"notificationType":"TEST"}}"#)
      let outcome = try folder.run("ingest", provider, "--secret-file", secret, file)
      #expect(outcome.status == 1, "\(outcome)")
      #expect(outcome.output.contains("missingSignature"), "\(outcome.output)")
      #expect(outcome.errors.contains("--trust-unsigned"), "\(outcome.errors)")
      #expect(try folder.json("stats")["events"] == .integer(0))
    }
  }
}
