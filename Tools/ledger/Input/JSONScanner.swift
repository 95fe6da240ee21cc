/// Finds where values stand in JSON that is known to be well formed, so that each keeps its bytes.
struct JSONScanner {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d
  }

  /// Where the elements of the array that comes next stand; nil where no array comes.
  mutating func elements() -> [Range<Int>]? {
    guard take("[") else { return nil }
    var ranges: [Range<Int>] = []
    while !take("]"), position < bytes.endIndex {
      ranges.append(value())
      _ = take(",")
    }
    return ranges
  }

  /// Where the elements of an array stand that is a field of the object that comes next; nil where
  /// there is no such field, or its name is written with escapes.
  mutating func elements(ofField name: String) -> [Range<Int>]? {
    guard take("{") else { return nil }
    while !take("}"), position < bytes.endIndex {
      let key = bytes[value()]
      _ = take(":")
      if key.dropFirst().dropLast().elementsEqual(name.utf8) { return elements() }
      _ = value()
      _ = take(",")
    }
    return nil
  }

  private mutating func value() -> Range<Int> {
    skipSpace()
    let start = position
    var depth = 0
    repeat {
      switch peek {
      case UInt8(ascii: "\""): skipString()
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        position += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        position += 1
      default: skipWord(within: depth)
      }
    } while depth > 0 && position < bytes.endIndex
    return start..<position
  }

  /// A number or a word; within an array or an object, the commas, colons and spaces there too.
  private mutating func skipWord(within depth: Int) {
    if depth > 0 { position += 1 }
    while let byte = peek, !"\"{}[]".utf8.contains(byte) {
      if depth == 0, byte == UInt8(ascii: ",") || Self.isSpace(byte) { return }
      position += 1
    }
  }

  private mutating func skipString() {
    position += 1
    while let byte = peek, byte != UInt8(ascii: "\"") {
      position += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    position = min(position + 1, bytes.endIndex)
  }

  private var peek: UInt8? {
    position < bytes.endIndex ? bytes[position] : nil
  }

  private mutating func skipSpace() {
    while let byte = peek, Self.isSpace(byte) { position += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard peek == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }
}
