import Foundation
import LedgerTestSupport
import MembershipModel
import Testing

@testable import LedgerCommand

@Suite struct DemoTests {
  /// The root covers the digests of documents, which each ledger salts for itself.
  private static func masked(_ text: String) -> String {
    text.replacing(/root( +)[0-9a-f]{64}/) { "root\($0.1)…" }
  }

  @Test func `the tour is as recorded and ends sound`() throws {
    let result = try LedgerProcess.ledger("demo")
    #expect(result.status == 0, "\(result.errors)")
    try expectSnapshot(Self.masked(result.output), named: "demo.txt")
  }

  @Test func `a tour is not begun where something lies`() throws {
    try withScratchFolder { scratch in
      try Data("text".utf8).write(to: URL(filePath: scratch + "/file"))
      for place in [scratch, scratch + "/file"] {
        let result = try LedgerProcess.ledger("demo", "--keep", place)
        #expect(result.status == 74 && result.output.isEmpty)
        #expect(
          result.errors == """
            ledger: \(place): there is something already
            Name a new or empty folder with --keep; the tour makes a ledger of its own there.

            """)
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: scratch) == ["file"])
    }
  }

  @Test func `the tour leaves nothing behind, or the ledger where it is told to`() throws {
    try withScratchFolder { scratch in
      let temporary = ["TMPDIR": scratch]
      #expect(try LedgerProcess.ledger("demo", "--quiet", environment: temporary).status == 0)
      #expect(try FileManager.default.contentsOfDirectory(atPath: scratch).isEmpty)
      let path = "\(scratch)/tour.ledger"
      #expect(
        try LedgerProcess.ledger("demo", "--keep", path, environment: temporary).status == 0)
      #expect(try FileManager.default.contentsOfDirectory(atPath: scratch) == ["tour.ledger"])
      #expect(try LedgerProcess.ledger("--ledger", path, "verify").status == 0)
      let again = try LedgerProcess.ledger("demo", "--keep", path, environment: temporary)
      #expect(again.status == 74)
    }
  }

  @Test func `the tour is told in JSON too`() throws {
    let result = try LedgerProcess.ledger("demo", "--json")
    let tour = try JSONValue(parsing: Array(result.output.utf8))
    #expect(tour["ok"]?.bool == true)
    #expect(tour["steps"]?.array?.isEmpty == false)
  }

  @Test func `each webhook of the tour is told once and has an id of its own`() {
    #expect(Set(DemoWebhooks.all.map(\.name)).count == DemoWebhooks.all.count)
    let ids = DemoWebhooks.all.map { webhook in
      (try? JSONValue(parsing: Array(webhook.body.utf8)))?["id"]?.string
    }
    #expect(!ids.contains(nil) && Set(ids).count == ids.count)
  }
}
