/// The number of terminal columns that a text takes, in the common cases.
///
/// Combining marks take none; East Asian wide characters and emoji take two. The text holds no
/// control characters.
func displayWidth(_ text: String) -> Int {
  text.reduce(0) { $0 + displayWidth($1) }
}

private func displayWidth(_ character: Character) -> Int {
  if character.isASCII { return 1 }
  let scalars = character.unicodeScalars
  guard let first = scalars.first else { return 0 }
  // A variation selector 16 asks for the emoji form of a character that has a text form too.
  if first.properties.isEmojiPresentation || scalars.contains("\u{FE0F}") { return 2 }
  if isZeroWidth(first) { return 0 }
  return isWide(first.value) ? 2 : 1
}

private func isZeroWidth(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  case .nonspacingMark, .enclosingMark, .format: true
  default: false
  }
}

/// Whether a code point lies in a block of wide characters (Unicode Standard Annex 11).
private func isWide(_ value: UInt32) -> Bool {
  switch value {
  case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
    0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
    0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
    true
  default: false
  }
}

/// A text with spaces after or before it, so that it takes at least so many columns.
func padded(_ text: String, to width: Int, alignment: Alignment = .left) -> String {
  let padding = String(repeating: " ", count: max(0, width - displayWidth(text)))
  return alignment == .left ? text + padding : padding + text
}

/// The longest beginning of a text that fits, with `…` where something was cut.
func truncated(_ text: String, to width: Int) -> String {
  guard displayWidth(text) > width else { return text }
  var result = ""
  var used = 0
  for character in text {
    let next = displayWidth(String(character))
    if used + next > width - 1 { break }
    result.append(character)
    used += next
  }
  return result + "…"
}

/// The side of a column that its texts stand at.
enum Alignment: Sendable { case left, right }
