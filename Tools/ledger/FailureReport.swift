internal import MembershipLedger

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
    case let error as LedgerError:
      code = ExitCode(error.code)
      lines = ["ledger: \(printable(error.message))"] + (Self.hint(error.code).map { [$0] } ?? [])
    default:
      code = .inputOutput
      lines = ["ledger: \(printable(String(describing: error)))"]
    }
  }
}

extension FailureReport {
  /// What the command can do about a failure of the library, which does not know of commands.
  private static func hint(_ code: LedgerError.Code) -> String? {
    switch code {
    case .notFound, .notALedger:
      "Name a ledger with --ledger or LEDGER_PATH, or make one with 'ledger init'."
    default: nil
    }
  }
}

extension ExitCode {
  init(_ code: LedgerError.Code) {
    self =
      switch code {
      case .notFound, .notALedger: .noInput
      case .damaged: .damage
      case .busy: .busy
      case .newerFormat, .invalidEvent, .unknownReference: .badData
      case .idConflict, .conditionFailed, .trialUsed, .unknownEntitlement, .unknownMembership,
        .sameCustomer, .nothingToUndo, .belongsToAnother, .anonymousCustomer, .nothingPending,
        .alreadyEffective:
        .no
      case .alreadyExists, .unsupportedFileSystem, .unsupportedSystem, .permissionDenied,
        .readOnly, .usedAfterFork, .writerClosed, .full, .inputOutput:
        .inputOutput
      @unknown default: .inputOutput
      }
  }
}
