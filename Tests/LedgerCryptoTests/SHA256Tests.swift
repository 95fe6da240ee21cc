import LedgerCrypto
import Testing

struct SHA256Tests {
  /// Messages and digests published with FIPS 180.
  static let vectors: [(message: String, digest: String)] = [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
        + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
  ]

  @Test(arguments: vectors)
  func `a published message has its published digest`(message: String, digest: String) {
    #expect(SHA256.hash(Array(message.utf8)).description == digest)
  }

  @Test func `a million times the letter a has its published digest`() {
    let message = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
    #expect(
      SHA256.hash(message).description
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test func `parts give the digest of the whole at every split`() {
    for count in 0...130 {
      let message = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
      let whole = SHA256.hash(message)
      for split in 0...count {
        var hash = SHA256()
        hash.update(Array(message[..<split]))
        hash.update(Array(message[split...]))
        #expect(hash.finalize() == whole, "\(count) bytes split at \(split)")
      }
    }
  }

  @Test func `a copy goes on by itself`() {
    var hash = SHA256()
    hash.update(Array("ab".utf8))
    var copy = hash
    hash.update(Array("c".utf8))
    copy.update(Array("d".utf8))
    #expect(hash.finalize() == SHA256.hash(Array("abc".utf8)))
    #expect(copy.finalize() == SHA256.hash(Array("abd".utf8)))
  }

  @Test func `a digest is taken in as its bytes`() {
    let digest = SHA256.hash(Array("abc".utf8))
    var hash = SHA256()
    hash.update(digest)
    #expect(hash.finalize() == SHA256.hash(digest.bytes))
  }
}
