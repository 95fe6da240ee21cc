internal import Synchronization

/// The ledger's clock, which does not go back for those who ask what is the case now.
final class LedgerClock: Sendable {
  private let source: @Sendable () -> Timestamp
  private let latest = Atomic(Int64.min)

  init(_ source: @escaping @Sendable () -> Timestamp) {
    self.source = source
  }

  /// What the clock shows, be it behind what it showed before.
  var reading: Timestamp { source() }

  /// The latest of what the clock shows, ever showed, and the recorded times that were seen.
  ///
  /// An end that has been seen to pass stays passed, whatever becomes of the clock.
  var now: Timestamp {
    let instant = source()
    let latest = Timestamp(milliseconds: latest.load(ordering: .relaxed))
    if instant <= latest { return latest }
    note(instant)
    return instant
  }

  /// Whether no later instant than this one, of `now`, has been noted since.
  func isLatest(_ instant: Timestamp) -> Bool {
    latest.load(ordering: .relaxed) <= instant.milliseconds
  }

  /// How far the clock is behind an instant that has come; zero where it is not.
  func lag(behind instant: Timestamp) -> Duration {
    max(.zero, .milliseconds(instant.milliseconds) - .milliseconds(source().milliseconds))
  }

  /// Notes an instant that has come.
  func note(_ instant: Timestamp) {
    // Loaded first: mostly there is nothing to store.
    if instant.milliseconds > latest.load(ordering: .relaxed) {
      latest.max(instant.milliseconds, ordering: .relaxed)
    }
  }
}
