import LedgerCrypto
import Testing

struct DigestTests {
  @Test func `bytes go in and come out in order`() throws {
    let bytes = (0..<32).map { UInt8($0) }
    let digest = try #require(Digest(bytes: bytes))
    #expect(digest.bytes == bytes)
    #expect(
      digest.description == "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")
    #expect(Digest(hexadecimal: digest.description) == digest)
  }

  @Test(arguments: [0, 1, 31, 33, 64])
  func `any other number of bytes is refused`(count: Int) {
    #expect(Digest(bytes: [UInt8](repeating: 1, count: count)) == nil)
    #expect(Digest(hexadecimal: String(repeating: "01", count: count)) == nil)
  }

  @Test func `appending adds the bytes after what is there`() throws {
    let digest = try #require(Digest(bytes: [UInt8](repeating: 9, count: 32)))
    var output: [UInt8] = [1, 2]
    digest.append(to: &output)
    #expect(output == [1, 2] + [UInt8](repeating: 9, count: 32))
  }

  @Test func `digests are equal and ordered as their bytes are`() throws {
    for place in 0..<32 {
      var smaller = [UInt8](repeating: 0x7f, count: 32)
      var greater = smaller
      smaller[place] = 0x01
      greater[place] = 0xff
      // What follows the first difference does not count.
      for later in (place + 1)..<32 { smaller[later] = 0xee }
      let left = try #require(Digest(bytes: smaller))
      let right = try #require(Digest(bytes: greater))
      #expect(left < right && !(right < left) && left != right && !(left < left))
      #expect(Set([left, right, left]).count == 2)
    }
  }

  @Test func `a digest is its 32 bytes, held in place`() {
    #expect(MemoryLayout<Digest>.size == 32)
  }
}
