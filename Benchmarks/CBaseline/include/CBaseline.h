#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What a C program without a library of its own would do, as the measure of ours.

// Reading. A reader maps the data file of a folder a second time, read-only and without LMDB's
// locks, and keeps one read transaction: nobody may write meanwhile.

typedef struct BaselineReader BaselineReader;

// NULL where the folder or the table cannot be opened; `error` is then LMDB's code.
BaselineReader *_Nullable baseline_reader_open(
    const char *_Nonnull folder, const char *_Nonnull table, int *_Nonnull error);
void baseline_reader_close(BaselineReader *_Nonnull reader);

// Looks up `count` keys, key i from `offsets[i]` to `offsets[i + 1]`, by a bare mdb_get each, and
// reads in the row found whether the entitlement is had at the instant. Returns how many are.
// `renewed` takes a new snapshot for each, as an answer as of the last commit needs.
size_t baseline_count_entitled(
    const BaselineReader *_Nonnull reader, const uint8_t *_Nonnull keys,
    const uint32_t *_Nonnull offsets, size_t count, uint32_t entitlement, int64_t instant,
    bool renewed, bool serialised);

// Steps a cursor over the whole table and adds up all bytes of all values, so that each is read.
size_t baseline_scan(const BaselineReader *_Nonnull reader, uint64_t *_Nonnull sum);

// Whether two tables hold the same keys and values.
bool baseline_equal(const BaselineReader *_Nonnull left, const BaselineReader *_Nonnull right);

// Writing. Durable as LMDB is by default.

typedef struct BaselineWriter BaselineWriter;

typedef struct {
  uint32_t table;
  uint32_t key_length;
  uint32_t value_length;
  // Whether the key is greater than all others of the table.
  bool is_appended;
  // Whether the row is taken out; its value is empty.
  bool is_removed;
  // Where the key begins; the value follows it.
  size_t offset;
} BaselineRow;

// NULL where the folder cannot be opened; `error` is then LMDB's code.
BaselineWriter *_Nullable baseline_writer_open(
    const char *_Nonnull folder, int *_Nonnull error);
// Opens the next table, made where it is missing; rows name tables by the order of their opening.
// Returns LMDB's code.
int baseline_writer_add(BaselineWriter *_Nonnull writer, const char *_Nonnull table);
void baseline_writer_close(BaselineWriter *_Nonnull writer);

// Puts the rows, or takes them out, in one transaction and commits it. Returns LMDB's code.
int baseline_put(
    BaselineWriter *_Nonnull writer, const BaselineRow *_Nonnull rows, size_t count,
    const uint8_t *_Nonnull bytes);

// Signatures, by OpenSSL.

// Whether the HMAC-SHA256 of a message is the 32 bytes expected.
bool baseline_hmac(
    const uint8_t *_Nonnull key, size_t key_length, const uint8_t *_Nonnull message, size_t length,
    const uint8_t *_Nonnull expected);

typedef struct {
  const uint8_t *_Nonnull bytes;
  size_t length;
} BaselineBytes;

// A message and its signature, 64 bytes.
typedef struct {
  const uint8_t *_Nonnull message;
  size_t length;
  const uint8_t *_Nonnull signature;
} BaselineSigned;

// Whether the first of three certificates is issued by the second, that one by the third, and each
// message is signed by the first one's key (ES256).
bool baseline_verify_chain(
    const BaselineBytes *_Nonnull certificates, const BaselineSigned *_Nonnull parts,
    size_t count);

// The machine.

const char *_Nonnull baseline_lmdb_version(void);
// The name of the file system that holds a path, or its number in hexadecimal.
const char *_Nonnull baseline_file_system(const char *_Nonnull path);
const char *_Nonnull baseline_kernel(void);
size_t baseline_peak_memory(void);
// The processor time of this thread, in nanoseconds.
int64_t baseline_thread_time(void);

// Lets no later instruction begin before all earlier ones have ended, so that the processor does
// not overlap the calls around it.
static inline void baseline_serialise(void) {
#if defined(__x86_64__)
  __builtin_ia32_lfence();
#elif defined(__aarch64__)
  __asm__ volatile("dsb sy\n\tisb" ::: "memory");
#endif
}
