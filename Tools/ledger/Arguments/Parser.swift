/// Reads a command line by the table of commands.
///
/// Options and operands mix freely. After `--` every word is an operand, and a lone `-` always is
/// one. An option's value follows as the next word or after `=`; short flags may share one word.
struct Parser {
  private let words: [String]
  private var index = 0
  private var path: [CommandSpec]
  private var options: [(definition: ArgumentDefinition, value: any ArgumentValue)] = []
  private var operands: [String] = []
  private var globalValues = ParsedValues(for: GlobalOptions.definitions)

  private init(_ words: [String], root: CommandSpec) {
    self.words = words
    path = [root]
  }

  /// What the words, the program's name not among them, ask for.
  static func parse(_ words: [String], root: CommandSpec) throws(UsageError) -> Invocation {
    var parser = Parser(words, root: root)
    try parser.takeWords()
    let global = GlobalOptions(parser.globalValues)
    let values =
      global.wantsHelp || global.wantsVersion
      ? ParsedValues(for: []) : try parser.commandValues()
    return Invocation(path: parser.path, global: global, values: values)
  }

  private var command: CommandSpec { path[path.count - 1] }

  private mutating func takeWords() throws(UsageError) {
    var takesOptions = true
    while index < words.count {
      let word = words[index]
      index += 1
      if !takesOptions || !word.hasPrefix("-") || word == "-" {
        try takeOperand(word)
      } else if word == "--" {
        takesOptions = false
      } else if word.hasPrefix("--") {
        try takeLongOption(word)
      } else {
        try takeShortOptions(word)
      }
      if GlobalOptions(globalValues).wantsHelp {
        // Whatever else is wrong with the line, the user asked how to write it.
        takeRestOfPath()
        return
      }
    }
  }

  private mutating func takeRestOfPath() {
    for word in words[index...] {
      if let next = command.subcommands.first(where: { $0.name == word }) { path.append(next) }
    }
  }

  private mutating func takeOperand(_ word: String) throws(UsageError) {
    guard !command.subcommands.isEmpty else {
      operands.append(word)
      return
    }
    guard let next = command.subcommands.first(where: { $0.name == word }) else {
      let names = command.subcommands.map(\.name)
      throw UsageError(
        in: path, "there is no command '\(printable(word))'",
        hint: nearest(to: word, among: names).map { "Did you mean '\($0)'?" }
          ?? (path.count > 1 ? "It has \(names.joined(separator: ", "))." : nil))
    }
    path.append(next)
  }

  private mutating func takeLongOption(_ word: String) throws(UsageError) {
    let parts = word.dropFirst(2).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let definition = try option(named: String(parts[0]))
    if definition.role == .flag {
      guard parts.count == 1 else {
        throw UsageError(in: path, "\(definition.label) takes no value")
      }
      try add("", to: definition)
    } else if parts.count == 2 {
      try add(String(parts[1]), to: definition)
    } else {
      try add(try nextWord(for: definition), to: definition)
    }
  }

  /// Reads `-q`, `-qh`, or flags with an option at the end whose value follows.
  private mutating func takeShortOptions(_ word: String) throws(UsageError) {
    let letters = word.dropFirst()
    for (offset, letter) in zip(letters.indices, letters) {
      guard let definition = visibleOptions.first(where: { $0.short == letter }) else {
        throw UsageError(
          in: path, "there is no option '-\(printable(String(letter)))'",
          hint: letters.count > 1 ? suggestion(forOption: String(letters)) : nil)
      }
      if definition.role == .flag {
        try add("", to: definition)
        continue
      }
      let rest = letters[letters.index(after: offset)...]
      try add(rest.isEmpty ? try nextWord(for: definition) : String(rest), to: definition)
      return
    }
  }

  /// The word after an option that needs a value.
  private mutating func nextWord(for definition: ArgumentDefinition) throws(UsageError) -> String {
    guard index < words.count, words[index] == "-" || !words[index].hasPrefix("-") else {
      let dashed = index < words.count
      throw UsageError(
        in: path, "\(definition.label) needs a value: \(definition.placeholder)",
        hint: dashed
          ? "A value that begins with a dash is written \(definition.label)=VALUE." : nil)
    }
    index += 1
    return words[index - 1]
  }

  private var visibleOptions: [ArgumentDefinition] { command.options + GlobalOptions.definitions }

  private func option(named name: String) throws(UsageError) -> ArgumentDefinition {
    if let definition = visibleOptions.first(where: { $0.name == name }) { return definition }
    throw UsageError(
      in: path, "there is no option '--\(printable(name))'", hint: suggestion(forOption: name))
  }

  private func suggestion(forOption name: String) -> String? {
    if let near = nearest(to: name, among: visibleOptions.map(\.name)) {
      return "Did you mean '--\(near)'?"
    }
    let owners = command.subcommands.filter { $0.options.contains { $0.name == name } }
    guard let owner = owners.first else { return nil }
    return "--\(name) is an option of '\(owner.name)' and is written after it."
  }

  private mutating func add(
    _ text: String, to definition: ArgumentDefinition
  ) throws(UsageError) {
    let isGlobal = !command.options.contains { $0.name == definition.name }
    let isRepeat =
      isGlobal
      ? globalValues.contains(definition)
      : options.contains { $0.definition.name == definition.name }
    // A flag given twice says the same twice; of two values neither is surely the one meant.
    guard definition.arity == .repeated || !isRepeat || definition.role == .flag else {
      throw UsageError(in: path, "\(definition.label) is given twice")
    }
    let value = try parse(text, as: definition)
    if isGlobal {
      globalValues.append(value, for: definition)
    } else {
      options.append((definition, value))
    }
  }

  private func parse(
    _ text: String, as definition: ArgumentDefinition
  ) throws(UsageError) -> any ArgumentValue {
    do throws(ArgumentError) {
      return try definition.parse(text)
    } catch {
      throw UsageError(
        in: path, "\(definition.label): '\(printable(text))' \(error.reason)", hint: error.hint)
    }
  }

  /// The options and operands of the named command, complete.
  private func commandValues() throws(UsageError) -> ParsedValues {
    guard command.subcommands.isEmpty else {
      let names = command.subcommands.map(\.name)
      throw UsageError(
        in: path, "a command is missing",
        hint: path.count > 1 ? "It has \(names.joined(separator: ", "))." : nil)
    }
    var values = ParsedValues(for: command.options + command.operands)
    for option in options { values.append(option.value, for: option.definition) }
    var rest = operands[...]
    for operand in command.operands {
      let taken = operand.arity == .repeated ? rest.count : min(1, rest.count)
      for word in rest.prefix(taken) { values.append(try parse(word, as: operand), for: operand) }
      rest = rest.dropFirst(taken)
    }
    if let extra = rest.first {
      throw UsageError(in: path, "the operand '\(printable(extra))' is one too many")
    }
    for argument in command.operands + command.options
    where argument.arity == .required && !values.contains(argument) {
      throw UsageError(
        in: path, "\(argument.label) is missing",
        hint: "Usage: \(synopsis(of: path).joined(separator: " "))")
    }
    return values
  }
}
