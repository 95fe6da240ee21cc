internal import LedgerStorage
internal import Synchronization

extension AccessIndex {
  /// A check does not take up more changes than these; the index is made anew beside it.
  private static let mostChanges = 10_000
  /// How many rows are read under one snapshot.
  private static let pageSize = 10_000
}
