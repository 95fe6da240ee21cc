/// The few constructs of the mdoc language that the manual page is written in.
enum Mdoc {
  /// Text as it may stand inside a line.
  static func text(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "\"": result += "\\(dq"
      case "…": result += "..."
      case _ where !scalar.isASCII:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result += "\\[u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)]"
      default: result.unicodeScalars.append(scalar)
      }
    }
    // A line that begins with one of these would be read as a request.
    return result.hasPrefix(".") || result.hasPrefix("'") ? "\\&" + result : result
  }

  /// Text with each sentence on a line of its own, as mdoc wants it.
  static func text(sentences text: String) -> [String] {
    var lines: [String] = []
    var sentence: [Substring] = []
    for word in text.split(separator: " ") {
      sentence.append(word)
      if word.hasSuffix(".") || word.hasSuffix("?") {
        lines.append(sentence.joined(separator: " "))
        sentence = []
      }
    }
    if !sentence.isEmpty { lines.append(sentence.joined(separator: " ")) }
    return lines.flatMap { wrapped($0, columns: 72) }.map { Self.text($0) }
  }

  static func paragraphs(_ paragraphs: [String]) -> [String] {
    paragraphs.enumerated().flatMap { index, paragraph in
      (index == 0 ? [] : [".Pp"]) + text(sentences: paragraph)
    }
  }

  /// A word as a macro's argument: one that is a macro's name itself is kept from being called.
  static func argument(_ word: String) -> String {
    let text = Self.text(word)
    let isMacroLike =
      (2...3).contains(word.count) && word.first?.isUppercase == true
      && word.dropFirst().first?.isLowercase == true
    return isMacroLike ? "\\&" + text : text
  }

  /// An option or operand as macros: `Fl -at Ar TIME`, `Ar CUSTOMER`.
  static func macro(_ definition: ArgumentDefinition) -> String {
    switch definition.role {
    case .operand: "Ar \(argument(definition.name))"
    case .flag: flag(definition)
    case .option: "\(flag(definition)) Ar \(argument(definition.placeholder))"
    }
  }

  private static func flag(_ definition: ArgumentDefinition) -> String {
    "Fl \\-\(text(definition.name))"
  }

  /// A tagged list of options and operands with their explanations.
  static func list(_ definitions: [ArgumentDefinition]) -> [String] {
    guard !definitions.isEmpty else { return [] }
    return [".Bl -tag -width Ds"]
      + definitions.flatMap { definition in
        let short = definition.short.map { "Fl \($0) , " } ?? ""
        return [".It \(short)\(macro(definition))"] + text(sentences: definition.help)
      } + [".El"]
  }

  /// A tagged list of terms, all set in one macro.
  static func list(_ rows: [(term: String, text: String)], macro: String) -> [String] {
    [".Bl -tag -width Ds"]
      + rows.flatMap { [".It \(macro) \(argument($0.term))"] + text(sentences: $0.text) }
      + [".El"]
  }
}
