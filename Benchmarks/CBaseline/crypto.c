#include "CBaseline.h"

#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/x509.h>

bool baseline_hmac(
    const uint8_t *key, size_t key_length, const uint8_t *message, size_t length,
    const uint8_t *expected) {
  uint8_t code[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  if (!HMAC(EVP_sha256(), key, (int)key_length, message, length, code, &size)) return false;
  return size == 32 && CRYPTO_memcmp(code, expected, size) == 0;
}

// Whether a signature of two numbers of 32 bytes is the key's over the message.
static bool verify(EVP_PKEY *key, const BaselineSigned *part) {
  ECDSA_SIG *pair = ECDSA_SIG_new();
  BIGNUM *r = BN_bin2bn(part->signature, 32, NULL);
  BIGNUM *s = BN_bin2bn(part->signature + 32, 32, NULL);
  ECDSA_SIG_set0(pair, r, s);
  uint8_t *der = NULL;
  int size = i2d_ECDSA_SIG(pair, &der);
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  bool is_right =
      size > 0 && EVP_DigestVerifyInit(context, NULL, EVP_sha256(), NULL, key) == 1 &&
      EVP_DigestVerify(context, der, (size_t)size, part->message, part->length) == 1;
  EVP_MD_CTX_free(context);
  OPENSSL_free(der);
  ECDSA_SIG_free(pair);
  return is_right;
}

bool baseline_verify_chain(
    const BaselineBytes *certificates, const BaselineSigned *parts, size_t count) {
  X509 *chain[3] = {NULL, NULL, NULL};
  bool is_right = true;
  for (int i = 0; i < 3; i++) {
    const uint8_t *bytes = certificates[i].bytes;
    chain[i] = d2i_X509(NULL, &bytes, (long)certificates[i].length);
    is_right = is_right && chain[i];
  }
  is_right = is_right && X509_verify(chain[0], X509_get0_pubkey(chain[1])) == 1 &&
             X509_verify(chain[1], X509_get0_pubkey(chain[2])) == 1;
  for (size_t i = 0; is_right && i < count; i++) {
    is_right = verify(X509_get0_pubkey(chain[0]), &parts[i]);
  }
  for (int i = 0; i < 3; i++) X509_free(chain[i]);
  return is_right;
}
