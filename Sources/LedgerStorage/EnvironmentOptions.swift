internal import CLedgerLMDB
internal import Glibc

/// How an environment is opened, and what it has to be.
package struct EnvironmentOptions: Sendable {
  /// Whose data the environment holds; `create` writes it down, `open` insists on it.
  package var application: String
  /// The format that this program writes, and the newest it reads.
  package var formatVersion: UInt32
  /// Whether writes are refused.
  ///
  /// Reading still needs write access to `lock.mdb`.
  package var isReadOnly = false
  /// Whether tables whose root is nonsense are left to the caller, who looks for structure faults
  /// before reading a table: LMDB may crash on them.
  package var toleratesDamagedTables = false
  /// How many tables may be open.
  package var maximumTables = 128
  /// Slots of the reader table; the first process to open the environment decides.
  package var maximumReaders: UInt32 = 1024
  /// Address space, not disk: the file grows as it fills.
  package var mapSize = 1 << 40
  /// How long a step that needs this process's reads to end waits for them, in milliseconds.
  package var readsLimit = 10_000
  /// How long a write waits for those of other processes.
  package var busyTimeout: Duration = .seconds(30)
  /// What is asked of the system; tests answer in its stead.
  package var probes = SystemProbes()

  package init(application: String, formatVersion: UInt32) {
    self.application = application
    self.formatVersion = formatVersion
  }
}

/// Questions to the system whose answers tests replace.
package struct SystemProbes: Sendable {
  /// The version of the LMDB library.
  package var libraryVersion: @Sendable () -> (Int32, Int32, Int32) = {
    var version: (Int32, Int32, Int32) = (0, 0, 0)
    // Safe because the three places are valid for the call's duration.
    _ = unsafe mdb_version(&version.0, &version.1, &version.2)
    return version
  }

  /// The `f_type` of the file system that holds a path.
  package var fileSystemKind: @Sendable (String) throws(StorageError) -> UInt = {
    (path) throws(StorageError) in try FileSystem.kind(of: path)
  }

  /// A clock that nobody sets.
  package var secondsSinceBoot: @Sendable () -> Int = {
    var now = timespec()
    // Safe because `now` is a valid place.
    unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &now)
    return now.tv_sec
  }

  package init() {}
}
