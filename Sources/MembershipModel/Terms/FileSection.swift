/// One object of a file that people write, with its place in the file for errors.
struct FileSection {
  /// Where it stands, such as `products[0]`; empty for the whole file.
  let path: String
  private let fields: [JSONValue.Field]

  /// Takes an object whose fields are all known.
  init(_ json: JSONValue, at path: String = "", knows names: [String]) throws(InvalidValue) {
    guard let fields = json.fields else {
      throw InvalidValue(value: path.isEmpty ? "the file" : path, rule: "an object is expected")
    }
    self.path = path
    self.fields = fields
    if let stranger = fields.first(where: { !names.contains($0.key) }) {
      throw fault(
        stranger.key,
        "no such field is known; remove it or use one of \(names.joined(separator: ", "))")
    }
  }

  func fault(_ name: String, _ rule: String) -> InvalidValue {
    InvalidValue(value: place(of: name), rule: rule)
  }

  func value(_ name: String) -> JSONValue? {
    fields.first { $0.key == name && !$0.value.isNull }?.value
  }

  func text(_ name: String) throws(InvalidValue) -> String? {
    guard let value = value(name) else { return nil }
    guard let text = value.string else {
      throw fault(name, "a string is expected, not \(value.text())")
    }
    return text
  }

  func flag(_ name: String) throws(InvalidValue) -> Bool? {
    guard let value = value(name) else { return nil }
    guard let flag = value.bool else {
      throw fault(name, "true or false is expected, not \(value.text())")
    }
    return flag
  }

  func identifier<Kind>(_ name: String) throws(InvalidValue) -> Identifier<Kind> {
    guard let text = try text(name) else {
      throw fault(name, "it is required; add it")
    }
    do {
      return try Identifier(text)
    } catch {
      throw fault(name, "\(error.rule); correct \"\(error.value)\"")
    }
  }

  func provider(_ name: String) throws(InvalidValue) -> Provider {
    guard let text = try text(name) else {
      throw fault(name, "it is required; add it")
    }
    return try provider(named: text, at: name)
  }

  func provider(named text: String, at name: String) throws(InvalidValue) -> Provider {
    let provider = Provider(rawValue: text)
    if !provider.isKnown {
      let names = Provider.known.map(\.rawValue).joined(separator: ", ")
      throw fault(name, "\"\(text)\" is no provider; use one of \(names)")
    }
    return provider
  }

  /// The elements of a list, each with its place; none where the list is absent.
  func elements(_ name: String) throws(InvalidValue) -> [(place: String, value: JSONValue)] {
    guard let value = value(name) else { return [] }
    guard let elements = value.array else { throw fault(name, "a list is expected") }
    return elements.enumerated().map { ("\(place(of: name))[\($0.offset)]", $0.element) }
  }

  /// The fields of an object whose keys the file chooses, such as providers.
  func entries(_ name: String) throws(InvalidValue) -> [JSONValue.Field] {
    guard let value = value(name) else { return [] }
    guard let fields = value.fields else { throw fault(name, "an object is expected") }
    return fields
  }

  private func place(of name: String) -> String {
    path.isEmpty ? name : "\(path).\(name)"
  }
}
