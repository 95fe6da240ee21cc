import LedgerCrypto
import Testing

struct HexadecimalTests {
  @Test func `every byte is two lower-case digits and comes back`() {
    let bytes = (0...255).map { UInt8($0) }
    let text = Hexadecimal.encode(bytes)
    #expect(text.hasPrefix("000102") && text.hasSuffix("fdfeff"))
    #expect(text == text.lowercased())
    #expect(Hexadecimal.decode(text) == bytes)
    #expect(Hexadecimal.decode(text.uppercased()) == bytes)
  }

  @Test func `no bytes are no digits`() {
    #expect(Hexadecimal.encode([]) == "")
    #expect(Hexadecimal.decode("") == [])
  }

  @Test(arguments: ["0", "012", "0g", "g0", " 0", "0x", "00 11", "é", "/0", ":0", "@0", "`0"])
  func `what is not pairs of digits is refused`(text: String) {
    #expect(Hexadecimal.decode(text) == nil)
  }
}
