import FoundationEssentials

/// Bytes in which texts are looked for.
struct Haystack {
  let bytes: [UInt8]

  func contains(_ text: String) -> Bool {
    let needle = Array(text.utf8)
    guard let first = needle.first, bytes.count >= needle.count else { return false }
    for start in 0...(bytes.count - needle.count)
    where bytes[start] == first && bytes[start...].starts(with: needle) {
      return true
    }
    return false
  }
}

extension [UInt8] {
  /// The bytes of a file.
  init(contentsOf path: String) throws {
    self = Array(try Data(contentsOf: URL(filePath: path)))
  }
}
