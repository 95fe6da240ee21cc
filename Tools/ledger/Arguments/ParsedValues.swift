/// The values of one command line, read with the arguments that the command declared.
struct ParsedValues: Sendable {
  private let declared: Set<String>
  private var values: [String: [any ArgumentValue]] = [:]

  /// Values of none of these arguments yet.
  init(for definitions: [ArgumentDefinition]) {
    declared = Set(definitions.map(\.label))
  }

  subscript<Value>(argument: Argument<Value>) -> Value {
    let label = argument.definition.label
    precondition(declared.contains(label), "\(label) is read but not declared")
    return argument.read(values[label] ?? [])
  }

  /// Whether the command line gave a value for an argument.
  func contains(_ definition: ArgumentDefinition) -> Bool {
    values[definition.label] != nil
  }

  mutating func append(_ value: any ArgumentValue, for definition: ArgumentDefinition) {
    precondition(declared.contains(definition.label))
    values[definition.label, default: []].append(value)
  }
}
