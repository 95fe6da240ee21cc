internal import MembershipModel

/// One run of the command line: parse, call, print.
struct Program {
  let environment: [String: String]
  let terminal: Terminal
  let output: OutputBuffer
  let messages: OutputBuffer
  let surroundings: Surroundings

  static let version = "0.1.0"

  /// Carries out a command line, the program's name not among the words.
  ///
  /// - Parameters:
  ///   - words: The words.
  ///   - invalidWord: The place, counted from 1, of one that is not UTF-8 and was repaired.
  /// - Returns: The exit status.
  func run(_ words: [String], invalidWord: Int? = nil) -> ExitCode {
    var code: ExitCode
    do {
      // Completion gets what stands on a command line that is being written.
      if let invalidWord, words.first != "--complete" {
        throw UsageError(
          in: [CommandTable.root],
          "word \(invalidWord) is not UTF-8: \(printable(words[invalidWord - 1]))",
          hint: "Names and ids are text in UTF-8; see that the terminal's locale is, too.")
      }
      code = try perform(words)
    } catch {
      code = report(error)
    }
    do {
      try output.flush()
      try messages.flush()
    } catch {
      // An answer that did not get out is no answer, whatever it was.
      code = report(error)
    }
    return code
  }

  private func perform(_ words: [String]) throws -> ExitCode {
    if words.first == "--complete" {
      let completer = Completer(root: CommandTable.root, environment: environment)
      try output.lines(completer.answer(to: Array(words.dropFirst())))
      return .done
    }
    if words.isEmpty {
      try messages.write(Help(path: [CommandTable.root], style: terminal.style(.never)).text)
      return .usage
    }
    let invocation = try Parser.parse(words, root: CommandTable.root)
    let style = terminal.style(invocation.global.color)
    if invocation.global.wantsHelp {
      try output.write(Help(path: invocation.path, style: style).text)
      return .done
    }
    if invocation.global.wantsVersion {
      try output.line("ledger \(Self.version)")
      return .done
    }
    guard let makeCommand = invocation.path.last?.makeCommand else { return .usage }
    return try makeCommand(invocation.values).run(in: context(invocation.global, style: style))
  }

  private func context(_ global: GlobalOptions, style: TextStyle) -> CommandContext {
    CommandContext(
      ledgerPath: ledgerPath(option: global.ledger, environment: environment),
      printsJSON: global.printsJSON, isQuiet: global.isQuiet, style: style, output: output,
      messages: messages, surroundings: surroundings, present: Present(surroundings.clock()))
  }

  /// Tells the user what went wrong, after the results that came before it.
  private func report(_ error: any Error) -> ExitCode {
    let failure = FailureReport(error)
    do {
      if failure.code != .inputOutput { try output.flush() }
      try messages.lines(failure.lines)
      try messages.flush()
      return failure.code
    } catch {
      // There is nowhere left to say it; the status still does.
      return .inputOutput
    }
  }
}
