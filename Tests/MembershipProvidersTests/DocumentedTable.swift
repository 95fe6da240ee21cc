import FoundationEssentials
import Testing

/// The tables of a provider's page: a name in the first column, names of facts in the second.
enum DocumentedTable {
  static func rows(ofPage name: String) throws -> [String: Set<String>] {
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/MembershipProviders/MembershipProviders.docc/\(name).md")
    let text = String(decoding: try Data(contentsOf: page), as: UTF8.self)
    var rows: [String: Set<String>] = [:]
    for line in text.split(separator: "\n") {
      let cells = line.split(separator: "|", omittingEmptySubsequences: false)
      guard cells.count == 4, cells[1].hasPrefix(" `") else { continue }
      let names = cells[2].split(separator: "`").filter { !$0.allSatisfy { ", —".contains($0) } }
      rows[cells[1].filter { $0 != "`" && $0 != " " }] = Set(names.map(String.init))
    }
    return rows
  }
}
