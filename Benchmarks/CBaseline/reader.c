#include "CBaseline.h"

#include <lmdb.h>
#include <stdlib.h>
#include <string.h>

struct BaselineReader {
  MDB_env *environment;
  MDB_txn *transaction;
  MDB_dbi table;
};

BaselineReader *baseline_reader_open(const char *folder, const char *table, int *error) {
  BaselineReader *reader = calloc(1, sizeof *reader);
  if (!reader) return NULL;
  *error = mdb_env_create(&reader->environment);
  if (*error) goto free_reader;
  mdb_env_set_maxdbs(reader->environment, 16);
  // Without locks, since a second opening of a lock file in one process breaks the first.
  *error = mdb_env_open(reader->environment, folder, MDB_RDONLY | MDB_NOLOCK | MDB_NOTLS, 0);
  if (*error) goto close_environment;
  *error = mdb_txn_begin(reader->environment, NULL, MDB_RDONLY, &reader->transaction);
  if (*error) goto close_environment;
  *error = mdb_dbi_open(reader->transaction, table, 0, &reader->table);
  if (*error) {
    mdb_txn_abort(reader->transaction);
    goto close_environment;
  }
  // Only a commit keeps the handle for later transactions.
  *error = mdb_txn_commit(reader->transaction);
  if (*error) goto close_environment;
  *error = mdb_txn_begin(reader->environment, NULL, MDB_RDONLY, &reader->transaction);
  if (*error) goto close_environment;
  return reader;

close_environment:
  mdb_env_close(reader->environment);
free_reader:
  free(reader);
  return NULL;
}

void baseline_reader_close(BaselineReader *reader) {
  mdb_txn_abort(reader->transaction);
  mdb_env_close(reader->environment);
  free(reader);
}

// A row of the access table: a kind, 0 for entries that stand here, then for each 24 bytes: the
// number of the entitlement (4), zeros (4), start and end in milliseconds (8 each), little-endian.
static inline bool gives(MDB_val row, uint32_t entitlement, int64_t instant) {
  const uint8_t *bytes = row.mv_data;
  for (size_t offset = 1; offset + 24 <= row.mv_size; offset += 24) {
    uint32_t number;
    int64_t start, end;
    memcpy(&number, bytes + offset, sizeof number);
    memcpy(&start, bytes + offset + 8, sizeof start);
    memcpy(&end, bytes + offset + 16, sizeof end);
    if (number == entitlement && start <= instant && instant < end) return true;
  }
  return false;
}

size_t baseline_count_entitled(
    const BaselineReader *reader, const uint8_t *keys, const uint32_t *offsets, size_t count,
    uint32_t entitlement, int64_t instant, bool renewed,
    bool serialised) {
  size_t entitled = 0;
  for (size_t i = 0; i < count; i++) {
    MDB_val key = {offsets[i + 1] - offsets[i], (void *)(keys + offsets[i])};
    MDB_val row;
    if (renewed) {
      mdb_txn_reset(reader->transaction);
      if (mdb_txn_renew(reader->transaction)) return SIZE_MAX;
    }
    if (mdb_get(reader->transaction, reader->table, &key, &row) == MDB_SUCCESS)
      entitled += gives(row, entitlement, instant);
    if (serialised) baseline_serialise();
  }
  return entitled;
}

size_t baseline_scan(const BaselineReader *reader, uint64_t *sum) {
  MDB_cursor *cursor;
  MDB_val key, value;
  size_t count = 0;
  uint64_t total = 0;
  if (mdb_cursor_open(reader->transaction, reader->table, &cursor)) return 0;
  while (mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == MDB_SUCCESS) {
    const uint8_t *bytes = value.mv_data;
    for (size_t i = 0; i < value.mv_size; i++) total += bytes[i];
    count++;
  }
  mdb_cursor_close(cursor);
  *sum = total;
  return count;
}

static bool same(MDB_val left, MDB_val right) {
  return left.mv_size == right.mv_size && !memcmp(left.mv_data, right.mv_data, left.mv_size);
}

bool baseline_equal(const BaselineReader *left, const BaselineReader *right) {
  MDB_cursor *first, *second;
  MDB_val key, value, other_key, other_value;
  bool is_equal = true;
  int result, other_result;
  if (mdb_cursor_open(left->transaction, left->table, &first)) return false;
  if (mdb_cursor_open(right->transaction, right->table, &second)) {
    mdb_cursor_close(first);
    return false;
  }
  do {
    result = mdb_cursor_get(first, &key, &value, MDB_NEXT);
    other_result = mdb_cursor_get(second, &other_key, &other_value, MDB_NEXT);
    if (result != other_result) is_equal = false;
    if (is_equal && result == MDB_SUCCESS)
      is_equal = same(key, other_key) && same(value, other_value);
  } while (is_equal && result == MDB_SUCCESS);
  if (is_equal && result != MDB_NOTFOUND) is_equal = false;
  mdb_cursor_close(first);
  mdb_cursor_close(second);
  return is_equal;
}
