import FoundationEssentials
import LedgerTestSupport
import MembershipModel
import Testing

@testable import MembershipProviders

@Suite struct GooglePlayDocumentationTests {
  typealias G = GooglePlay

  /// The rows of the page's tables: a notification or state, and the facts it names.
  private func documentedRows() throws -> [String: Set<String>] {
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/MembershipProviders/MembershipProviders.docc/GooglePlay.md")
    var rows: [String: Set<String>] = [:]
    for line in try String(contentsOf: page, encoding: .utf8).split(separator: "\n") {
      let cells = line.split(separator: "|", omittingEmptySubsequences: false)
      guard cells.count == 4, cells[1].hasPrefix(" `") else { continue }
      let names = cells[2].split(separator: "`").filter { !$0.allSatisfy { ", —".contains($0) } }
      rows[cells[1].filter { $0 != "`" }.split(separator: " ").joined(separator: " ")] =
        Set(names.map(String.init))
    }
    return rows
  }

  private var readRows: [String: Set<String>] {
    var rows = ["voidedPurchase": Set(GooglePlayTable.voided)]
    for (state, read) in GooglePlayTable.subscriptions { rows[state] = Set(read.facts) }
    for (state, read) in GooglePlayTable.products { rows["product \(state)"] = Set(read.facts) }
    for kind in GooglePlayTable.notifications {
      if kind.types.isEmpty { rows[kind.field] = ["noted"] }
      for (number, name) in kind.types { rows["\(kind.field) \(number) \(name)"] = ["noted"] }
    }
    return rows
  }

  @Test func `the page's tables list all that is read, with its facts`() throws {
    let documented = try documentedRows()
    #expect(Set(documented.keys) == Set(readRows.keys))
    for (row, facts) in readRows { #expect(documented[row] == facts, "\(row)") }
  }

  @Test func `every fact named in the tables exists`() {
    let known = Set(Fact.Body.known.map(\.name))
    for facts in readRows.values { #expect(facts.isSubset(of: known)) }
  }

  @Test func `no fixture states a fact that the tables do not name`() throws {
    for document in GooglePlayHostileTests.documents {
      let state = document["subscription"]?["subscriptionState"]?.string ?? ""
      guard let read = GooglePlayTable.subscriptions[state] else { continue }
      for event in try G.events(in: document) {
        let allowed = Set(read.facts).union(["accountLinked", "noted"])
        #expect(Set(G.names(event.facts)).isSubset(of: allowed), "\(state)")
      }
    }
  }

  @Test func `every recorded file gives events or a refusal`() throws {
    guard let folder = SharedMaterial.folder("data/google") else { return }
    for (name, type) in [
      ("rtdn_subscription", "subscriptionNotification.PURCHASED"),
      ("rtdn_one_time_product", "oneTimeProductNotification.PURCHASED"),
      ("rtdn_voided_purchase", "voidedPurchaseNotification"), ("rtdn_test", "testNotification"),
    ] {
      let body = try Data(contentsOf: URL(filePath: "\(folder)/\(name).json"))
      let event = try G.event(in: JSONValue(parsing: body))
      #expect(event.facts.notes.map(\.type) == [type])
    }
    let push = try Data(contentsOf: URL(filePath: "\(folder)/pubsub_envelope.json"))
    #expect(refusal(G.trusting.read(G.document(try JSONValue(parsing: push)))) == .unreadable)
  }
}
