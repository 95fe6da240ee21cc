#pragma once

// SHA256_Init, SHA256_Update and SHA256_Final are marked as deprecated since OpenSSL 3.0, in favour of
// EVP. They stay in use on purpose: their context is a plain value (no allocation, nothing to fail)
// and a short message takes half the time (65 bytes: 170 ns, against 400 ns through EVP_Digest
// and 1,050 ns through SHA256(), which looks its algorithm up at every call).
#define OPENSSL_SUPPRESS_DEPRECATED

#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/objects.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>

// What OpenSSL has as macros only, which Swift does not see.

// A list that holds a certificate without owning it; NULL where there is no memory left.
static inline STACK_OF(X509) *ledger_certificate_list(X509 *certificate) {
  STACK_OF(X509) *list = sk_X509_new_null();
  if (list != NULL && sk_X509_push(list, certificate) <= 0) {
    sk_X509_free(list);
    return NULL;
  }
  return list;
}

static inline void ledger_certificate_list_free(STACK_OF(X509) *list) { sk_X509_free(list); }

static inline int ledger_certificate_list_count(const STACK_OF(X509) *list) {
  return sk_X509_num(list);
}
