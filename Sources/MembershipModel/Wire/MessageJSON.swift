extension Message {
  package var json: JSONValue { .object(jsonFields) }

  /// The fields that hold something, by their names, in the order of the schema.
  @inline(never)
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

  @inline(never)
  package init(jsonFields fields: [JSONValue.Field]) throws(InvalidValue) {
    self = .jsonBlank
    var visitor = JSONReadingVisitor(fields: fields)
    do {
      try visit(&visitor)
      try visitor.finish(Self.messageName)
      try validate()
    } catch {
      throw visitor.fault ?? InvalidValue(value: Self.messageName, rule: "\(error)")
    }
  }
}

private struct JSONWritingVisitor: FieldVisitor {
  var fields: [JSONValue.Field] = []

  @inline(never)
  mutating func field<Value: FieldValue>(_ number: Int, _ name: String, _ value: inout Value) {
    fields.append(.init(name, value.json))
  }

  @inline(never)
  mutating func field<Value: FieldValue>(_ number: Int, _ name: String, _ value: inout Value?) {
    if let value { fields.append(.init(name, value.json)) }
  }

  @inline(never)
  mutating func field<Value: FieldValue>(_ number: Int, _ name: String, _ value: inout [Value]) {
    if !value.isEmpty { fields.append(.init(name, .array(value.map(\.json)))) }
  }

  @inline(never)
  mutating func body(_ body: inout Fact.Body) {
    fields.insert(.init("type", .string(body.name)), at: 0)
    fields += body.jsonFields
  }
}

/// Reads fields by name; the first fault is kept, since a visit cannot throw it as it is.
///
/// Types are erased at once, so that the code does not grow with the number of types.
private struct JSONReadingVisitor: FieldVisitor {
  let fields: [JSONValue.Field]
  private(set) var fault: InvalidValue?
  private var names: [String] = []

  init(fields: [JSONValue.Field]) {
    self.fields = fields
  }

  @inline(never)
  mutating func field<Value: FieldValue>(_ number: Int, _ name: String, _ value: inout Value) {
    if let read = read(name, Value.self) as? Value { value = read }
  }

  @inline(never)
  mutating func field<Value: FieldValue>(_ number: Int, _ name: String, _ value: inout Value?) {
    if let read = read(name, Value.self) as? Value { value = read }
  }

  @inline(never)
  mutating func field<Value: FieldValue>(_ number: Int, _ name: String, _ value: inout [Value]) {
    if let read = readList(name, Value.self) as? [Value] { value = read }
  }

  mutating func body(_ body: inout Fact.Body) {
    guard let type = take("type")?.string else {
      keep(InvalidValue(value: "type", rule: "a fact names its type"))
      return
    }
    let own = fields.filter { $0.key != "type" && !names.contains($0.key) }
    do {
      body = try Fact.Body(named: type, jsonFields: own)
      names += own.map(\.key)
    } catch {
      keep(error)
    }
  }

  /// Throws where a visit met a fault or left a field.
  mutating func finish(_ message: String) throws(WireError) {
    if let stranger = fields.first(where: { !names.contains($0.key) }) {
      let names = names.joined(separator: ", ")
      keep(InvalidValue(value: stranger.key, rule: "\(message) has the fields \(names)"))
    }
    if fault != nil { throw .malformed }
  }

  private mutating func take(_ name: String) -> JSONValue? {
    names.append(name)
    let json = fields.first { $0.key == name }?.value
    return json?.isNull == true ? nil : json
  }

  private mutating func read(
    _ name: String, _ type: any FieldValue.Type
  ) -> (any FieldValue)? {
    take(name).flatMap { value(of: $0, name, type) }
  }

  private mutating func readList(
    _ name: String, _ type: any FieldValue.Type
  ) -> [any FieldValue]? {
    guard let json = take(name) else { return nil }
    guard let elements = json.array else {
      keep(InvalidValue(value: json.text(), rule: "\(name) is a list"))
      return nil
    }
    return elements.compactMap { value(of: $0, name, type) }
  }

  private mutating func value(
    of json: JSONValue, _ name: String, _ type: any FieldValue.Type
  ) -> (any FieldValue)? {
    do {
      return try type.init(json: json)
    } catch {
      keep(InvalidValue(value: error.value, rule: "\(name): \(error.rule)"))
      return nil
    }
  }

  private mutating func keep(_ fault: InvalidValue) {
    self.fault = self.fault ?? fault
  }
}
