import Testing

@testable import LedgerCommand

/// What holds for every command of the table.
@Suite struct TableTests {
  /// Every command that runs.
  static let paths: [CommandPath] = leaves(under: [CommandTable.root]).map(CommandPath.init)

  /// The commands that only their subcommands do something for.
  static let groups: [CommandPath] = CommandTable.root.subcommands
    .filter { !$0.subcommands.isEmpty }.map { CommandPath(commands: [CommandTable.root, $0]) }

  private static func leaves(under path: [CommandSpec]) -> [[CommandSpec]] {
    guard let command = path.last, !command.subcommands.isEmpty else { return [path] }
    return command.subcommands.flatMap { leaves(under: path + [$0]) }
  }

  /// Words of which each type of value takes at least one.
  private static let samples = [
    "sample", "2026-01-01T00:00:00Z", "7", "@1796292000", "P1M", "bash", "fish",
    "com.example.pro=P1M",
  ]

  private func words(for definition: ArgumentDefinition) -> [String] {
    guard definition.role != .flag else { return [""] }
    var words = Self.samples
    if case .words(let candidates) = definition.completion { words += candidates.map(\.word) }
    return words.filter { (try? definition.parse($0)) != nil }
  }

  /// The command made from the first words for its required arguments, and one more value.
  private func command(
    _ spec: CommandSpec, adding word: String? = nil, for added: ArgumentDefinition? = nil
  ) throws -> String {
    let definitions = spec.options + spec.operands
    var values = ParsedValues(for: definitions)
    for definition in definitions where definition.arity == .required {
      if definition.label == added?.label { continue }
      let first = try #require(words(for: definition).first, "no sample for \(definition.label)")
      values.append(try definition.parse(first), for: definition)
    }
    if let word, let added { values.append(try added.parse(word), for: added) }
    var description = ""
    let makeCommand = try #require(spec.makeCommand)
    dump(makeCommand(values), to: &description)
    return description
  }

  @Test(arguments: paths)
  func `every option and operand changes what the command is told`(path: CommandPath) throws {
    let spec = try #require(path.commands.last)
    for definition in spec.options + spec.operands {
      let words = words(for: definition)
      try #require(!words.isEmpty, "no sample for \(spec.name) \(definition.label)")
      var told = Set(try words.map { try command(spec, adding: $0, for: definition) })
      if definition.arity != .required { told.insert(try command(spec)) }
      let isOnlyChoice = definition.arity == .required && words.count == 1
      #expect(told.count > 1 || isOnlyChoice, "\(spec.name) does not read \(definition.label)")
    }
  }

  @Test(arguments: paths)
  func `names are unique and leave the global ones alone`(path: CommandPath) throws {
    let spec = try #require(path.commands.last)
    let options = spec.options + GlobalOptions.definitions
    #expect(Set(options.map(\.name)).count == options.count)
    #expect(Set(spec.operands.map(\.name)).count == spec.operands.count)
    let shorts = options.compactMap(\.short)
    #expect(Set(shorts).count == shorts.count)
  }

  @Test(arguments: paths)
  func `operands that may be left out come last`(path: CommandPath) throws {
    let operands = try #require(path.commands.last).operands
    let required = operands.prefix { $0.arity == .required }
    #expect(operands.dropFirst(required.count).count <= 1)
  }

  @Test(arguments: paths)
  func `every command explains itself and its arguments`(path: CommandPath) throws {
    let spec = try #require(path.commands.last)
    #expect(!spec.abstract.isEmpty && !spec.abstract.hasSuffix("."))
    for definition in spec.options + spec.operands + GlobalOptions.definitions {
      #expect(definition.help.hasSuffix("."), "\(spec.name) \(definition.label)")
    }
  }
}

/// A command and those it belongs to, shown by their names alone.
struct CommandPath: CustomStringConvertible {
  let commands: [CommandSpec]

  var description: String { commands.dropFirst().map(\.name).joined(separator: " ") }
}
