import Glibc
import LedgerStorage
import LedgerTestSupport
import Testing

/// Disks that fail.
///
/// Real faults: the files under LMDB are exchanged for others that refuse writes,
/// in a process of its own.
@Suite struct FaultTests {
  @Test func `a full disk is reported, changes nothing and passes with the shortage`()
    async throws
  {
    await #expect(processExitsWith: .success) {
      try withScratchFolder { folder in
        let (environment, items) = try makeEnvironment(folder + "/env")
        try environment.put("kept", for: "k", in: items)
        let data = try descriptors(of: folder + "/env/data.mdb").data
        try withDescriptor(data, exchangedFor: "/dev/full", O_WRONLY) {
          #expect(storageCode { try environment.put("lost", for: "k", in: items) } == .diskFull)
          #expect(storageCode { try environment.put("lost", for: "k", in: items) } == .diskFull)
          let kept = try environment.text(for: "k", in: items)
          #expect(kept == "kept")
        }
        try environment.put("new", for: "k", in: items)
        #expect(try environment.text(for: "k", in: items) == "new")
      }
    }
  }

  @Test func `after a failed commit the writer is closed, reads go on, reopening repairs`()
    async throws
  {
    await #expect(processExitsWith: .success) {
      try withScratchFolder { folder in
        try failCommit(folder) { folder in
          try descriptors(of: folder + "/env/data.mdb").data
        }
        let environment = try StorageEnvironment.open(folder + "/env", testOptions())
        let items = try itemsTable(of: environment)
        #expect(try environment.text(for: "k", in: items) == "kept")
        try environment.put("new", for: "k", in: items)
      }
    }
  }

  @Test func `after a failed flush the writer is closed and nothing of the commit is there`()
    async throws
  {
    await #expect(processExitsWith: .success) {
      try withScratchFolder { folder in
        do {
          let (environment, items) = try makeEnvironment(folder + "/env")
          try environment.put("kept", for: "k", in: items)
          let data = try descriptors(of: folder + "/env/data.mdb").data
          // It takes every byte and cannot be flushed.
          try withDescriptor(data, exchangedFor: "/dev/null", O_RDWR) {
            #expect(
              storageCode { try environment.put("lost", for: "k", in: items) } == .other(EINVAL))
          }
          #expect(storageCode { try environment.put("v", for: "k", in: items) } == .writerClosed)
          #expect(try environment.text(for: "k", in: items) == "kept")
        }
        let environment = try StorageEnvironment.open(folder + "/env", testOptions())
        let items = try itemsTable(of: environment)
        #expect(try environment.text(for: "k", in: items) == "kept")
        try environment.put("new", for: "k", in: items)
        #expect(try environment.structureFaults() == [])
      }
    }
  }

  @Test
  func `a file that may not grow fails the commit, changes nothing and is repaired by reopening`()
    async throws
  {
    await #expect(processExitsWith: .success) {
      try withScratchFolder { folder in
        signal(SIGXFSZ, SIG_IGN)
        do {
          let (environment, items) = try makeEnvironment(folder + "/env")
          try environment.put("kept", for: "k", in: items)
          let size = try #require(try FileSystem.status(of: folder + "/env/data.mdb")).size
          let long = String(repeating: "x", count: 100_000)
          try withFileSizeLimit(size) {
            #expect(
              storageCode { try environment.put(long, for: "k", in: items) } == .inputOutput)
            #expect(storageCode { try environment.put("v", for: "k", in: items) } == .writerClosed)
            let kept = try environment.text(for: "k", in: items)
            #expect(kept == "kept")
          }
        }
        let environment = try StorageEnvironment.open(folder + "/env", testOptions())
        let items = try itemsTable(of: environment)
        #expect(try environment.text(for: "k", in: items) == "kept")
        try environment.put("new", for: "k", in: items)
        #expect(try environment.structureFaults() == [])
      }
    }
  }

  @Test func `after a failed write of the meta page all is closed until reopened`() async throws {
    await #expect(processExitsWith: .success) {
      try withScratchFolder { folder in
        do {
          let (environment, items) = try makeEnvironment(folder + "/env")
          try environment.put("kept", for: "k", in: items)
          let meta = try descriptors(of: folder + "/env/data.mdb").meta
          try withDescriptor(meta, exchangedFor: folder + "/env/data.mdb", O_RDONLY) {
            #expect(
              storageCode { try environment.put("lost", for: "k", in: items) } == .inputOutput)
          }
          #expect(storageCode { try environment.put("v", for: "k", in: items) } == .writerClosed)
          #expect(storageCode { try environment.text(for: "k", in: items) } == .reopenRequired)
        }
        let environment = try StorageEnvironment.open(folder + "/env", testOptions())
        let items = try itemsTable(of: environment)
        #expect(try environment.text(for: "k", in: items) == "kept")
        try environment.put("new", for: "k", in: items)
      }
    }
  }

  #if DEBUG
    @Test(arguments: ["storage.commit", "storage.meta-write"])
    func `a simulated failure of the commit closes the writer`(_ failpoint: String) async throws {
      await #expect(processExitsWith: .success) { [failpoint = failpoint as String] in
        try withScratchFolder { folder in
          do {
            let (environment, items) = try makeEnvironment(folder + "/env")
            try environment.put("kept", for: "k", in: items)
            Failpoint.arm(failpoint, action: .error(EIO))
            #expect(
              storageCode { try environment.put("lost", for: "k", in: items) } == .inputOutput)
            #expect(
              storageCode { try environment.put("v", for: "k", in: items) } == .writerClosed)
            #expect(try environment.text(for: "k", in: items) == "kept")
          }
          let environment = try StorageEnvironment.open(folder + "/env", testOptions())
          try environment.put("new", for: "k", in: try itemsTable(of: environment))
        }
      }
    }

    @Test func `a commit that drops a table and fails keeps the table`() async throws {
      await #expect(processExitsWith: .success) {
        try withScratchFolder { folder in
          let (environment, items) = try makeEnvironment(folder + "/env")
          try environment.put("kept", for: "k", in: items)
          Failpoint.arm("storage.commit", action: .error(ENOSPC))
          #expect(
            storageCode {
              try environment.write { (txn) throws(StorageError) in try txn.dropTable(items) }
            } == .diskFull)
          #expect(try environment.text(for: "k", in: items) == "kept")
          try environment.put("new", for: "k", in: items)
          #expect(try environment.structureFaults() == [])
        }
      }
    }
  #endif
}

/// Runs `body` while no file of the process may grow beyond so many bytes.
private func withFileSizeLimit(_ size: UInt64, _ body: () throws -> Void) throws {
  var whole = rlimit()
  try #require(unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &whole) == 0)
  var limited = whole
  limited.rlim_cur = rlim_t(size)
  try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limited) == 0)
  defer { _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &whole) }
  try body()
}

/// Makes an environment whose commit fails because the data file refuses writes, and closes it.
private func failCommit(_ folder: String, _ descriptor: (String) throws -> Int32) throws {
  let (environment, items) = try makeEnvironment(folder + "/env")
  try environment.put("kept", for: "k", in: items)
  try withDescriptor(
    try descriptor(folder), exchangedFor: folder + "/env/data.mdb", O_RDONLY
  ) {
    #expect(storageCode { try environment.put("lost", for: "k", in: items) } == .inputOutput)
  }
  #expect(storageCode { try environment.put("v", for: "k", in: items) } == .writerClosed)
  #expect(try environment.text(for: "k", in: items) == "kept")
}

/// The descriptors that LMDB has on the data file: one for pages, one for meta pages.
///
/// A third, for writing alone, carries the writer's lock. The second is opened with O_DSYNC, so
/// that each meta page is on disk when its write returns.
private func descriptors(of path: String) throws -> (data: Int32, meta: Int32) {
  let identity = try #require(try FileSystem.status(of: path)).identity
  var data: Int32?
  var meta: Int32?
  for descriptor in 3..<256 as Range<Int32> {
    guard let status = try? FileSystem.status(of: "/proc/self/fd/\(descriptor)"),
      status.identity == identity
    else { continue }
    let flags = fcntl(descriptor, F_GETFL)
    if flags & O_DSYNC != 0 {
      meta = descriptor
    } else if flags & O_ACCMODE == O_RDWR {
      data = descriptor
    }
  }
  return (try #require(data), try #require(meta))
}

/// Runs `body` while `descriptor` stands for another file.
private func withDescriptor(
  _ descriptor: Int32, exchangedFor path: String, _ flags: Int32, _ body: () throws -> Void
) throws {
  let kept = dup(descriptor)
  let other = unsafe open(path, flags)
  try #require(kept >= 0 && other >= 0)
  dup2(other, descriptor)
  defer {
    dup2(kept, descriptor)
    close(kept)
    close(other)
  }
  try body()
}
