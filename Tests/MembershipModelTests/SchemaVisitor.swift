import MembershipModel

/// What the code says of one field.
struct SchemaField: Hashable {
  var number: Int
  var name: String
  var type: String
  var label: String
}

/// Collects the messages and enumerations that can be reached from a message.
struct SchemaVisitor: FieldVisitor {
  private(set) var messages: [String: Set<SchemaField>] = [:]
  private(set) var enumerations: [String: [Int64: String]] = [:]
  /// Blank values of every message, for tests over all of them.
  private(set) var blanks: [String: any Message] = [:]
  /// Plain fields whose value in a blank message is not the default of their type.
  private(set) var filledBlanks: [String] = []
  private var path: [String] = []

  mutating func collect<Collected: Message>(_ type: Collected.Type) {
    let name = type.messageName
    if messages[name] != nil { return }
    messages[name] = []
    blanks[name] = type.blank
    path.append(name)
    var blank = type.blank
    do {
      try blank.visit(&self)
    } catch {
      preconditionFailure("\(error)")
    }
    path.removeLast()
  }

  mutating func field<Value: FieldValue>(_ number: Int, _ name: String, _ value: inout Value) {
    add(number, name, Value.self, "")
    if value != Value.defaultValue { filledBlanks.append("\(path).\(name)") }
  }

  mutating func field<Value: FieldValue>(_ number: Int, _ name: String, _ value: inout Value?) {
    add(number, name, Value.self, "optional")
    if value != nil { filledBlanks.append("\(path).\(name)") }
  }

  mutating func field<Value: FieldValue>(_ number: Int, _ name: String, _ value: inout [Value]) {
    add(number, name, Value.self, "repeated")
    if !value.isEmpty { filledBlanks.append("\(path).\(name)") }
  }

  mutating func body(_ body: inout Fact.Body) {
    for (number, name) in Fact.Body.known {
      var source = BlankPayload()
      let payload = Fact.Body.make(number: number, from: &source).payload
      if let payload { add(number, name, type(of: payload), "oneof") }
    }
  }

  private mutating func add(
    _ number: Int, _ name: String, _ type: any FieldValue.Type, _ label: String
  ) {
    messages[path[path.endIndex - 1]]?.insert(
      SchemaField(number: number, name: name, type: type.schemaType, label: label))
    if let type = type as? any Message.Type { collect(type) }
    if let type = type as? any OpenEnum.Type { collect(enumeration: type) }
  }

  private mutating func collect<Choice: OpenEnum>(enumeration type: Choice.Type) {
    enumerations[type.schemaType] = Dictionary(
      uniqueKeysWithValues: type.known.map { ($0.number, $0.name) })
  }

  private struct BlankPayload: PayloadSource {
    mutating func payload<Payload: Message>() -> Payload { .blank }
  }
}

extension String {
  /// The name as protobuf writes it: `fullRefund` and `new-purchases` with underscores.
  var inSnakeCase: String {
    var text = ""
    for character in self {
      if character == "-" {
        text += "_"
      } else if character.isUppercase {
        text += "_" + character.lowercased()
      } else {
        text.append(character)
      }
    }
    return text.hasPrefix("_") ? String(text.dropFirst()) : text
  }
}
