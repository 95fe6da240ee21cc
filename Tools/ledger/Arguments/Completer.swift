/// Answers a shell that asks how a command line may go on.
struct Completer {
  let root: CommandSpec
  let environment: [String: String]

  /// The answer to `ledger --complete WORD…`, whose last word is the one being completed.
  ///
  /// Each line is a candidate, a tab and its description; the line `:file` or `:dir` asks the shell
  /// to offer file names or folders too.
  func answer(to words: [String]) -> [String] {
    let words = joined(words)
    var state = State(command: root)
    for word in words.dropLast() { state.take(word) }
    return candidates(for: words.last ?? "", after: state)
  }

  /// What the words before the one being completed have settled.
  private struct State {
    var command: CommandSpec
    var operandCount = 0
    /// The option whose value comes next.
    var pending: ArgumentDefinition?
    var takesOptions = true
    var used: Set<String> = []
    var ledger: String?

    var options: [ArgumentDefinition] {
      (command.options + GlobalOptions.definitions)
        .filter { $0.arity == .repeated || !used.contains($0.name) }
    }

    mutating func take(_ word: String) {
      if let option = pending {
        noteLedger(word, for: option)
        pending = nil
      } else if takesOptions, word == "--" {
        takesOptions = false
      } else if takesOptions, word.hasPrefix("--") {
        takeOption(word)
      } else if takesOptions, word.hasPrefix("-"), word != "-" {
        return
      } else if let next = command.subcommands.first(where: { $0.name == word }) {
        command = next
      } else {
        operandCount += 1
      }
    }

    private mutating func takeOption(_ word: String) {
      let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1)
      guard let name = parts.first, let option = options.first(where: { $0.name == name })
      else { return }
      used.insert(option.name)
      if parts.count == 2 {
        noteLedger(String(parts[1]), for: option)
      } else if option.role == .option, !word.contains("=") {
        pending = option
      }
    }

    private mutating func noteLedger(_ word: String, for option: ArgumentDefinition) {
      if option.name == GlobalOptions.ledger.definition.name { ledger = word }
    }
  }

  private func candidates(for word: String, after state: State) -> [String] {
    if let option = state.pending {
      return values(option.completion, beginning: word, state: state)
    }
    if state.takesOptions, word.hasPrefix("--"), let equals = word.firstIndex(of: "=") {
      let name = word[..<equals].dropFirst(2)
      guard let option = state.options.first(where: { $0.name == name }), option.role == .option
      else { return [] }
      let beginning = String(word[word.index(after: equals)...])
      return values(option.completion, beginning: beginning, state: state)
        .map { $0.hasPrefix(":") ? $0 : "--\(name)=\($0)" }
    }
    if state.takesOptions, word.hasPrefix("-") {
      return lines(state.options.map { Candidate($0.label, $0.help) }, beginning: word)
    }
    if !state.command.subcommands.isEmpty {
      return lines(
        state.command.subcommands.map { Candidate($0.name, $0.abstract) }, beginning: word)
    }
    let operands = state.command.operands
    guard let last = operands.last, state.operandCount < operands.count || last.arity == .repeated
    else { return [] }
    let operand = operands[min(state.operandCount, operands.count - 1)]
    return values(operand.completion, beginning: word, state: state)
  }

  private func values(
    _ completion: Completion, beginning word: String, state: State
  ) -> [String] {
    switch completion {
    case .nothing: []
    case .file: [":file"]
    case .folder: [":dir"]
    case .words(let candidates): lines(candidates, beginning: word)
    case .dynamic(let candidates):
      lines(
        candidates(
          CompletionContext(
            ledgerPath: ledgerPath(option: state.ledger, environment: environment), prefix: word)),
        beginning: word)
    }
  }

  private func lines(_ candidates: [Candidate], beginning word: String) -> [String] {
    candidates.filter { $0.word.hasPrefix(word) && isPlain($0.word) }
      .map { $0.description.isEmpty ? $0.word : "\($0.word)\t\(printable($0.description))" }
  }

  /// Whether a shell takes a word as it stands.
  ///
  /// A shell puts a candidate on the command line as it is; one from a document of a stranger must
  /// not turn into a command there.
  private func isPlain(_ word: String) -> Bool {
    word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
        UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "/"), UInt8(ascii: "@"),
        UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: "="):
        true
      default: false
      }
    }
  }

  /// Words with those put together again that bash has split at `=` and `:`.
  private func joined(_ words: [String]) -> [String] {
    var result: [String] = []
    var joinsNext = false
    for word in words {
      let isSeparator = word == "=" || word == ":"
      if let last = result.last, isSeparator || joinsNext {
        result[result.count - 1] = last + word
      } else {
        result.append(word)
      }
      joinsNext = isSeparator
    }
    return result
  }
}
