internal import Glibc
internal import Synchronization

/// Counts the forks between the process's start and now, along its line of ancestors.
///
/// LMDB must not be used over a fork: the child shares the parent's reader slots and has none of
/// its locks. An environment remembers the count at its opening and refuses work when it differs.
enum ProcessFork {
  static let count = Atomic<Int>(0)
  private static let isWatched: Bool =
    // The handler only adds to an atomic, as the child of a threaded process may.
    pthread_atfork(nil, nil, { ProcessFork.count.wrappingAdd(1, ordering: .relaxed) }) == 0

  /// Starts counting; asked for before the first environment opens.
  static func watch() {
    precondition(isWatched, "no memory for a fork handler")
  }
}
