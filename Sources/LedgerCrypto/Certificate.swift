import CLedgerCrypto

/// An X.509 certificate.
///
/// What it says is not to be believed before `CertificatePath` leads from it to a root that is
/// trusted.
@safe package final class Certificate {
  /// Ours alone until `deinit`, which nothing outlives: it never leaves the module.
  let handle: OpaquePointer

  /// SHA-256 of the whole DER form: what a pinned root is known by.
  package let fingerprint: Digest

  /// Reads a certificate, or gives nil unless the bytes are one in DER, to the last byte.
  package init?(der: [UInt8]) {
    // Safe: the buffer is alive during the call and has the length that is passed; OpenSSL copies
    // what it keeps, and leaves `next` behind the last byte it read, within the buffer.
    let read = unsafe der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
      var next = buffer.baseAddress
      guard let handle = unsafe d2i_X509(nil, &next, buffer.count) else { return nil }
      guard unsafe next == buffer.baseAddress.map({ unsafe $0 + buffer.count }) else {
        unsafe X509_free(handle)
        return nil
      }
      return unsafe handle
    }
    guard let read = unsafe read else {
      ERR_clear_error()
      return nil
    }
    unsafe handle = read
    fingerprint = SHA256.hash(der)
  }

  deinit {
    // Safe: the handle is ours, and this is its last use.
    unsafe X509_free(handle)
  }

  /// Whether an instant, in seconds since 1970, lies in the time for which it was issued.
  package func isValid(at seconds: Int64) -> Bool {
    var instant = time_t(seconds)
    // Safe: the times belong to the certificate, which is alive; `instant` is alive during the
    // calls. The answers are -1 for not after the instant, 1 for after it, 0 for unreadable.
    return unsafe X509_cmp_time(X509_get0_notBefore(handle), &instant) < 0
      && X509_cmp_time(X509_get0_notAfter(handle), &instant) > 0
  }

  /// Whether it has an extension, known by its object identifier in dotted digits.
  package func hasExtension(_ identifier: String) -> Bool {
    // Safe: the object is made here, used while both are alive, and freed once.
    guard let object = unsafe OBJ_txt2obj(identifier, 1) else { return false }
    defer { unsafe ASN1_OBJECT_free(object) }
    return unsafe X509_get_ext_by_OBJ(handle, object, -1) >= 0
  }
}
