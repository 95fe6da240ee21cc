import FoundationEssentials
import MembershipModel
import Testing

@testable import MembershipProviders

@Suite struct AppStoreDocumentationTests {
  /// The rows of the page's table: type and subtype, and the facts it names.
  private func documentedRows() throws -> [String: Set<String>] {
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/MembershipProviders/MembershipProviders.docc/AppStore.md")
    var rows: [String: Set<String>] = [:]
    for line in try String(contentsOf: page, encoding: .utf8).split(separator: "\n") {
      let cells = line.split(separator: "|", omittingEmptySubsequences: false)
      guard cells.count == 4, cells[1].hasPrefix(" `") else { continue }
      let names = cells[2].split(separator: "`").filter { !$0.allSatisfy { ", —".contains($0) } }
      rows[cells[1].filter { $0 != "`" && $0 != " " }] = Set(names.map(String.init))
    }
    return rows
  }

  @Test func `the page's table lists every notification that is read, with its facts`() throws {
    let documented = try documentedRows()
    #expect(Set(documented.keys) == Set(AppStoreEventTable.kinds.map(\.name)))
    for kind in AppStoreEventTable.kinds {
      #expect(documented[kind.name] == Set(kind.facts), "\(kind.name)")
    }
  }

  @Test func `there are 23 types and 19 subtypes`() {
    #expect(Set(AppStoreEventTable.kinds.map(\.type)).count == 23)
    let subtypes = Set(AppStoreEventTable.kinds.map(\.subtype)).subtracting([""])
    #expect(subtypes.count == 19)
  }

  @Test func `every fact named in the table exists`() {
    let known = Set(Fact.Body.known.map(\.name))
    #expect(known.isSuperset(of: AppStoreEventTable.snapshotFacts))
    for kind in AppStoreEventTable.kinds { #expect(known.isSuperset(of: kind.facts)) }
  }
}
