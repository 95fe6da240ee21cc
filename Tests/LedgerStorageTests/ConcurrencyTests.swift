import Dispatch
import Foundation
import LedgerStorage
import LedgerTestSupport
import Synchronization
import Testing

@Suite struct ConcurrencyTests {
  /// Runs `body` on so many threads at once, with the number of each.
  private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) {
    let ended = DispatchSemaphore(value: 0)
    for number in 0..<count {
      // Threads of our own: a queue would run no more at once than there are processors.
      Thread.detachNewThread {
        #expect(throws: Never.self) { try body(number) }
        ended.signal()
      }
    }
    for _ in 0..<count { ended.wait() }
  }

  @Test func `a lock lets one in at a time`() {
    let lock = Lock(0)
    onThreads(4) { _ in
      for _ in 0..<20_000 { lock.withLock { $0 += 1 } }
    }
    #expect(lock.withLock { $0 } == 80_000)
  }

  @Test func `a waiter goes on when its condition holds`() {
    let lock = Lock([Int]())
    onThreads(4) { number in
      for round in 0..<500 {
        lock.withLock(when: { $0.count == round * 4 + number }) { $0.append(number) }
        lock.wakeAll()
      }
    }
    #expect(lock.withLock { $0 } == (0..<2000).map { $0 % 4 })
  }

  @Test func `writers of many threads lose nothing and readers see whole commits`() throws {
    try withScratchFolder { folder in
      let (environment, items) = try makeEnvironment(folder + "/env")
      let isDone = Atomic<Int>(0)
      onThreads(6) { number in
        if number < 2 {
          for round in 0..<150 {
            // Each commit stores the same value under two keys.
            try environment.write { (txn) throws(StorageError) in
              let value = [UInt8]("\(number) \(round)")
              try txn.put(value.span, for: [UInt8]("left").span, in: items)
              try txn.put(value.span, for: [UInt8]("right").span, in: items)
              try txn.put([1].span, for: value.span, in: items)
            }
          }
          isDone.add(1, ordering: .relaxed)
        } else {
          while isDone.load(ordering: .relaxed) < 2 {
            try environment.read { (txn) throws(StorageError) in
              let left = try txn.value(for: [UInt8]("left").span, in: items)
              let right = try txn.value(for: [UInt8]("right").span, in: items)
              #expect(left == right)
            }
          }
        }
      }
      let count = try environment.read { (txn) throws(StorageError) in try txn.count(of: items) }
      #expect(count == 302)
    }
  }

  @Test func `tables are dropped and made while others read`() throws {
    try withScratchFolder { folder in
      let (environment, items) = try makeEnvironment(folder + "/env")
      try environment.put("v", for: "k", in: items)
      let isDone = Atomic<Bool>(false)
      onThreads(4) { number in
        guard number == 0 else {
          while !isDone.load(ordering: .relaxed) {
            #expect(try environment.text(for: "k", in: items) == "v")
            if let other = try environment.table(named: "other") {
              do {
                _ = try environment.text(for: "k", in: other)
              } catch TransactionError<StorageError>.body(let error) {
                #expect(error.code == .tableMissing)
              }
            }
          }
          return
        }
        for _ in 0..<100 {
          let other = try environment.write { (txn) throws(StorageError) in
            try txn.createTable(named: "other")
          }
          try environment.put("w", for: "k", in: other)
          try environment.write { (txn) throws(StorageError) in try txn.dropTable(other) }
        }
        isDone.store(true, ordering: .relaxed)
      }
      #expect(try environment.structureFaults() == [])
    }
  }

  @Test func `a drop waits for reads under way and fails when they do not end`() throws {
    try withScratchFolder { folder in
      let (environment, items) = try makeEnvironment(
        folder + "/env", testOptions { $0.readsLimit = 200 })
      let isReading = DispatchSemaphore(value: 0)
      let mayEnd = DispatchSemaphore(value: 0)
      let group = DispatchGroup()
      DispatchQueue.global().async(group: group) {
        #expect(throws: Never.self) {
          try environment.read { (_) throws(StorageError) in
            isReading.signal()
            mayEnd.wait()
          }
        }
      }
      isReading.wait()
      func drop() throws {
        try environment.write { (txn) throws(StorageError) in try txn.dropTable(items) }
      }
      #expect(storageCode { try drop() } == .readsInTheWay)
      #expect(try environment.text(for: "k", in: items) == nil)
      mayEnd.signal()
      try drop()
      group.wait()
      #expect(try environment.table(named: "items") == nil)
    }
  }

  @Test func `handles open and close on many threads and stay one environment`() throws {
    try withScratchFolder { folder in
      do {
        let (environment, items) = try makeEnvironment(folder + "/env")
        try environment.put("v", for: "k", in: items)
      }
      onThreads(4) { _ in
        for _ in 0..<100 {
          let environment = try StorageEnvironment.open(folder + "/env", testOptions())
          let items = try #require(try environment.table(named: "items"))
          #expect(try environment.text(for: "k", in: items) == "v")
        }
      }
    }
  }
}
