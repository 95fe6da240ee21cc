import FoundationEssentials
import MembershipModel
import Testing

@testable import MembershipProviders

@Suite struct RevenueCatDocumentationTests {
  static let types = Set(RevenueCatEventTable.events.keys)

  private func documentedRows() throws -> [String: Set<String>] {
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/MembershipProviders/MembershipProviders.docc/RevenueCat.md")
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
    #expect(Set(documented.keys) == Self.types)
    for kind in RevenueCatEventTable.kinds {
      #expect(documented[kind.type] == Set(kind.facts), "\(kind.type)")
    }
  }

  @Test func `every fact named in the table exists`() {
    let known = Set(Fact.Body.known.map(\.name))
    for kind in RevenueCatEventTable.kinds { #expect(Set(kind.facts).isSubset(of: known)) }
  }

  @Test(arguments: RevenueCatEventTests.rows)
  func `no fixture states a fact that the table does not name`(
    row: RevenueCatEventTests.Row
  ) throws {
    let allowed = Set(RevenueCatEventTable.events[row.type]?.facts ?? []).union(["noted"])
    #expect(Set(row.facts.map(\.body.name)).isSubset(of: allowed))
  }
}
