import LedgerStorage
import LedgerTestSupport
import Testing

@Suite struct KeyTests {
  @Test func `a key comes apart into its parts`() {
    let key: [UInt8] = bigEndian(1 << 40 | 7) + [0, 0, 1, 2] + [9, 8] + [5]
    var decoder = KeyDecoder(key.span)
    // Bare numbers: the address sanitizer takes the comparison of optional ones for a fault.
    let (long, short) = (decoder.uint64() ?? 0, decoder.uint32() ?? 0)
    #expect(long == 1 << 40 | 7)
    #expect(short == 258)
    #expect(decoder.bytes(2) == [9, 8])
    let isAtEnd = decoder.isAtEnd
    #expect(!isAtEnd)
    #expect(decoder.remainingBytes() == [5])
    let isAtEndNow = decoder.isAtEnd
    #expect(isAtEndNow)
    #expect(decoder.remainingBytes() == [])
  }

  @Test func `a decoder of too few bytes gives nil and keeps its place`() {
    let short: [UInt8] = [1, 2, 3]
    var decoder = KeyDecoder(short.span)
    #expect(decoder.uint64() == nil)
    #expect(decoder.uint32() == nil)
    #expect(decoder.bytes(4) == nil)
    #expect(decoder.bytes(-1) == nil)
    #expect(decoder.bytes(3) == [1, 2, 3])
    #expect(decoder.bytes(1) == nil)
  }

  @Test func `a key of 511 bytes is good and a longer one is refused, not cut`() throws {
    try withScratchFolder { folder in
      let (environment, items) = try makeEnvironment(folder + "/env")
      for length in [511, 512, 600] {
        let key = [UInt8](repeating: 1, count: length)
        if length == 511 {
          #expect(try environment.lookup(key.span, in: items) { $0 == nil })
        } else {
          do throws(StorageError) {
            _ = try environment.lookup(key.span, in: items) { $0 == nil }
            Issue.record("a long key was accepted")
          } catch {
            #expect(error.code == .invalidKey)
          }
        }
      }
    }
  }
}
