import LedgerStorage
import LedgerTestSupport
import Testing

@Suite struct CompressionTests {
  @Test func `what was compressed comes back`() throws {
    var generator = SeededGenerator(seed: UInt64.random(in: 0...UInt64.max))
    print("seed \(generator.seed)")
    for length in [0, 1, 100, 10_000, 300_000] {
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...3, using: &generator) }
      let frame = try Compression.compress(bytes)
      #expect(try Compression.decompress(frame, limit: length) == bytes)
      if length > 1000 { #expect(frame.count < length / 2) }
    }
  }

  @Test func `a frame that unfolds to more than allowed is refused`() throws {
    let frame = try Compression.compress([UInt8](repeating: 0, count: 50_000_000))
    #expect(frame.count < 10_000)
    #expect(
      storageCode { try Compression.decompress(frame, limit: 1 << 20) } == .invalidCompression)
  }

  @Test func `damaged, cut and foreign frames are errors`() throws {
    var generator = SeededGenerator(seed: UInt64.random(in: 0...UInt64.max))
    print("seed \(generator.seed)")
    let bytes = (0..<5000).map { UInt8($0 % 7) }
    let frame = try Compression.compress(bytes)
    for length in 0..<frame.count {
      #expect(
        storageCode { try Compression.decompress(Array(frame[..<length]), limit: 5000) }
          == .invalidCompression)
    }
    for _ in 0..<2000 {
      var damaged = frame
      damaged[Int.random(in: 0..<damaged.count, using: &generator)] =
        UInt8.random(in: 0...255, using: &generator)
      // It may also unfold to other bytes, but never to more than allowed.
      if let other = try? Compression.decompress(damaged, limit: 5000) {
        #expect(other.count <= 5000)
      }
    }
    #expect(
      storageCode { try Compression.decompress([UInt8]("text"), limit: 100) }
        == .invalidCompression)
  }
}
