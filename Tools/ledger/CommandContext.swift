internal import FoundationEssentials
internal import Glibc

/// What a command runs with: where the ledger is, where output goes, and what time it is.
struct CommandContext {
  let ledgerPath: String
  let printsJSON: Bool
  let isQuiet: Bool
  let style: TextStyle
  /// Results.
  let output: OutputBuffer
  /// Messages and progress.
  let errors: OutputBuffer
  /// Reads a file or standard input as a whole.
  let readInput: (InputFile) throws -> [UInt8]
  let environment: [String: String]
}
