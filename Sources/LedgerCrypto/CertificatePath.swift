import CLedgerCrypto

/// The way from a certificate over one intermediate to a root that is trusted.
package enum CertificatePath {
  /// Whether the root issued the intermediate, and that the leaf, by the rules of RFC 5280:
  /// signatures, names, what each may sign, no critical extension that is not understood.
  ///
  /// The root is trusted because the caller says so. Time is left out: ask each certificate whether
  /// it is valid at the instant that counts.
  package static func isSound(
    leaf: Certificate, intermediate: Certificate, root: Certificate
  ) -> Bool {
    defer { ERR_clear_error() }
    // Safe, all of it: each object is made here, checked for nil, used while it and the
    // certificates are alive, and freed once; the store counts its own reference to the root.
    guard let store = unsafe X509_STORE_new() else { return false }
    defer { unsafe X509_STORE_free(store) }
    guard let untrusted = unsafe ledger_certificate_list(intermediate.handle) else { return false }
    defer { unsafe ledger_certificate_list_free(untrusted) }
    guard let context = unsafe X509_STORE_CTX_new() else { return false }
    defer { unsafe X509_STORE_CTX_free(context) }
    guard unsafe X509_STORE_add_cert(store, root.handle) == 1,
      unsafe X509_STORE_CTX_init(context, store, leaf.handle, untrusted) == 1
    else { return false }
    unsafe X509_STORE_CTX_set_flags(context, UInt(X509_V_FLAG_NO_CHECK_TIME))
    return withExtendedLifetime((leaf, intermediate, root)) {
      // A leaf that the root issued itself would be sound by OpenSSL's count, and is not by ours.
      unsafe X509_verify_cert(context) == 1
        && ledger_certificate_list_count(X509_STORE_CTX_get0_chain(context)) == 3
    }
  }
}
