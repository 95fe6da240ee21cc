import Foundation
import MembershipModel
import Testing

/// The App Store's documents on the command line, each with its signatures checked.
@Suite struct AppStoreCommandTests {
  private static let documents = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../MembershipProvidersTests/AppStoreDocuments")
  private static let notifications = documents.appending(path: "notifications.jsonl").path
  private static let root = documents.appending(path: "root.der").path
  private static let customer = "7e3fb20b-4cdb-47cc-936d-99d65f608138"

  private static let catalog = """
    {"entitlements": [{"key": "premium"}],
     "products": [{"id": "pro", "name": "Pro", "entitlements": ["premium"],
      "stores": [{"provider": "app-store", "product": "com.example.pro.monthly"}]}]}
    """

  private static func lines() throws -> [String] {
    try String(contentsOf: documents.appending(path: "notifications.jsonl"), encoding: .utf8)
      .split(separator: "\n").map(String.init)
  }

  @Test func `notifications are recorded once, under a root that is given`() throws {
    try LedgerFolder.with { folder in
      let arguments = ["ingest", "app-store", "--bundle-id", "com.example.app"]
      let count = try Self.lines().count
      let refused = try folder.run(arguments[0], arguments[1], Self.notifications)
      #expect(refused.status == 1)
      #expect(refused.errors.contains("without --bundle-id"))
      #expect(refused.output.split(separator: "\n").allSatisfy { $0.contains("untrustedChain") })
      let taken = try folder.run(
        arguments[0], arguments[1], "--bundle-id", "com.example.app", "--app-id", "41234",
        "--apple-root", Self.root, Self.notifications)
      #expect(taken.status == 0 && taken.errors.isEmpty)
      #expect(taken.output.hasPrefix("appended 1 purchased observed accountLinked\n"))
      #expect(taken.output.contains("noted \(count) TEST\n"))
      let again = try folder.run(
        arguments[0], arguments[1], "--bundle-id", "com.example.app", "--apple-root", Self.root,
        Self.notifications)
      #expect(
        again.output == (1...count).map { "duplicate \($0)\n" }.joined() && again.status == 0)
    }
  }

  @Test func `what is of another bundle, app or environment is refused by name`() throws {
    try LedgerFolder.with { folder in
      let file = try folder.file("one.json", Self.lines()[0])
      for (option, value, code) in [
        ("--bundle-id", "com.example", "wrongBundle"), ("--app-id", "7", "wrongApp"),
        ("--environment", "sandbox", "wrongEnvironment"),
      ] {
        let result = try folder.run(
          "ingest", "app-store", "--apple-root", Self.root, option, value, file)
        #expect(result.status == 1 && result.output.contains(code), "\(result.output)")
      }
      let none = try folder.run("ingest", "app-store", "--apple-root", file, file)
      #expect(none.status == 65 && none.errors.contains("there is no certificate"))
    }
  }

  @Test func `a signed transaction by itself is recorded, and given to who restores it`() throws {
    try LedgerFolder.with { folder in
      _ = try folder.run("catalog", "apply", folder.file("catalog.json", Self.catalog))
      let payload = try JSONValue(parsing: Array(Self.lines()[0].utf8))["signedPayload"]?.string
      let part = payload?.split(separator: ".")[1] ?? ""
      let padded = part.replacing("-", with: "+").replacing("_", with: "/")
      let bytes = Data(
        base64Encoded: padded + String(repeating: "=", count: (4 - padded.count % 4) % 4))
      let content = try JSONValue(parsing: Array(bytes ?? Data()))
      let signed = try #require(content["data"]?["signedTransactionInfo"]?.string)
      let proof = ["--bundle-id", "com.example.app", "--apple-root", Self.root]
      let file = try folder.file("transaction.jws", signed + "\n")
      let result = try folder.run(
        "ingest", "app-store", proof[0], proof[1], proof[2], proof[3], file)
      #expect(result.output == "appended 1 purchased accountLinked\n".replacing("1", with: "2"))
      let check = try folder.run("check", Self.customer, "premium", "--at", "2026-01-15")
      #expect(check.status == 0, "\(check.output)")
      let restored = try folder.run(
        "restore", "user_9", "app-store", proof[0], proof[1], proof[2], proof[3], file)
      #expect(restored.output.contains("app-store:20100"), "\(restored.output)")
      let drift = try folder.run(
        "reconcile", "app-store", proof[0], proof[1], proof[2], proof[3], "--dry-run", file)
      #expect(drift.status == 0, "\(drift.errors)")
    }
  }
}
