/// Text of unknown origin, made safe to show on a terminal.
///
/// Control characters could move the cursor, recolor the screen or hide what follows, and marks of
/// writing direction could reorder it. Both are shown as escapes: `\n`, `\u{1B}`.
func printable(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: needsEscape) else { return text }
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\n": result += "\\n"
    case "\r": result += "\\r"
    case "\t": result += "\\t"
    case _ where needsEscape(scalar):
      result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}

private func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0..<0x20, 0x7F..<0xA0: true  // C0 controls, delete, C1 controls
  case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true  // writing direction
  case 0x2028, 0x2029: true  // line and paragraph separators
  default: false
  }
}
