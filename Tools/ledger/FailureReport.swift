/// An error as the command's user meets it: lines on standard error and an exit status.
struct FailureReport {
  let code: ExitCode
  let lines: [String]

  init(_ error: any Error) {
    switch error {
    case let error as UsageError:
      code = .usage
      lines = error.lines
    case let error as CommandFailure:
      code = error.code
      lines = ["ledger: \(error.message)"] + (error.hint.map { [$0] } ?? [])
    default:
      code = .inputOutput
      lines = ["ledger: \(printable(String(describing: error)))"]
    }
  }
}
