import LedgerCrypto
import Testing

struct HMACSHA256Tests {
  struct Vector: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let key: [UInt8]
    let message: [UInt8]
    let code: String
  }

  /// The test cases of RFC 4231, but for the fifth, which is about truncation.
  static let vectors = [
    Vector(
      testDescription: "case 1", key: [UInt8](repeating: 0x0b, count: 20),
      message: Array("Hi There".utf8),
      code: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
    Vector(
      testDescription: "case 2", key: Array("Jefe".utf8),
      message: Array("what do ya want for nothing?".utf8),
      code: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
    Vector(
      testDescription: "case 3", key: [UInt8](repeating: 0xaa, count: 20),
      message: [UInt8](repeating: 0xdd, count: 50),
      code: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
    Vector(
      testDescription: "case 4", key: (1...25).map { UInt8($0) },
      message: [UInt8](repeating: 0xcd, count: 50),
      code: "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
    Vector(
      testDescription: "case 6", key: [UInt8](repeating: 0xaa, count: 131),
      message: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
      code: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
    Vector(
      testDescription: "case 7", key: [UInt8](repeating: 0xaa, count: 131),
      message: Array(
        ("This is a test using a larger than block-size key and a larger than block-size data."
          + " The key needs to be hashed before being used by the HMAC algorithm.").utf8),
      code: "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"),
  ]

  @Test(arguments: vectors)
  func `a published message and key have their published code`(vector: Vector) {
    let code = HMACSHA256.authenticationCode(for: vector.message, key: vector.key)
    #expect(code.description == vector.code)
  }

  @Test func `an empty key and an empty message have a code`() {
    #expect(
      HMACSHA256.authenticationCode(for: [], key: []).description
        == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
  }
}
