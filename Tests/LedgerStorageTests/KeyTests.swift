import LedgerStorage
import LedgerTestSupport
import Testing

@Suite struct KeyTests {
  /// The parts of one key.
  private struct Parts: Equatable {
    var tag: UInt8
    var text: String
    var number: UInt64
    var small: UInt32
    var rest: [UInt8]

    var key: [UInt8] {
      var encoder = KeyEncoder()
      encoder.append(tag)
      encoder.append(terminated: text)
      encoder.append(number)
      encoder.append(small)
      encoder.append(rest)
      return encoder.bytes.copied()
    }

    func precedes(_ other: Parts) -> Bool {
      if tag != other.tag { return tag < other.tag }
      if text != other.text { return Array(text.utf8).lexicographicallyPrecedes(other.text.utf8) }
      if number != other.number { return number < other.number }
      if small != other.small { return small < other.small }
      return rest.lexicographicallyPrecedes(other.rest)
    }
  }

  @Test func `keys sort as their parts do and come apart again`() {
    var generator = SeededGenerator(seed: UInt64.random(in: 0...UInt64.max))
    print("seed \(generator.seed)")
    let letters = ["\0", "\u{1}", "\u{2}", "a", "é"]
    let numbers: [UInt64] = [0, 1, 255, 256, 1 << 32, UInt64.max]
    func random() -> Parts {
      Parts(
        tag: UInt8.random(in: 1...2, using: &generator),
        text: (0..<Int.random(in: 0...3, using: &generator))
          .map { _ in letters[Int.random(in: 0..<letters.count, using: &generator)] }.joined(),
        number: numbers[Int.random(in: 0..<numbers.count, using: &generator)],
        small: UInt32.random(in: 0...3, using: &generator),
        rest: (0..<Int.random(in: 0...2, using: &generator))
          .map { _ in UInt8.random(in: 0...1, using: &generator) })
    }
    for _ in 0..<5000 {
      let (left, right) = (random(), random())
      #expect(left.key.lexicographicallyPrecedes(right.key) == left.precedes(right))
      #expect((left.key == right.key) == (left == right))
      let key = left.key
      var decoder = KeyDecoder(key.span)
      #expect(decoder.byte() == left.tag)
      #expect(decoder.terminatedString() == left.text)
      #expect(decoder.uint64() == left.number)
      #expect(decoder.uint32() == left.small)
      let isAtEnd = decoder.isAtEnd
      #expect(isAtEnd == left.rest.isEmpty)
      #expect(decoder.remainingBytes() == left.rest)
      #expect(decoder.byte() == nil)
    }
  }

  @Test func `a decoder of too few or wrong bytes gives nil`() {
    let short: [UInt8] = [1, 2, 3]
    var decoder = KeyDecoder(short.span)
    #expect(decoder.uint64() == nil)
    #expect(decoder.uint32() == nil)
    #expect(decoder.bytes(4) == nil)
    #expect(decoder.bytes(-1) == nil)
    #expect(decoder.bytes(3) == [1, 2, 3])
    #expect(decoder.byte() == nil)
    for bad in [[0x61], [0x61, 1], [1, 0, 0], [1, 3, 0], [0xff, 0]] as [[UInt8]] {
      var decoder = KeyDecoder(bad.span)
      #expect(decoder.terminatedString() == nil)
    }
  }

  @Test func `a key of 511 bytes is good and a longer one is refused, not cut`() throws {
    try withScratchFolder { folder in
      let (environment, items) = try makeEnvironment(folder + "/env")
      for length in [511, 512, 600] {
        var key = KeyEncoder()
        key.append([UInt8](repeating: 1, count: length))
        if length == 511 {
          #expect(try environment.lookup(key.bytes, in: items) { $0 == nil })
        } else {
          do throws(StorageError) {
            _ = try environment.lookup(key.bytes, in: items) { $0 == nil }
            Issue.record("a long key was accepted")
          } catch {
            #expect(error.code == .invalidKey)
          }
        }
      }
    }
  }

  @Test func `a key is cut back to build another`() {
    var key = KeyEncoder()
    key.append(7 as UInt8)
    key.append(1 as UInt64)
    key.truncate(to: 1)
    key.append(2 as UInt32)
    #expect(key.bytes.copied() == [7, 0, 0, 0, 2])
  }
}
