/// Pieces of text set in lines of at most `columns`, with later lines indented.
///
/// A piece is never broken; one that is too long stands on a line of its own.
func wrapped(_ pieces: [String], columns: Int, indent: Int = 0) -> [String] {
  var lines: [String] = []
  var line = ""
  for piece in pieces {
    if line.isEmpty {
      line = piece
    } else if displayWidth(line) + 1 + displayWidth(piece) <= columns {
      line += " " + piece
    } else {
      lines.append(line)
      line = String(repeating: " ", count: indent) + piece
    }
  }
  return line.isEmpty ? lines : lines + [line]
}

/// A paragraph set in lines of at most `columns`.
func wrapped(_ paragraph: String, columns: Int) -> [String] {
  wrapped(paragraph.split(separator: " ").map(String.init), columns: columns)
}
