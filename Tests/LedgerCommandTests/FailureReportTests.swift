import MembershipLedger
import Testing

@testable import LedgerCommand

@Suite struct FailureReportTests {
  private static let codes: [(error: LedgerError.Code, status: ExitCode)] = [
    (.notFound, .noInput), (.notALedger, .noInput), (.damaged, .damage), (.busy, .busy),
    (.newerFormat, .badData), (.invalidEvent, .badData), (.unknownReference, .badData),
    (.idConflict, .no), (.conditionFailed, .no), (.trialUsed, .no), (.unknownEntitlement, .no),
    (.alreadyExists, .inputOutput), (.permissionDenied, .inputOutput), (.full, .inputOutput),
    (.inputOutput, .inputOutput), (.readOnly, .inputOutput), (.writerClosed, .inputOutput),
    (.unsupportedFileSystem, .inputOutput), (.unsupportedSystem, .inputOutput),
    (.usedAfterFork, .inputOutput),
  ]

  @Test(arguments: codes)
  func `each failure of the ledger has its status`(error: LedgerError.Code, status: ExitCode) {
    #expect(FailureReport(LedgerError(error, "x")).code == status)
  }

  @Test func `a message is made harmless`() {
    #expect(FailureReport(LedgerError(.busy, "a\u{1B}b")).lines == ["ledger: a\\u{1B}b"])
  }
}
