#include "CBaseline.h"

#include <errno.h>
#include <lmdb.h>
#include <stdlib.h>

enum { largest_table_count = 16 };

struct BaselineWriter {
  MDB_env *environment;
  MDB_dbi tables[largest_table_count];
  size_t count;
};

BaselineWriter *baseline_writer_open(const char *folder, int *error) {
  BaselineWriter *writer = calloc(1, sizeof *writer);
  if (!writer) return NULL;
  *error = mdb_env_create(&writer->environment);
  if (*error) {
    free(writer);
    return NULL;
  }
  mdb_env_set_maxdbs(writer->environment, largest_table_count);
  mdb_env_set_mapsize(writer->environment, (size_t)1 << 40);
  *error = mdb_env_open(writer->environment, folder, MDB_NOTLS, 0644);
  if (*error) {
    baseline_writer_close(writer);
    return NULL;
  }
  return writer;
}

int baseline_writer_add(BaselineWriter *writer, const char *table) {
  MDB_txn *transaction;
  if (writer->count == largest_table_count) return EINVAL;
  int error = mdb_txn_begin(writer->environment, NULL, 0, &transaction);
  if (error) return error;
  error = mdb_dbi_open(transaction, table, MDB_CREATE, &writer->tables[writer->count]);
  if (error) {
    mdb_txn_abort(transaction);
    return error;
  }
  writer->count++;
  return mdb_txn_commit(transaction);
}

void baseline_writer_close(BaselineWriter *writer) {
  mdb_env_close(writer->environment);
  free(writer);
}

int baseline_put(
    BaselineWriter *writer, const BaselineRow *rows, size_t count, const uint8_t *bytes) {
  MDB_txn *transaction;
  int error = mdb_txn_begin(writer->environment, NULL, 0, &transaction);
  if (error) return error;
  for (size_t i = 0; i < count; i++) {
    const BaselineRow *row = &rows[i];
    MDB_val key = {row->key_length, (void *)(bytes + row->offset)};
    MDB_val value = {row->value_length, (void *)(bytes + row->offset + row->key_length)};
    MDB_dbi table = writer->tables[row->table];
    error = row->is_removed
                ? mdb_del(transaction, table, &key, NULL)
                : mdb_put(transaction, table, &key, &value, row->is_appended ? MDB_APPEND : 0);
    if (error) {
      mdb_txn_abort(transaction);
      return error;
    }
  }
  return mdb_txn_commit(transaction);
}
