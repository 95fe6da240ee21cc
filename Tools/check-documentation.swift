// Fails unless every public declaration of the named modules is documented.
//
//     swift Tools/check-documentation.swift SYMBOL_GRAPH_FOLDER MODULE…
//
// Reads the symbol graphs in the folders that bear the modules' names. A declaration that takes over the text of the
// protocol requirement it fulfils counts as documented; what the compiler derives stands nowhere in
// the source and is left out.

import Foundation

struct SymbolGraph: Decodable {
  struct Symbol: Decodable {
    struct Location: Decodable {
      struct Position: Decodable {
        let line: Int
      }
      let uri: String
      let position: Position
    }
    struct DocComment: Decodable {}

    let accessLevel: String
    let pathComponents: [String]
    let location: Location?
    let docComment: DocComment?
  }

  let symbols: [Symbol]
}

/// The symbols that `module` declares, in its own types and in extensions of other modules' types.
func symbols(of module: String, in folder: String) throws -> [SymbolGraph.Symbol] {
  let folder = folder + "/" + module
  return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    .flatMap { file in
      let data = try Data(contentsOf: URL(filePath: folder).appending(path: file))
      return try JSONDecoder().decode(SymbolGraph.self, from: data).symbols
    }
}

let arguments = CommandLine.arguments.dropFirst()
guard let folder = arguments.first, arguments.count > 1 else {
  print("usage: check-documentation.swift SYMBOL_GRAPH_FOLDER MODULE…")
  exit(64)
}

var failures = 0
for module in arguments.dropFirst() {
  let declared = try symbols(of: module, in: folder).filter {
    $0.location != nil && ["public", "open"].contains($0.accessLevel)
  }
  let undocumented = declared.filter { $0.docComment == nil }
  print("\(module): \(declared.count) public declarations, \(undocumented.count) undocumented")
  for symbol in undocumented {
    let place = symbol.location.map { "\($0.uri):\($0.position.line + 1)" } ?? ""
    print("  \(place): \(symbol.pathComponents.joined(separator: "."))")
  }
  // A module without public declarations is one whose graph was not written.
  failures += declared.isEmpty ? 1 : undocumented.count
}
exit(failures == 0 ? 0 : 1)
