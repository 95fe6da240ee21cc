internal import FoundationEssentials
internal import Glibc
internal import LedgerStorage

/// The program `ledger`.
@main
enum Main {
  static func main() {
    // A supervisor may have told its children to ignore it; then a reader that leaves, such as
    // head, would not end a long listing.
    signal(SIGPIPE, SIG_DFL)
    let environment = ProcessInfo.processInfo.environment
    let terminal = Terminal.current(environment: environment)
    let program = Program(
      environment: environment, terminal: terminal,
      output: standardBuffer(STDOUT_FILENO, terminal.outputIsTerminal, "standard output"),
      messages: standardBuffer(STDERR_FILENO, terminal.errorIsTerminal, "standard error"),
      surroundings: .process(environment: environment))
    let words = Array(CommandLine.arguments.dropFirst())
    exit(program.run(words, invalidWord: ProcessArguments.firstInvalid()).rawValue)
  }

  private static func standardBuffer(
    _ descriptor: Int32, _ isTerminal: Bool, _ name: String
  ) -> OutputBuffer {
    OutputBuffer(isTerminal: isTerminal) { bytes in
      do throws(SystemFailure) {
        try ProcessStreams.write(bytes, to: descriptor)
      } catch {
        throw CommandFailure(.inputOutput, "\(name): \(error)")
      }
    }
  }
}
