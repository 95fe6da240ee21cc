import CLedgerCrypto

extension Certificate {
  /// Whether its key is one of the curve P-256, as ES256 needs.
  package var hasP256Key: Bool {
    // Safe: the key belongs to the certificate, which is alive; the buffer has the length that is
    // passed, and the name written into it ends with a zero.
    guard let key = unsafe X509_get0_pubkey(handle),
      unsafe EVP_PKEY_get_base_id(key) == EVP_PKEY_EC
    else { return false }
    var name = [CChar](repeating: 0, count: 32)
    var length = 0
    guard unsafe EVP_PKEY_get_group_name(key, &name, name.count, &length) == 1 else { return false }
    return name.prefix(length).elementsEqual("prime256v1".utf8.map(CChar.init))
  }

  /// Whether the signature of a message is by its key: ECDSA over P-256 with SHA-256, as ES256 of
  /// RFC 7518 has it.
  ///
  /// - Parameters:
  ///   - signature: The two numbers one after the other, 32 bytes each; any other length is wrong.
  ///   - message: What was signed.
  /// - Returns: Whether it is; false also where the key is of another kind.
  package func verifiesES256(_ signature: [UInt8], of message: [UInt8]) -> Bool {
    guard hasP256Key, let der = ES256.der(signature) else { return false }
    defer { ERR_clear_error() }
    // Safe: the key belongs to the certificate, which is alive; the context is made, used and freed
    // here; the lengths are the arrays' own.
    guard let key = unsafe X509_get0_pubkey(handle), let context = unsafe EVP_MD_CTX_new() else {
      return false
    }
    defer { unsafe EVP_MD_CTX_free(context) }
    guard unsafe EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1 else {
      return false
    }
    return unsafe EVP_DigestVerify(context, der, der.count, message, message.count) == 1
  }
}

private enum ES256 {
  private static let byteCount = 64

  /// The signature as OpenSSL reads it; whether the numbers are in range is for it to say.
  static func der(_ signature: [UInt8]) -> [UInt8]? {
    guard signature.count == byteCount else { return nil }
    let numbers = [signature.prefix(byteCount / 2), signature.suffix(byteCount / 2)].map(integer)
    let content = numbers.flatMap { $0 }
    return [0x30, UInt8(content.count)] + content
  }

  /// A number that is not negative as an INTEGER of DER: as short as can be, its sign bit clear.
  private static func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var digits = Array(bytes.drop { $0 == 0 })
    if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
    return [0x02, UInt8(digits.count)] + digits
  }
}
