internal import Glibc

/// The right to write, among all processes, with a wait that ends.
///
/// LMDB's own lock is waited for without end: a process that is stopped inside a write would hold
/// up all others for as long. So this lock is taken first, and whoever has it finds LMDB's free.
/// The system frees it when its holder dies.
///
/// It lies on two bytes of the data file, as a lock of a descriptor of its own: POSIX locks, such
/// as LMDB has on `lock.mdb`, would be lost at the closing of any other descriptor of the file.
final class WriterLock: Sendable {
  private let descriptor: Int32
  private let path: String
  /// Whoever waits for the writer's byte holds this one, so that a process that writes without a
  /// pause has to stand behind it.
  private static let queueByte: off_t = 0
  private static let writerByte: off_t = 1
  /// `F_OFD_SETLK` of Linux, which the C library shows to GNU sources only.
  private static let setFileLock: Int32 = 37
  /// In microseconds; the first waits are for a commit of others, the later ones for longer work.
  private static let shortestPause: UInt32 = 50
  private static let longestPause: UInt32 = 2000

  init(_ environment: String) throws(StorageError) {
    path = environment
    let file = EnvironmentFile.dataPath(environment)
    // Safe because a Swift string is a valid C string for the call.
    descriptor = unsafe open(file, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StorageError(returnCode: errno, file) }
  }

  deinit { close(descriptor) }

  /// Waits for the right to write; fails with `busy` where it is not to be had in time.
  ///
  /// The lock is the process's: among its threads another lock decides.
  func acquire(within limit: Duration) throws(StorageError) {
    let deadline = ContinuousClock.now + limit
    try acquire(Self.queueByte, until: deadline, limit)
    defer { _ = set(F_UNLCK, Self.queueByte) }
    try acquire(Self.writerByte, until: deadline, limit)
  }

  func release() {
    _ = set(F_UNLCK, Self.writerByte)
  }

  private func acquire(
    _ byte: off_t, until deadline: ContinuousClock.Instant, _ limit: Duration
  ) throws(StorageError) {
    var pause = Self.shortestPause
    while true {
      // The look comes last, so that a wait in which this process itself was stopped is no failure.
      let isOver = ContinuousClock.now >= deadline
      let failure = set(F_WRLCK, byte)
      if failure == 0 { return }
      guard failure == EAGAIN || failure == EACCES else {
        throw StorageError(returnCode: failure, "\(path): locking")
      }
      if isOver {
        throw StorageError(
          .busy, path,
          "another process has been writing for \(limit): nothing was changed; try again, and "
            + "let that process go on, or end it, if it is stopped")
      }
      usleep(pause)
      pause = min(pause * 2, Self.longestPause)
    }
  }

  /// Locks or frees a byte without waiting; 0 or the error number.
  private func set(_ kind: Int32, _ byte: off_t) -> Int32 {
    var lock = flock()
    lock.l_type = Int16(kind)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = byte
    lock.l_len = 1
    // Safe because `lock` is a valid place for the call's duration.
    return unsafe fcntl(descriptor, Self.setFileLock, &lock) == 0 ? 0 : errno
  }
}
