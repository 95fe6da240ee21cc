import LedgerCrypto
import Testing

struct ConstantTimeTests {
  @Test func `equal bytes are equal`() {
    let bytes = Array("secret".utf8)
    #expect(constantTimeEquals(bytes, bytes))
    #expect(constantTimeEquals([], []))
  }

  @Test func `a difference at any place is seen`() {
    let bytes = Array("a secret of some length".utf8)
    for place in bytes.indices {
      var other = bytes
      other[place] ^= 0x80
      #expect(!constantTimeEquals(bytes, other))
    }
  }

  @Test func `a beginning is not equal to the whole`() {
    #expect(!constantTimeEquals(Array("secret".utf8), Array("secre".utf8)))
    #expect(!constantTimeEquals([], [0]))
  }

  @Test func `digests compare by their bytes`() {
    let digest = SHA256.hash([1])
    #expect(constantTimeEquals(digest, SHA256.hash([1])))
    #expect(!constantTimeEquals(digest, SHA256.hash([2])))
  }
}
