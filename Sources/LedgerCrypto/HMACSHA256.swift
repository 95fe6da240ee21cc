import CLedgerCrypto

/// Message authentication with HMAC-SHA256 (RFC 2104).
package enum HMACSHA256 {
  /// The authentication code of `message` under `key`.
  ///
  /// To check a code that somebody sent, compare with `constantTimeEquals`, never with `==`.
  package static func authenticationCode(for message: RawSpan, key: RawSpan) -> Digest {
    let keyLength = Int32(key.byteCount)
    return unsafe Digest { output in
      // Safe: every length is its buffer's own, both buffers are alive during the call, and HMAC
      // with SHA-256 writes exactly the 32 bytes that the digest provides.
      let code = unsafe message.withUnsafeBytes { message in
        unsafe key.withUnsafeBytes { key in
          unsafe HMAC(
            EVP_sha256(), key.baseAddress, keyLength, message.baseAddress, message.count,
            output, nil)
        }
      }
      unsafe precondition(code != nil, "OpenSSL has no HMAC-SHA256, or there is no memory left")
    }
  }

  /// The authentication code of `message` under `key`.
  package static func authenticationCode(for message: [UInt8], key: [UInt8]) -> Digest {
    message.withRawSpan { message in
      key.withRawSpan { key in authenticationCode(for: message, key: key) }
    }
  }
}
