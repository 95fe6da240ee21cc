/// The headers of an HTTP request, read from a file with one `Name: value` a line.
enum HeaderFile {
  /// Reads the headers; several of one name become one, as RFC 9110 allows.
  static func headers(in bytes: [UInt8], named file: InputFile) throws(CommandFailure)
    -> [String: String]
  {
    var headers: [String: String] = [:]
    let lines = String(decoding: bytes, as: UTF8.self)
      .split(omittingEmptySubsequences: false) { $0.isNewline }
    for (index, line) in lines.enumerated() where !line.allSatisfy(\.isWhitespace) {
      guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else {
        throw CommandFailure(
          .badData, "\(printable(file.name)): line \(index + 1) is no header",
          hint: "Write one header a line, as Name: value.")
      }
      let name = line[..<colon].lowercased()
      let value = line[line.index(after: colon)...].trimmed
      headers[name] = headers[name].map { "\($0),\(value)" } ?? value
    }
    return headers
  }
}

extension InputFile {
  /// What messages call the input.
  var name: String {
    switch self {
    case .standardInput: "-"
    case .path(let path): path
    }
  }
}

extension StringProtocol {
  /// The text without white space at its ends.
  var trimmed: String {
    var rest = drop(while: \.isWhitespace)
    while rest.last?.isWhitespace == true { rest = rest.dropLast() }
    return String(rest)
  }
}
