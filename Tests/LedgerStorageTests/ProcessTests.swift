import FoundationEssentials
import Glibc
import LedgerStorage
import LedgerTestSupport
import Testing

/// Two processes on one environment; an exit test's body is the second.
@Suite struct ProcessTests {
  @Test func `another process's larger map is followed by reads and writes`() async throws {
    try await withScratchFolder { folder in
      let options = testOptions { $0.mapSize = 1 << 18 }
      let (environment, items) = try makeEnvironment(folder + "/env", options)
      try environment.put("old", for: "k", in: items)
      // A transaction that waits in the pool, so that the next read renews it.
      #expect(try environment.text(for: "k", in: items) == "old")
      await #expect(processExitsWith: .success) { [folder = folder as String] in
        try fill(folder, megabytes: 1, mapSize: 4 << 20)
      }
      #expect(try environment.text(for: "k", in: items) == "filled")
      await #expect(processExitsWith: .success) { [folder = folder as String] in
        try fill(folder, megabytes: 8, mapSize: 16 << 20)
      }
      try writeSynchronously(environment, items)
      #expect(try environment.text(for: "k", in: items) == "new")
    }
  }

  @Test func `a read in a read cannot move the map and says so`() async throws {
    try await withScratchFolder { folder in
      let options = testOptions { $0.mapSize = 1 << 18 }
      let (environment, items) = try makeEnvironment(folder + "/env", options)
      await #expect(processExitsWith: .success) { [folder = folder as String] in
        // The child keeps the outer read open while its own child enlarges the map; both live
        // here because a body that awaits cannot stand inside a read.
        let options = testOptions {
          $0.mapSize = 1 << 18
          $0.readsLimit = 200
        }
        let environment = try StorageEnvironment.open(folder + "/env", options)
        let items = try itemsTable(of: environment)
        try environment.read { (_) throws in
          try runForked {
            try fill(folder, megabytes: 1, mapSize: 4 << 20)
          }
          #expect(storageCode { try environment.text(for: "k", in: items) } == .readsInTheWay)
          #expect(
            storageCode { try environment.put("v", for: "k", in: items) } == .readsInTheWay)
        }
        #expect(try environment.text(for: "k", in: items) == "filled")
      }
      #expect(try environment.text(for: "k", in: items) == "filled")
    }
  }

  @Test func `the slot of a reader that was killed is cleared at opening`() async throws {
    try await withScratchFolder { folder in
      _ = try makeEnvironment(folder + "/env")
      await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String] in
        try dieReading(folder)
      }
      let environment = try StorageEnvironment.open(folder + "/env", testOptions())
      #expect(try environment.statistics().clearedReaders <= 1)
      #expect(try environment.statistics().oldestReaderLag == 0)
    }
  }

  @Test func `the slot of a reader that was killed is cleared by writes`() async throws {
    try await withScratchFolder { folder in
      let (environment, items) = try makeEnvironment(folder + "/env")
      await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String] in
        try dieReading(folder)
      }
      #expect(try environment.statistics().clearedReaders == 0)
      for number in 0..<300 { try writeSynchronously(environment, items, "\(number)") }
      #expect(try environment.statistics().clearedReaders == 1)
      #expect(try environment.statistics().oldestReaderLag == 0)
    }
  }

  @Test func `the slot of a reader that was killed is cleared by a write after some time`()
    async throws
  {
    try await withScratchFolder { folder in
      let seconds = Lock(1000)
      let options = testOptions {
        $0.probes.secondsSinceBoot = { seconds.withLock { $0 } }
      }
      let (environment, items) = try makeEnvironment(folder + "/env", options)
      try writeSynchronously(environment, items, "first")
      await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String] in
        try dieReading(folder)
      }
      try writeSynchronously(environment, items, "soon")
      #expect(try environment.statistics().clearedReaders == 0)
      seconds.withLock { $0 += 60 }
      try writeSynchronously(environment, items, "later")
      #expect(try environment.statistics().clearedReaders == 1)
    }
  }

  @Test func `a process id that another PID namespace uses too is a clear error`() async throws {
    try await withScratchFolder { folder in
      do {
        _ = try makeEnvironment(folder + "/env")
      }
      // LMDB marks a reading process by a lock on the byte of the lock file that its id numbers.
      // Holding all of them is what a process of the same id in another namespace does.
      let lockFile = unsafe open(folder + "/env/lock.mdb", O_RDWR)
      defer { close(lockFile) }
      var lock = flock()
      lock.l_type = Int16(F_WRLCK)
      lock.l_whence = Int16(SEEK_SET)
      lock.l_start = 1
      let isHeld = unsafe fcntl(lockFile, F_SETLK, &lock) == 0
      #expect(isHeld)
      await #expect(processExitsWith: .success) { [folder = folder as String] in
        #expect(
          storageCode { try StorageEnvironment.open(folder + "/env", testOptions()) }
            == .processIDClash)
      }
    }
  }

  @Test func `files of another user that may not be written are a clear error`() async throws {
    try await withScratchFolder { folder in
      do {
        _ = try makeEnvironment(folder + "/env")
      }
      for name in ["data.mdb", "lock.mdb"] {
        let isChanged = unsafe chmod(folder + "/env/" + name, 0o444) == 0
        #expect(isChanged)
      }
      await #expect(processExitsWith: .success) { [folder = folder as String] in
        // Root may do anything, so it becomes nobody first.
        if getuid() == 0 { #expect(setuid(65_534) == 0) }
        let options = testOptions { $0.isReadOnly = true }
        #expect(
          storageCode { try StorageEnvironment.open(folder + "/env", options) }
            == .permissionDenied)
      }
    }
  }

  @Test func `a table that another process drops and makes anew is followed`() async throws {
    try await withScratchFolder { folder in
      let (environment, items) = try makeEnvironment(folder + "/env")
      try writeSynchronously(environment, items, "old")
      await #expect(processExitsWith: .success) { [folder = folder as String] in
        try dropItems(folder)
      }
      // LMDB shows such a table as empty to readers and lets writers write into nowhere.
      #expect(storageCode { try environment.text(for: "k", in: items) } == .tableMissing)
      #expect(
        storageCode {
          try environment.read { (txn) throws(StorageError) in
            _ = try txn.entries(in: items)
          }
        } == .tableMissing)
      #expect(
        storageCode { try writeSynchronously(environment, items, "lost") } == .tableMissing)
      await #expect(processExitsWith: .success) { [folder = folder as String] in
        try makeItems(folder)
      }
      _ = try environment.table(named: "items")
      #expect(try environment.text(for: "k", in: items) == "anew")
      try writeSynchronously(environment, items)
      #expect(try environment.structureFaults() == [])
    }
  }
}

/// A write, from tests that await elsewhere.
func writeSynchronously(
  _ environment: StorageEnvironment, _ table: Table, _ value: String = "new"
) throws {
  try environment.put(value, for: "k", in: table)
}

/// Fills the environment in `folder` with so much under a larger map.
func fill(_ folder: String, megabytes: Int, mapSize: Int) throws {
  let options = testOptions { $0.mapSize = mapSize }
  let environment = try StorageEnvironment.open(folder + "/env", options)
  let items = try itemsTable(of: environment)
  try environment.write { (txn) throws(StorageError) in
    let long = [UInt8](repeating: 1, count: megabytes << 20)
    try txn.put(long.span, for: [UInt8]("long").span, in: items)
    try txn.put([UInt8]("filled").span, for: [UInt8]("k").span, in: items)
  }
}

/// Drops the table `items` of the environment in `folder`.
func dropItems(_ folder: String) throws {
  let environment = try StorageEnvironment.open(folder + "/env", testOptions())
  let items = try itemsTable(of: environment)
  try environment.write { (txn) throws(StorageError) in try txn.dropTable(items) }
}

/// Makes the table `items` of the environment in `folder` anew.
func makeItems(_ folder: String) throws {
  let environment = try StorageEnvironment.open(folder + "/env", testOptions())
  try environment.write { (txn) throws(StorageError) in
    let items = try txn.createTable(named: "items")
    try txn.put([UInt8]("anew").span, for: [UInt8]("k").span, in: items)
  }
}

/// Opens the environment in `folder` and is killed inside a read.
func dieReading(_ folder: String) throws {
  let environment = try StorageEnvironment.open(folder + "/env", testOptions())
  try environment.read { (_) throws(StorageError) in
    kill(getpid(), SIGKILL)
    pause()
  }
}
