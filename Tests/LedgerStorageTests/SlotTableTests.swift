import Dispatch
import LedgerStorage
import LedgerTestSupport
import Testing

@Suite struct SlotTableTests {
  private func value(_ number: UInt64) -> SlotValue { SlotValue(number, number * 3, ~number) }

  @Test func `what was put is found, what was not is not`() throws {
    let table = try SlotTable(room: 1000)
    let hash = SlotHash()
    func key(_ number: Int, _ domain: UInt8 = 1) -> SlotKey {
      hash.key(of: Array("customer \(number)".utf8).span, in: domain)
    }
    for number in 0..<1000 { #expect(table.set(key(number), to: value(UInt64(number)))) }
    for number in 0..<1000 {
      #expect(table.value(of: key(number)) == value(UInt64(number)))
      #expect(table.value(of: key(number + 1000)) == nil)
      #expect(table.value(of: key(number, 2)) == nil)
    }
    #expect(table.count == 1000 && table.memory <= 48 * 1000 + 8192)
    #expect(table.set(key(7), to: value(9)))
    #expect(table.value(of: key(7)) == value(9) && table.count == 1000)
  }

  @Test func `keys of one home stand one behind the other, over the end of the table too`() throws {
    let table = try SlotTable()
    let keys = (1...50).map { SlotKey(home: .max, fingerprint: $0) }
    for (number, key) in keys.enumerated() { #expect(table.set(key, to: value(UInt64(number)))) }
    for (number, key) in keys.enumerated() {
      #expect(table.value(of: key) == value(UInt64(number)))
    }
    #expect(table.value(of: SlotKey(home: .max, fingerprint: 51)) == nil)
    #expect(table.value(of: SlotKey(home: 0, fingerprint: 51)) == nil)
  }

  @Test func `a full table refuses another key and keeps what it has`() throws {
    let table = try SlotTable()
    var taken: UInt64 = 0
    while table.set(SlotKey(home: taken << 50, fingerprint: taken + 1), to: value(taken)) {
      taken += 1
    }
    #expect(taken == 103, "four of five of 128 slots")
    for number in 0..<taken {
      let key = SlotKey(home: number << 50, fingerprint: number + 1)
      #expect(table.value(of: key) == value(number))
      #expect(table.set(key, to: value(number + 1)), "what is there may change")
    }
    try table.clear(room: 1000)
    #expect(table.count == 0 && table.value(of: SlotKey(home: 0, fingerprint: 1)) == nil)
    #expect(table.set(SlotKey(home: 0, fingerprint: 1), to: value(1)))
  }

  @Test func `a fingerprint is never the sign of a free slot`() {
    #expect(SlotKey(home: 1, fingerprint: 0).fingerprint == 1)
  }

  @Test func `two tables of keys have secrets of their own`() {
    let name = Array("user_1".utf8)
    let keys = (0..<8).map { _ in SlotHash().key(of: name.span, in: 1) }
    #expect(Set(keys).count == 8)
  }

  @Test func `readers come through while a table is changed and made anew`() throws {
    let table = try SlotTable(room: 500)
    let hash = SlotHash()
    let names = (0..<500).map { Array("customer \($0)".utf8) }
    let isDone = Lock(false)
    let readers = DispatchGroup()
    for _ in 0..<2 {
      DispatchQueue.global().async(group: readers) {
        while !isDone.withLock({ $0 }) {
          for name in names {
            // Whatever is found may be a mixture; it ends, and stays within the memory.
            _ = table.value(of: hash.key(of: name.span, in: 1))
          }
        }
      }
    }
    for round in 0..<50 as Range<UInt64> {
      for name in names { _ = table.set(hash.key(of: name.span, in: 1), to: value(round)) }
      if round % 5 == 4 { try table.clear(room: Int(round) * 20) }
    }
    isDone.withLock { $0 = true }
    readers.wait()
    #expect(table.count == 0)
  }
}
