import Dispatch
import Glibc
import LedgerStorage
import LedgerTestSupport
import Testing

/// Writers of other processes that do not come to an end.
@Suite struct WriterLockTests {
  #if DEBUG
    @Test func `a write behind a stopped one gives up, and is done once that goes on`()
      async throws
    {
      await #expect(processExitsWith: .success) {
        try withScratchFolder { folder in
          do { _ = try makeEnvironment(folder + "/env") }
          let child = try startStopped(folder)
          let environment = try openEnvironment(folder, .milliseconds(50))
          let items = try itemsTable(of: environment)
          #expect(storageCode { try environment.put("lost", for: "k", in: items) } == .busy)
          #expect(try environment.text(for: "k", in: items) == nil)
          kill(child, SIGCONT)
          try finishForked(child)
          #expect(try environment.text(for: "k", in: items) == "child's")
          try environment.put("mine", for: "k", in: items)
          #expect(try environment.text(for: "k", in: items) == "mine")
        }
      }
    }

    @Test func `a write behind one that goes on in time waits for it`() async throws {
      await #expect(processExitsWith: .success) {
        try withScratchFolder { folder in
          do { _ = try makeEnvironment(folder + "/env") }
          let child = try startStopped(folder)
          let other = startForked {
            let environment = try openEnvironment(folder, .seconds(600))
            try environment.put("other's", for: "k", in: try itemsTable(of: environment))
          }
          usleep(20_000)
          kill(child, SIGCONT)
          try finishForked(child)
          try finishForked(other)
          let environment = try openEnvironment(folder, .zero)
          let items = try itemsTable(of: environment)
          #expect(try environment.text(for: "k", in: items) == "other's")
        }
      }
    }

    @Test func `the writer that comes after a killed one need not wait`() async throws {
      await #expect(processExitsWith: .success) {
        try withScratchFolder { folder in
          do { _ = try makeEnvironment(folder + "/env") }
          let child = try startStopped(folder)
          kill(child, SIGKILL)
          #expect(throws: ForkFailure.self) { try finishForked(child) }
          let environment = try openEnvironment(folder, .zero)
          let items = try itemsTable(of: environment)
          #expect(try environment.text(for: "k", in: items) == nil)
          try environment.put("mine", for: "k", in: items)
          #expect(try environment.structureFaults() == [])
        }
      }
    }

    @Test func `reads that have to open a table do not wait for the writer of another process`()
      async throws
    {
      await #expect(processExitsWith: .success) {
        try withScratchFolder { folder in
          do { _ = try makeEnvironment(folder + "/env") }
          let child = try startStopped(folder)
          let environment = try openEnvironment(folder, .seconds(600))
          let writing = Writing(environment)
          usleep(20_000)
          // The table is not open yet in this process.
          #expect(try environment.text(for: "k", in: itemsTable(of: environment)) == nil)
          kill(child, SIGCONT)
          try finishForked(child)
          writing.finish()
        }
      }
    }
  #endif

  @Test func `a process that writes without a pause lets others in`() async throws {
    await #expect(processExitsWith: .success) {
      try withScratchFolder { folder in
        do { _ = try makeEnvironment(folder + "/env") }
        let child = startForked {
          let environment = try openEnvironment(folder, .seconds(600))
          let items = try itemsTable(of: environment)
          while try environment.text(for: "end", in: items) == nil {
            try environment.put("child's", for: "k", in: items)
          }
        }
        let environment = try openEnvironment(folder, .seconds(600))
        let items = try itemsTable(of: environment)
        for number in 0..<50 { try environment.put("mine", for: "\(number)", in: items) }
        try environment.put("now", for: "end", in: items)
        try finishForked(child)
        #expect(try environment.text(for: "k", in: items) == "child's")
      }
    }
  }

  @Test func `a failed write gives the right to write back`() throws {
    struct Refusal: Error {}
    try withScratchFolder { folder in
      let (environment, items) = try makeEnvironment(
        folder + "/env", testOptions { $0.busyTimeout = .zero })
      #expect(throws: TransactionError<Refusal>.self) {
        try environment.write { (_) throws(Refusal) in throw Refusal() }
      }
      let lock = try WriterLockView(folder + "/env/data.mdb")
      #expect(lock.isFree)
      try environment.write { (txn) throws(StorageError) in
        #expect(!lock.isFree)
        try txn.put([1].span, for: [1].span, in: items)
      }
      #expect(lock.isFree)
    }
  }
}

private func openEnvironment(
  _ folder: String, _ busyTimeout: Duration
) throws -> StorageEnvironment {
  try StorageEnvironment.open(folder + "/env", testOptions { $0.busyTimeout = busyTimeout })
}

#if DEBUG
  /// A forked child that is stopped inside a write.
  private func startStopped(_ folder: String) throws -> Int32 {
    let child = startForked {
      let environment = try openEnvironment(folder, .zero)
      let items = try itemsTable(of: environment)
      Failpoint.arm("storage.put", action: .stop)
      try environment.put("child's", for: "k", in: items)
    }
    try awaitStop(of: child)
    return child
  }

  /// A write of a table's making, on a thread of its own.
  private final class Writing: Sendable {
    private let group = DispatchGroup()

    init(_ environment: StorageEnvironment) {
      DispatchQueue(label: "membership-ledger.test.writing").async(group: group) {
        do {
          try environment.write { (txn) throws(StorageError) in
            _ = try txn.createTable(named: "other")
          }
        } catch {
          Issue.record(error)
        }
      }
    }

    func finish() { group.wait() }
  }
#endif

/// A look at the writer's byte of a data file, as another process would have it.
private struct WriterLockView {
  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = unsafe open(path, O_RDWR | O_CLOEXEC)
    try #require(descriptor >= 0)
  }

  var isFree: Bool {
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = 1
    lock.l_len = 1
    // F_OFD_GETLK of Linux.
    return unsafe fcntl(descriptor, 36, &lock) == 0 && lock.l_type == Int16(F_UNLCK)
  }
}
