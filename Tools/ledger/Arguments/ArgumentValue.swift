/// A type that an option's value or an operand is read as.
protocol ArgumentValue: Sendable {
  /// What help shows in the place of the value, such as `TIME`.
  static var placeholder: String { get }
  /// What a shell offers in the place of the value.
  static var completion: Completion { get }
  /// Reads the value as it stands on the command line.
  init(argument: String) throws(ArgumentError)
}

/// Why a value cannot be read: the rule it breaks, and the remedy.
struct ArgumentError: Error, Equatable {
  let reason: String
  let hint: String?

  init(_ reason: String, hint: String? = nil) {
    self.reason = reason
    self.hint = hint
  }
}

extension ArgumentValue {
  static var completion: Completion { .nothing }
}

extension String: ArgumentValue {
  static var placeholder: String { "TEXT" }

  init(argument: String) throws(ArgumentError) {
    guard !argument.isEmpty else { throw ArgumentError("must not be empty") }
    self = argument
  }
}

/// A whole number from 0 on.
struct Count: ArgumentValue, Equatable {
  static var placeholder: String { "N" }

  let value: UInt64

  init(argument: String) throws(ArgumentError) {
    guard argument.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = UInt64(argument)
    else {
      throw ArgumentError("is not a whole number", hint: "Write digits only, such as 120.")
    }
    self.value = value
  }
}

/// A file to read, or standard input where `-` is written.
enum InputFile: ArgumentValue, Equatable {
  case standardInput
  case path(String)

  static var placeholder: String { "FILE" }
  static var completion: Completion { .file }

  init(argument: String) throws(ArgumentError) {
    self = argument == "-" ? .standardInput : .path(try String(argument: argument))
  }
}

/// A folder.
struct Folder: ArgumentValue, Equatable {
  static var placeholder: String { "DIR" }
  static var completion: Completion { .folder }

  let path: String

  init(argument: String) throws(ArgumentError) {
    path = try String(argument: argument)
  }
}
