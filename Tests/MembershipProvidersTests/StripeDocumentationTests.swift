import FoundationEssentials
import MembershipModel
import Testing

@testable import MembershipProviders

@Suite struct StripeDocumentationTests {
  /// The rows of the page's table: event type, and the facts it names.
  private func documentedRows() throws -> [String: Set<String>] {
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/MembershipProviders/MembershipProviders.docc/Stripe.md")
    var rows: [String: Set<String>] = [:]
    for line in try String(contentsOf: page, encoding: .utf8).split(separator: "\n") {
      let cells = line.split(separator: "|", omittingEmptySubsequences: false)
      guard cells.count == 4, cells[1].hasPrefix(" `") else { continue }
      let names = cells[2].split(separator: "`").filter { !$0.allSatisfy { ", —".contains($0) } }
      rows[cells[1].filter { $0 != "`" && $0 != " " }] = Set(names.map(String.init))
    }
    return rows
  }

  @Test func `the page's table lists every event type that is read, with its facts`() throws {
    let documented = try documentedRows()
    let read = StripeEventTable.events.mapValues { Set($0.facts) }
    #expect(Set(documented.keys) == Set(read.keys))
    for (type, facts) in read {
      #expect(documented[type] == facts, "\(type)")
    }
  }

  @Test func `every fact named in the table exists`() {
    let known = Set(Fact.Body.known.map(\.name))
    for kind in StripeEventTable.kinds {
      #expect(Set(kind.facts).isSubset(of: known))
    }
  }

  @Test func `no fixture states a fact that the table does not name`() throws {
    for document in StripeHostileTests.documents {
      for event in try events(in: document) {
        let notes = event.facts.notes
        guard let type = document["type"]?.string, notes.isEmpty else { continue }
        let allowed = Set(StripeEventTable.events[type]?.facts ?? []).union(["accountLinked"])
        #expect(Set(names(event.facts)).isSubset(of: allowed), "\(type)")
      }
    }
  }

  private func events(in json: JSONValue) throws -> [Event] {
    if case .events(let events) = trustingStripe.read(document(json)) { events } else { [] }
  }
}
