internal import MembershipModel

extension Event {
  private static let inputFields = [
    "id", "environment", "effectiveAt", "customer", "account", "actor", "reason", "facts",
  ]

  /// Reads an event of our own, or a fact that stands alone and is known by its `type`.
  ///
  /// - Parameters:
  ///   - json: The event.
  ///   - context: What gives what is left out: a new id, the present instant, the user.
  ///   - recorded: The event of an id, if it is recorded: what a repetition leaves out is as it was.
  /// - Throws: `InvalidValue` that names the field and the rule it breaks.
  init(
    input json: JSONValue, in context: CommandContext, recorded: (String) -> Event?
  ) throws(InvalidValue) {
    let known = json["id"]?.string.flatMap(recorded)
    let defaults: [JSONValue.Field] = [
      .init("id", .id(context.surroundings.makeID(context.now))),
      .init("environment", Environment.production.json),
      .init("effectiveAt", (known?.effectiveAt ?? context.now).json),
      .init("actor", .string(known?.actor ?? context.surroundings.user)),
    ]
    var fields: [JSONValue.Field]
    if json["type"] != nil, json["facts"] == nil {
      fields = [.init("facts", .array([json]))]
    } else {
      fields = try Self.ownFields(of: json)
    }
    fields += defaults.filter { field in !fields.contains { $0.key == field.key } }
    fields.append(.init("provider", Provider.manual.json))
    try self.init(json: .object(fields))
    provenance = Provenance(origin: .manual)
    try Self.checkOwn(id)
  }

  private static func ownFields(of json: JSONValue) throws(InvalidValue) -> [JSONValue.Field] {
    guard let fields = json.fields else {
      throw InvalidValue(
        value: json.text(), rule: "an event is an object with facts, or a fact with its type")
    }
    if let stranger = fields.first(where: { !inputFields.contains($0.key) }) {
      throw InvalidValue(
        value: stranger.key,
        rule: "an event has the fields \(inputFields.joined(separator: ", "))")
    }
    return fields.filter { !$0.value.isNull }
  }

  /// An id of ours that looked like a provider's would keep that provider's own event out.
  private static func checkOwn(_ id: EventID) throws(InvalidValue) {
    let others = Provider.known.filter { $0 != .manual }
    if let other = others.first(where: { id.rawValue.hasPrefix("\($0.rawValue):") }) {
      throw InvalidValue(
        value: id.rawValue,
        rule: "an id of our own does not begin with \(other.rawValue):; choose another")
    }
  }
}
