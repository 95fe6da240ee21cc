internal import Glibc
internal import LedgerStorage
internal import MembershipLedger
internal import MembershipModel

extension CommandContext {
  /// How often the log is looked at for more, in milliseconds.
  private static let pause: Int32 = 100

  /// Shows what is printed and waits until the log has more than a position; false where nobody
  /// reads the output any longer.
  func waitForMore(than seen: Position, in ledger: Ledger) throws -> Bool {
    try output.flush()
    while try ledger.lastPosition() <= seen {
      if ProcessStreams.loseReader(of: STDOUT_FILENO, within: Self.pause) { return false }
    }
    return true
  }
}

/// Throws where what comes is to be followed, of an instant or a knowledge that nothing comes to.
func refuseFollowingThePast(
  _ follows: Bool, _ at: TimeValue?, _ knownAt: LogPoint?
) throws(CommandFailure) {
  guard follows, at != nil || knownAt != nil else { return }
  throw CommandFailure(
    .usage, "--follow waits for what is to come, and \(at == nil ? "--known-at" : "--at") ends",
    hint: "Leave one of the two out.")
}
