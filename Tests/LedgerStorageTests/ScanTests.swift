import LedgerStorage
import LedgerTestSupport
import Testing

@Suite struct ScanTests {
  /// The keys of a scan, as text.
  private func keys(
    _ environment: StorageEnvironment, _ table: Table, prefix: String? = nil,
    from: String? = nil, after: String? = nil, order: ScanOrder = .ascending, limit: Int = .max
  ) throws -> [String] {
    let prefix = prefix.map { [UInt8]($0) }
    let from = from.map { [UInt8]($0) }
    let after = after.map { [UInt8]($0) }
    return try environment.read { (txn) throws(StorageError) in
      var found: [String] = []
      var entries = try txn.entries(
        in: table, prefix: prefix?.span, from: from?.span, after: after?.span, order: order)
      while found.count < limit, let entry = try entries.next() {
        #expect(entry.value.copied() == entry.key.copied().reversed())
        found.append(String(decoding: entry.key.copied(), as: UTF8.self))
      }
      return found
    }
  }

  private func filled(
    _ folder: String, _ keys: [String]
  ) throws -> (environment: StorageEnvironment, items: Table) {
    let made = try makeEnvironment(folder + "/env")
    try made.environment.write { (txn) throws(StorageError) in
      for key in keys {
        let key = [UInt8](key)
        try txn.put([UInt8](key.reversed()).span, for: key.span, in: made.items)
      }
    }
    return made
  }

  @Test func `a scan yields keys in order and may stop early`() throws {
    try withScratchFolder { folder in
      let (environment, items) = try filled(folder, ["b", "a", "d", "c"])
      #expect(try keys(environment, items) == ["a", "b", "c", "d"])
      #expect(try keys(environment, items, order: .descending) == ["d", "c", "b", "a"])
      #expect(try keys(environment, items, limit: 2) == ["a", "b"])
      #expect(try keys(environment, items, order: .descending, limit: 1) == ["d"])
    }
  }

  @Test func `a scan of an empty table ends at once`() throws {
    try withScratchFolder { folder in
      let (environment, items) = try filled(folder, [])
      #expect(try keys(environment, items) == [])
      #expect(try keys(environment, items, order: .descending) == [])
      #expect(try keys(environment, items, prefix: "a", order: .descending) == [])
      try environment.read { (txn) throws(StorageError) in
        #expect(try txn.lastKey(in: items) == nil)
        var entries = try txn.entries(in: items)
        #expect(try entries.next() == nil)
        #expect(try entries.next() == nil)
      }
    }
  }

  @Test func `scans agree with sorting and filtering by hand`() throws {
    var generator = SeededGenerator(seed: UInt64.random(in: 0...UInt64.max))
    print("seed \(generator.seed)")
    let alphabet = ["a", "b", "\u{7f}", "é"]
    func word() -> String {
      (0..<Int.random(in: 1...4, using: &generator))
        .map { _ in alphabet.randomElement(using: &generator) ?? "a" }.joined()
    }
    let all = Set((0..<120).map { _ in word() })
    let sorted = all.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
    func precedes(_ a: String, _ b: String) -> Bool {
      Array(a.utf8).lexicographicallyPrecedes(Array(b.utf8))
    }
    try withScratchFolder { folder in
      let (environment, items) = try filled(folder, Array(all))
      for _ in 0..<300 {
        let prefix = Bool.random(using: &generator) ? word() : ""
        let start = prefix + word()
        let within = sorted.filter { Array($0.utf8).starts(with: Array(prefix.utf8)) }
        #expect(try keys(environment, items, prefix: prefix) == within)
        #expect(
          try keys(environment, items, prefix: prefix, order: .descending) == within.reversed())
        #expect(
          try keys(environment, items, prefix: prefix, from: start)
            == within.filter { !precedes($0, start) })
        #expect(
          try keys(environment, items, prefix: prefix, after: start)
            == within.filter { precedes(start, $0) })
        #expect(
          try keys(environment, items, prefix: prefix, from: start, order: .descending)
            == within.filter { !precedes(start, $0) }.reversed())
        #expect(
          try keys(environment, items, prefix: prefix, after: start, order: .descending)
            == within.filter { precedes($0, start) }.reversed())
      }
    }
  }

  @Test func `a prefix of highest bytes is scanned downwards`() throws {
    try withScratchFolder { folder in
      let (environment, items) = try makeEnvironment(folder + "/env")
      try environment.write { (txn) throws(StorageError) in
        for key in [[0xfe], [0xff], [0xff, 0xff], [0xff, 0xff, 3]] as [[UInt8]] {
          try txn.put(key.span, for: key.span, in: items)
        }
      }
      try environment.read { (txn) throws(StorageError) in
        let prefix: [UInt8] = [0xff, 0xff]
        var entries = try txn.entries(in: items, prefix: prefix.span, order: .descending)
        #expect(try entries.next()?.key.copied() == [0xff, 0xff, 3])
        #expect(try entries.next()?.key.copied() == [0xff, 0xff])
        #expect(try entries.next() == nil)
        #expect(try txn.lastKey(in: items) == [0xff, 0xff, 3])
      }
    }
  }
}
