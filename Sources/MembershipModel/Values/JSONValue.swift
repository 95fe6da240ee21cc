package import FoundationEssentials

/// A JSON value whose objects keep the order in which their fields were given.
package enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case decimal(Decimal)
  case string(String)
  case array([JSONValue])
  case object([Field])

  package struct Field: Hashable, Sendable {
    package let key: String
    package let value: JSONValue

    package init(_ key: String, _ value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// The deepest nesting of arrays and objects that is read.
  package static let maximumDepth = 128

  /// The largest document that is read, in bytes.
  package static let maximumSize = 16 << 20
}

extension JSONValue {
  package subscript(_ key: String) -> JSONValue? {
    guard case .object(let fields) = self else { return nil }
    return fields.first { $0.key == key }?.value
  }

  package var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  package var integer: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  package var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  package var array: [JSONValue]? {
    if case .array(let values) = self { values } else { nil }
  }

  package var fields: [Field]? {
    if case .object(let fields) = self { fields } else { nil }
  }

  package var isNull: Bool { self == .null }
}

extension JSONValue {
  /// Reads one JSON document.
  ///
  /// Whole numbers within the range of `Int64` are integers however they are written; other numbers
  /// are exact decimals.
  ///
  /// - Throws: `InvalidValue` for what is empty, over 16 MiB, nested over 128 deep or not JSON, for
  ///   an object that names a field twice and for a number beyond the range of `Decimal`.
  package init(parsing bytes: some Collection<UInt8>) throws(InvalidValue) {
    if bytes.count > Self.maximumSize {
      throw InvalidValue(value: "\(bytes.count) bytes", rule: "a document has at most 16 MiB")
    }
    var parser = JSONParser(Array(bytes))
    self = try parser.document()
  }
}

extension JSONValue {
  /// How far bytes that may still grow are a document.
  package enum Completeness: Hashable, Sendable {
    /// They are one.
    case whole
    /// They may become one.
    case open
    /// They are none, whatever follows.
    case broken
  }

  /// How far whole lines, to the end of the last of them, are a document.
  package static func completeness(ofLines bytes: some Collection<UInt8>) -> Completeness {
    if bytes.count > maximumSize { return .broken }
    var parser = JSONParser(Array(bytes))
    do throws(InvalidValue) {
      _ = try parser.document()
      return .whole
    } catch {
      return parser.isAtEnd ? .open : .broken
    }
  }
}

extension JSONValue {
  /// The value as JSON text; with an indentation, one field or element a line.
  package func text(indentation: Int? = nil) -> String {
    var text = ""
    write(to: &text, indentation: indentation, depth: 0)
    return text
  }

  private func write(to text: inout String, indentation: Int?, depth: Int) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .decimal(let value): text += value.description
    case .string(let value): Self.write(value, to: &text)
    case .array(let values):
      Self.writeList(values, "[", "]", to: &text, indentation, depth) { value, text in
        value.write(to: &text, indentation: indentation, depth: depth + 1)
      }
    case .object(let fields):
      Self.writeList(fields, "{", "}", to: &text, indentation, depth) { field, text in
        Self.write(field.key, to: &text)
        text += indentation == nil ? ":" : ": "
        field.value.write(to: &text, indentation: indentation, depth: depth + 1)
      }
    }
  }

  private static func writeList<Element>(
    _ elements: [Element], _ open: String, _ close: String, to text: inout String,
    _ indentation: Int?, _ depth: Int, _ write: (Element, inout String) -> Void
  ) {
    text += open
    for (index, element) in elements.enumerated() {
      if index > 0 { text += "," }
      if let indentation {
        text += "\n" + String(repeating: " ", count: indentation * (depth + 1))
      }
      write(element, &text)
    }
    if let indentation, !elements.isEmpty {
      text += "\n" + String(repeating: " ", count: indentation * depth)
    }
    text += close
  }

  private static func write(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.value < 0x20 || (0x7f..<0xa0).contains(scalar.value):
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
