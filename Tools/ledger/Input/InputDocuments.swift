internal import MembershipModel

/// One document of an input, with the bytes that are its own.
struct InputDocument {
  /// Where it stands: the input's name, with `:LINE` or `[INDEX]` where the input holds several.
  let source: String
  let bytes: ArraySlice<UInt8>
  /// Why it cannot be read at all; nil where it is JSON.
  let fault: String?
  /// Whether it came alone, and not as one of a list or of several lines.
  let isWhole: Bool
}

extension InputDocument {
  /// The whole of an input as one document.
  init(whole bytes: [UInt8], source: String) {
    var fault: String?
    if case .failure(let error) = Self.parsed(bytes[...]) { fault = "\(error)" }
    self.init(source: source, bytes: bytes[...], fault: fault, isWhole: true)
  }

  /// The documents of an input: one JSON document, an array or a list object of them, or JSON
  /// Lines.
  ///
  /// - Parameters:
  ///   - bytes: The input.
  ///   - source: What messages call it.
  /// - Returns: The documents in order; none only where the input is an empty list.
  static func all(in bytes: [UInt8], source: String) -> [InputDocument] {
    let whole: InputDocument
    switch parsed(bytes[...]) {
    case .success(let value):
      return elements(of: value, bytes[...], source: source, isWhole: true)
    case .failure(let fault):
      whole = InputDocument(
        source: source, bytes: bytes[...], fault: "\(fault)", isWhole: true)
    }
    let lines = lines(of: bytes[...], from: 1, source: source)
    // Where no line can be read either, the input is one document that is broken.
    return lines.contains { $0.fault == nil } ? lines : [whole]
  }

  private static func parsed(_ bytes: ArraySlice<UInt8>) -> Result<JSONValue, InvalidValue> {
    if isSigned(bytes) { return .success(.string("")) }
    return Result { () throws(InvalidValue) in try JSONValue(parsing: bytes) }
  }

  /// Whether they look like a payload signed in itself, which is no JSON: three parts in base64url,
  /// the first of them an object.
  private static func isSigned(_ bytes: ArraySlice<UInt8>) -> Bool {
    let text = bytes.drop(while: JSONScanner.isSpace)
    return text.starts(with: "eyJ".utf8) && text.count { $0 == UInt8(ascii: ".") } == 2
  }

  /// The documents of JSON Lines, of which the first has the number given.
  static func lines(
    of bytes: ArraySlice<UInt8>, from number: Int, source: String
  ) -> [InputDocument] {
    var documents: [InputDocument] = []
    for (index, line) in bytes.split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
    ).enumerated() where line.contains(where: { !JSONScanner.isSpace($0) }) {
      let source = "\(source):\(number + index)"
      switch parsed(line) {
      case .success(let value):
        documents += elements(of: value, line, source: source, isWhole: false)
      case .failure(let fault):
        documents.append(
          InputDocument(source: source, bytes: line, fault: "\(fault)", isWhole: false))
      }
    }
    return documents
  }

  /// The elements of an array or of a list object, else the document itself.
  private static func elements(
    of value: JSONValue, _ bytes: ArraySlice<UInt8>, source: String, isWhole: Bool
  ) -> [InputDocument] {
    var scanner = JSONScanner(bytes)
    let isList = value["object"]?.string == "list" && value["data"]?.array != nil
    let ranges =
      value.array != nil
      ? scanner.elements() : isList ? scanner.elements(ofField: "data") : nil
    guard let ranges else {
      return [InputDocument(source: source, bytes: bytes, fault: nil, isWhole: isWhole)]
    }
    return ranges.enumerated().map { index, range in
      InputDocument(
        source: "\(source)[\(index)]", bytes: bytes[range], fault: nil, isWhole: false)
    }
  }
}
