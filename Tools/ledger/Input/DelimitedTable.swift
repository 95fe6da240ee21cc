internal import MembershipModel

/// A table of text as RFC 4180 has it, with commas or semicolons, read row by row to documents: an
/// object by the names of the first line each.
struct DelimitedTable {
  private let bytes: [UInt8]
  private let source: String
  private let delimiter: UInt8
  private var position = 0
  private var line = 1
  private var columns: [String] = []

  private static let quote = UInt8(ascii: "\"")
  private static let newline = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")
  private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

  /// Reads the first line; nil where the input is JSON, or nothing at all.
  init?(_ bytes: [UInt8], source: String) {
    let start = bytes.starts(with: Self.byteOrderMark) ? Self.byteOrderMark.count : 0
    guard let first = bytes[start...].first(where: { !JSONScanner.isSpace($0) }),
      first != UInt8(ascii: "{"), first != UInt8(ascii: "[")
    else { return nil }
    self.bytes = bytes
    self.source = source
    position = start
    let header = bytes[start...].prefix { $0 != Self.newline }
    let semicolons = header.count { $0 == UInt8(ascii: ";") }
    let commas = header.count { $0 == UInt8(ascii: ",") }
    delimiter = semicolons > commas ? UInt8(ascii: ";") : UInt8(ascii: ",")
    columns = row() ?? []
  }

  /// The next row as a document; nil at the end.
  ///
  /// Rows without any text are passed over.
  mutating func next() -> InputDocument? {
    while true {
      let number = line
      guard let cells = row() else { return nil }
      if cells.allSatisfy(\.isEmpty) { continue }
      return document(cells, at: number)
    }
  }

  private func document(_ cells: [String], at number: Int) -> InputDocument {
    let fields = zip(columns, cells).map { JSONValue.Field($0, .string($1)) }
    let fault =
      cells.count == columns.count
      ? nil : "the row has \(cells.count) cells, and the first line names \(columns.count)"
    return InputDocument(
      source: "\(source):\(number)", bytes: Array(JSONValue.object(fields).text().utf8)[...],
      fault: fault, isWhole: false)
  }

  private mutating func row() -> [String]? {
    guard position < bytes.count else { return nil }
    var cells: [String] = []
    while true {
      cells.append(cell())
      guard position < bytes.count else { return cells }
      let separator = bytes[position]
      position += 1
      if separator == delimiter { continue }
      line += 1
      return cells
    }
  }

  /// A cell up to what ends it: quoted, with quotes doubled and lines within, or bare.
  private mutating func cell() -> String {
    var content: [UInt8] = []
    if position < bytes.count, bytes[position] == Self.quote {
      position += 1
      while position < bytes.count {
        let byte = bytes[position]
        position += 1
        if byte == Self.quote {
          guard position < bytes.count, bytes[position] == Self.quote else { break }
          position += 1
        }
        if byte == Self.newline { line += 1 }
        content.append(byte)
      }
    }
    let rest = bytes[position...].prefix { $0 != delimiter && $0 != Self.newline }
    position = rest.endIndex
    content += rest.last == Self.carriageReturn ? rest.dropLast() : rest
    return String(decoding: content, as: UTF8.self)
  }
}
