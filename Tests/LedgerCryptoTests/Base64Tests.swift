import LedgerCrypto
import LedgerTestSupport
import Testing

@Suite struct Base64Tests {
  @Test(
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
      ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ])
  func `the examples of RFC 4648 are read, padded or not as the form says`(
    plain: String, text: String
  ) {
    #expect(Base64.decode(text.utf8, .standard) == Array(plain.utf8))
    let bare = text.filter { $0 != "=" }
    #expect(Base64.decode(bare.utf8, .url) == Array(plain.utf8))
  }

  @Test func `each form has its own last two digits`() {
    #expect(Base64.decode("-_-_".utf8, .url) == [0xfb, 0xff, 0xbf])
    #expect(Base64.decode("+/+/".utf8, .standard) == [0xfb, 0xff, 0xbf])
    #expect(Base64.decode("+/+/".utf8, .url) == nil)
    #expect(Base64.decode("-_-_".utf8, .standard) == nil)
  }

  @Test(
    arguments: [
      "A", "AAAAA", "AA=", "AA=A", "=AAA", "A===", "====", "AAA", "AA", "AA==AAAA", "AA ==",
      "AA\n==",
      "AB==", "AAB=", "ÄA==", "AAAA====",
    ])
  func `any other spelling is refused`(text: String) {
    #expect(Base64.decode(text.utf8, .standard) == nil)
  }

  @Test(arguments: ["A", "AAAAA", "AA==", "AAA=", "AA\n", " AA", "AB", "AAB"])
  func `any other spelling is refused in URLs`(text: String) {
    #expect(Base64.decode(text.utf8, .url) == nil)
  }

  @Test func `no two texts are read as the same bytes`() {
    var seen: [[UInt8]: [UInt8]] = [:]
    let digits = Array("AQgw-_ Z9=".utf8)
    for first in digits {
      for second in digits {
        for third in digits {
          for text in [[first, second], [first, second, third]] {
            guard let bytes = Base64.decode(text, .url) else { continue }
            #expect(seen.updateValue(text, forKey: bytes) == nil || seen[bytes] == text)
          }
        }
      }
    }
    #expect(!seen.isEmpty)
  }
}
