/// How text looks where it is printed: colored or not, how wide, in which characters.
struct TextStyle: Sendable, Equatable {
  let isColored: Bool
  let isTerminal: Bool
  let columns: Int
  let glyphs: Glyphs

  /// Text for files and pipes.
  static let plain = TextStyle(isColored: false, isTerminal: false, columns: 80, glyphs: .unicode)

  enum Paint: String, Sendable {
    case bold = "1"
    case faint = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case cyan = "36"
  }

  /// The text in a color, or as it is where colors are off.
  func paint(_ text: String, _ paint: Paint?) -> String {
    guard isColored, let paint, !text.isEmpty else { return text }
    return "\u{1B}[\(paint.rawValue)m\(text)\u{1B}[0m"
  }
}

/// The characters of drawings.
struct Glyphs: Sendable, Equatable {
  let bar: Character
  let planned: Character
  let open: Character
  let now: Character
  let marker: Character
  let to: String

  static let unicode = Glyphs(
    bar: "█", planned: "╌", open: "▶", now: "│", marker: "▲", to: "→")
  static let ascii = Glyphs(bar: "#", planned: "-", open: ">", now: "|", marker: "^", to: "to")
}
