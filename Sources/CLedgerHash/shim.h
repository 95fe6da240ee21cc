#pragma once

// The hash of a short name is a few instructions: a call to the library would cost more than it does.
#define XXH_INLINE_ALL
#include <xxhash.h>

typedef struct {
  uint64_t low;
  uint64_t high;
} LedgerHash128;

// XXH3 of 128 bits under a secret of at least 136 bytes.
static inline LedgerHash128 ledger_hash128(
    const void *bytes, size_t length, const void *secret, size_t secret_size) {
  XXH128_hash_t hash = XXH3_128bits_withSecret(bytes, length, secret, secret_size);
  return (LedgerHash128){hash.low64, hash.high64};
}
