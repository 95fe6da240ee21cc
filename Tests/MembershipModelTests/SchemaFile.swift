import FoundationEssentials

/// The published schema, as far as the tests have to read it.
struct SchemaFile {
  private(set) var messages: [String: Set<SchemaField>] = [:]
  private(set) var enumerations: [String: [Int64: String]] = [:]
  /// Declarations without a comment above them.
  private(set) var uncommented: [String] = []

  static var folder: String {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources/MembershipModel").path
  }

  init() throws {
    let text = try String(contentsOfFile: Self.folder + "/ledger.proto", encoding: .utf8)
    var owner = ""
    var previous = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let words = line.prefix { $0 != ";" && $0 != "{" }.split(separator: " ").map(String.init)
      let declares = !words.isEmpty && words[0] != "//" && words[0] != "}"
      if declares, owner != "" || words[0] == "message" || words[0] == "enum",
        !previous.contains("//")
      {
        uncommented.append(String(line))
      }
      previous = String(line)
      guard declares else { continue }
      switch words[0] {
      case "message": (owner, messages[words[1]]) = (words[1], [])
      case "enum": (owner, enumerations[words[1]]) = (words[1], [:])
      case "syntax", "package", "oneof": continue
      default: try add(words, indentation: line.prefix { $0 == " " }.count, to: owner)
      }
    }
  }

  private mutating func add(_ words: [String], indentation: Int, to owner: String) throws {
    guard let equals = words.firstIndex(of: "="), let number = Int(words[equals + 1]) else {
      throw UnreadableSchema(line: words.joined(separator: " "))
    }
    if enumerations[owner] != nil {
      enumerations[owner]?[Int64(number)] = words[0]
    } else {
      let label = indentation > 2 ? "oneof" : equals == 3 ? words[0] : ""
      messages[owner]?.insert(
        SchemaField(
          number: number, name: words[equals - 1], type: words[equals - 2], label: label))
    }
  }
}

struct UnreadableSchema: Error {
  let line: String
}
