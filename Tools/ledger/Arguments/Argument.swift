/// One option, flag or operand of a command, and how its value is read.
///
/// A command declares its arguments as constants, lists their definitions in its `CommandSpec` and
/// reads `ParsedValues` with them, so that a value can be read only with the type it was parsed as.
struct Argument<Value: Sendable>: Sendable {
  let definition: ArgumentDefinition
  let read: @Sendable ([any ArgumentValue]) -> Value
}

/// What parsing, help, completion and the manual page know of an argument.
struct ArgumentDefinition: Sendable {
  enum Role: Sendable { case flag, option, operand }
  enum Arity: Sendable { case optional, required, repeated }

  let role: Role
  let arity: Arity
  /// The option's name without dashes, or the operand's placeholder.
  let name: String
  let short: Character?
  let placeholder: String
  let help: String
  let completion: Completion
  let parse: @Sendable (String) throws(ArgumentError) -> any ArgumentValue

  /// The argument as messages name it: `--at`, or `CUSTOMER`.
  var label: String { role == .operand ? name : "--\(name)" }
}

/// Value of a flag: there is none, so reading one is always an error.
private struct Presence: ArgumentValue {
  static var placeholder: String { "" }
  init() {}
  init(argument: String) throws(ArgumentError) { throw ArgumentError("takes no value") }
}

extension Argument where Value == Bool {
  /// A switch that is on where it is given.
  static func flag(_ name: String, short: Character? = nil, help: String) -> Self {
    let definition = ArgumentDefinition(
      role: .flag, arity: .optional, name: name, short: short, placeholder: "", help: help,
      completion: .nothing, parse: { _ throws(ArgumentError) in Presence() })
    return Argument(definition: definition) { !$0.isEmpty }
  }
}

extension Argument {
  /// An option that may be absent.
  static func option<Element: ArgumentValue>(
    _ name: String, short: Character? = nil, placeholder: String = Element.placeholder,
    help: String, completion: Completion = Element.completion
  ) -> Self where Value == Element? {
    Self(
      .option, .optional, name, short, placeholder, help, completion, Element.self
    ) { $0.first }
  }

  /// An option that must be given.
  static func requiredOption(
    _ name: String, placeholder: String = Value.placeholder,
    help: String, completion: Completion = Value.completion
  ) -> Self where Value: ArgumentValue {
    Self(
      .option, .required, name, nil, placeholder, help, completion, Value.self, read: presentValue)
  }

  /// An option that may be given several times.
  static func repeatedOption<Element: ArgumentValue>(
    _ name: String, placeholder: String = Element.placeholder,
    help: String, completion: Completion = Element.completion
  ) -> Self where Value == [Element] {
    Self(.option, .repeated, name, nil, placeholder, help, completion, Element.self) { $0 }
  }

  /// An operand that must be given.
  static func operand(
    _ name: String, help: String, completion: Completion = Value.completion
  ) -> Self where Value: ArgumentValue {
    Self(.operand, .required, name, nil, name, help, completion, Value.self, read: presentValue)
  }

  /// An operand that may be absent.
  static func optionalOperand<Element: ArgumentValue>(
    _ name: String, help: String, completion: Completion = Element.completion
  ) -> Self where Value == Element? {
    Self(.operand, .optional, name, nil, name, help, completion, Element.self) { $0.first }
  }

  /// The operands that are left, any number of them.
  static func operands<Element: ArgumentValue>(
    _ name: String, help: String, completion: Completion = Element.completion
  ) -> Self where Value == [Element] {
    Self(.operand, .repeated, name, nil, name, help, completion, Element.self) { $0 }
  }

  private init<Element: ArgumentValue>(
    _ role: ArgumentDefinition.Role, _ arity: ArgumentDefinition.Arity, _ name: String,
    _ short: Character?, _ placeholder: String, _ help: String, _ completion: Completion,
    _ element: Element.Type, read: @escaping @Sendable ([Element]) -> Value
  ) {
    definition = ArgumentDefinition(
      role: role, arity: arity, name: name, short: short, placeholder: placeholder, help: help,
      completion: completion,
      parse: { (text) throws(ArgumentError) in try Element(argument: text) })
    self.read = { values in
      read(
        values.map { value in
          guard let value = value as? Element else {
            preconditionFailure("\(name) was parsed as another type")
          }
          return value
        })
    }
  }
}

/// The value of an argument that the parser does not let a command line leave out.
private func presentValue<Value: ArgumentValue>(_ values: [Value]) -> Value {
  guard let value = values.first else { preconditionFailure("a required argument is absent") }
  return value
}
