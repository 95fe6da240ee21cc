extension Message {
  package var json: JSONValue { .object(jsonFields) }

  /// The fields that hold something, by their names, in the order of the schema.
  package var jsonFields: [JSONValue.Field] {
    var visitor = JSONWritingVisitor()
    var copy = self
    do {
      try copy.visit(&visitor)
    } catch {
      preconditionFailure("writing JSON does not fail: \(error)")
    }
    return visitor.fields
  }

  /// Reads a message from the JSON form of its fields.
  ///
  /// - Throws: `InvalidValue` that names a field that is unknown, missing or of another type.
  package init(json: JSONValue) throws(InvalidValue) {
    guard let fields = json.fields else {
      throw InvalidValue(value: json.text(), rule: "\(Self.messageName) is an object")
    }
    try self.init(jsonFields: fields)
  }

  package init(jsonFields fields: [JSONValue.Field]) throws(InvalidValue) {
    self = .jsonBlank
    var visitor = JSONReadingVisitor(fields: fields)
    do {
      try visit(&visitor)
      if let fault = visitor.fault { throw fault }
      if let stranger = fields.first(where: { !visitor.names.contains($0.key) }) {
        let names = visitor.names.joined(separator: ", ")
        throw InvalidValue(
          value: stranger.key, rule: "\(Self.messageName) has the fields \(names)")
      }
      try validate()
    } catch let error as InvalidValue {
      throw error
    } catch {
      throw InvalidValue(value: Self.messageName, rule: "\(error)")
    }
  }
}

private struct JSONWritingVisitor: FieldVisitor {
  var fields: [JSONValue.Field] = []

  mutating func field<Value: FieldValue>(_ number: Int, _ name: String, _ value: inout Value) {
    fields.append(.init(name, value.json))
  }

  mutating func field<Value: FieldValue>(_ number: Int, _ name: String, _ value: inout Value?) {
    if let value { fields.append(.init(name, value.json)) }
  }

  mutating func field<Value: FieldValue>(_ number: Int, _ name: String, _ value: inout [Value]) {
    if !value.isEmpty { fields.append(.init(name, .array(value.map(\.json)))) }
  }

  mutating func body(_ body: inout Fact.Body) {
    fields.insert(.init("type", .string(body.name)), at: 0)
    fields += body.jsonFields
  }
}

/// Reads fields by name; the first fault is kept, since a visit cannot throw it as it is.
private struct JSONReadingVisitor: FieldVisitor {
  let fields: [JSONValue.Field]
  var names: [String] = []
  var fault: InvalidValue?

  mutating func field<Value: FieldValue>(_ number: Int, _ name: String, _ value: inout Value) {
    if let json = take(name), let read: Value = read(json, name) { value = read }
  }

  mutating func field<Value: FieldValue>(_ number: Int, _ name: String, _ value: inout Value?) {
    if let json = take(name), let read: Value = read(json, name) { value = read }
  }

  mutating func field<Value: FieldValue>(_ number: Int, _ name: String, _ value: inout [Value]) {
    guard let json = take(name) else { return }
    guard let elements = json.array else {
      fault = fault ?? InvalidValue(value: json.text(), rule: "\(name) is a list")
      return
    }
    value = elements.compactMap { read($0, name) }
  }

  mutating func body(_ body: inout Fact.Body) {
    guard let type = take("type")?.string else {
      fault = fault ?? InvalidValue(value: "type", rule: "a fact names its type")
      return
    }
    let own = fields.filter { $0.key != "type" && !names.contains($0.key) }
    do {
      body = try Fact.Body(named: type, jsonFields: own)
      names += own.map(\.key)
    } catch {
      fault = fault ?? error
    }
  }

  private mutating func take(_ name: String) -> JSONValue? {
    names.append(name)
    let json = fields.first { $0.key == name }?.value
    return json?.isNull == true ? nil : json
  }

  private mutating func read<Value: FieldValue>(_ json: JSONValue, _ name: String) -> Value? {
    do {
      return try Value(json: json)
    } catch {
      fault = fault ?? InvalidValue(value: error.value, rule: "\(name): \(error.rule)")
      return nil
    }
  }
}
