internal import CLedgerLMDB
internal import Glibc

extension StorageError {
  /// The error that a return code of LMDB or an `errno` stands for.
  init(returnCode: Int32, _ operation: String) {
    let (code, message) = StorageError.meaning(of: returnCode)
    self.init(code, operation, message)
  }

  private static func meaning(of returnCode: Int32) -> (Code, String) {
    switch returnCode {
    case MDB_MAP_FULL:
      (.mapFull, "the map is full: nothing was changed; open with a larger map size")
    case MDB_MAP_RESIZED:
      (.readsInTheWay, "another process enlarged the map: end the reads of this thread and retry")
    case MDB_READERS_FULL:
      (.readersFull, "all reader slots are taken: end reads, here or in other processes, and retry")
    case MDB_DBS_FULL:
      (.tooManyTables, "more tables than the environment was opened for")
    case MDB_PANIC:
      (.reopenRequired, "an earlier write of the meta page failed: close and reopen")
    case MDB_INVALID:
      (.notAnEnvironment, "not an LMDB environment: check the path or restore a backup")
    case MDB_VERSION_MISMATCH:
      (.newerFormat, "another version of LMDB's file format: use the program that wrote it")
    case MDB_PAGE_NOTFOUND, MDB_CORRUPTED:
      (.damaged, "the data file is damaged: restore a backup")
    case MDB_BAD_TXN, MDB_TXN_FULL, MDB_PAGE_FULL, MDB_CURSOR_FULL:
      (.transactionFailed, "the transaction failed earlier: nothing was changed; retry the whole")
    case MDB_BAD_VALSIZE:
      (.invalidKey, "a key has 1 to 511 bytes")
    case MDB_BAD_DBI, MDB_INCOMPATIBLE:
      (.tableMissing, "no such table in this snapshot")
    default:
      systemMeaning(of: returnCode)
    }
  }

  private static func systemMeaning(of returnCode: Int32) -> (Code, String) {
    // Safe because strerror, to which mdb_strerror falls back, returns a valid C string that is
    // copied at once.
    let text = unsafe String(cString: mdb_strerror(returnCode))
    return switch returnCode {
    case ENOENT:
      (.notFound, "no such file or folder")
    case EACCES, EPERM, EROFS:
      (.permissionDenied, "\(text): even reading needs write access to lock.mdb")
    case EAGAIN:
      (
        .processIDClash,
        "a process of another PID namespace has this process id: share one PID namespace"
      )
    case ENOSPC, EDQUOT:
      (.diskFull, "no space left on the disk: nothing was changed; free space and retry")
    case EIO, EBADF, EFBIG:
      (.inputOutput, "\(text): nothing was acknowledged; check the disk")
    default:
      (.other(returnCode), text)
    }
  }
}
