/// Rows of cells in aligned columns under a heading.
struct TextTable {
  struct Column {
    let title: String
    let alignment: Alignment
    /// Whether the column may be cut where the terminal is too narrow: free text, never an id.
    let isFlexible: Bool

    init(_ title: String, alignment: Alignment = .left, isFlexible: Bool = false) {
      self.title = title
      self.alignment = alignment
      self.isFlexible = isFlexible
    }
  }

  /// One text of a row, made printable, since it may come from a stranger.
  struct Cell {
    let text: String
    let paint: TextStyle.Paint?

    init(_ text: String?, _ paint: TextStyle.Paint? = nil) {
      self.text = printable(text ?? "-")
      self.paint = text == nil ? .faint : paint
    }
  }

  private let columns: [Column]
  private var rows: [[Cell]] = []

  init(_ columns: [Column]) {
    self.columns = columns
  }

  mutating func addRow(_ cells: [Cell]) {
    precondition(cells.count == columns.count, "a row has a cell for each column")
    rows.append(cells)
  }

  func lines(style: TextStyle) -> [String] {
    let widths = widths(in: style)
    let titles = columns.map { Cell($0.title, .bold) }
    return ([titles] + rows).map { row in
      var line = ""
      for (index, cell) in row.enumerated() {
        let text = truncated(cell.text, to: widths[index])
        let padding = String(repeating: " ", count: widths[index] - displayWidth(text))
        let isLast = index == row.count - 1
        line += index == 0 ? "" : "  "
        line +=
          columns[index].alignment == .right
          ? padding + style.paint(text, cell.paint)
          : style.paint(text, cell.paint) + (isLast ? "" : padding)
      }
      return line
    }
  }

  /// The columns' widths; on a terminal that is too narrow, flexible ones give way.
  private func widths(in style: TextStyle) -> [Int] {
    var widths = columns.indices.map { index in
      rows.map { displayWidth($0[index].text) }.reduce(displayWidth(columns[index].title), max)
    }
    guard style.isTerminal else { return widths }
    var excess = widths.reduce(0, +) + 2 * (widths.count - 1) - style.columns
    for index in columns.indices.reversed() where columns[index].isFlexible && excess > 0 {
      let given = min(excess, max(0, widths[index] - max(8, displayWidth(columns[index].title))))
      widths[index] -= given
      excess -= given
    }
    return widths
  }
}
