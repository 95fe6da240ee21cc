internal import LedgerStorage

/// What a ledger's folder tells when its log cannot be opened.
enum LedgerFolder {
  static func logPath(_ path: String) -> String { path + "/log" }
  static func documentsPath(_ path: String) -> String { path + "/documents" }

  /// Opens the log.
  ///
  /// A log that cannot be read is damage where the folder is a ledger's by the files in it;
  /// elsewhere there is no ledger.
  static func openLog(
    _ path: String, _ options: EnvironmentOptions
  ) throws(LedgerError) -> StorageEnvironment {
    do throws(StorageError) {
      return try StorageEnvironment.open(logPath(path), options)
    } catch {
      throw fault(of: path, error)
    }
  }

  private static func fault(of path: String, _ error: StorageError) -> LedgerError {
    let plain = LedgerError(error)
    guard plain.code == .notFound || plain.code == .notALedger else { return plain }
    guard holdsLedger(path, besides: error.code) else {
      return absence(path, plain)
    }
    return damage(logPath(path), error)
  }

  /// The error for a path where there is no ledger, which names it as the caller does.
  private static func absence(_ path: String, _ plain: LedgerError) -> LedgerError {
    // What cannot be looked at is told of as the opening has met it.
    guard let status = try? FileSystem.status(of: path) else {
      let isMissing = plain.code == .notFound
      return isMissing
        ? LedgerError(.notFound, "\(path): there is no ledger: no such folder; check the path")
        : plain
    }
    if !status.isFolder {
      return LedgerError(.notALedger, "\(path): a file, not a ledger's folder; check the path")
    }
    guard plain.code == .notFound else { return plain }
    return LedgerError(
      .notFound, "\(path): the folder holds no ledger, which has a log in it; check the path")
  }

  /// The error for a part of a ledger that is not what it must be.
  static func damage(_ path: String, _ error: StorageError) -> LedgerError {
    let isMissing = error.code == .notFound
    return LedgerError(
      .damaged,
      isMissing
        ? "\(path): missing, and other parts of a ledger are there: restore a backup"
        : error.description)
  }

  /// Whether the folder's files are a ledger's.
  ///
  /// The files of a log alone say so, unless the log is known to be another application's.
  private static func holdsLedger(_ path: String, besides code: StorageError.Code) -> Bool {
    let log = ["/data.mdb", "/lock.mdb"].map { logPath(path) + $0 }
    let files = (code == .wrongApplication ? [] : log) + [documentsPath(path) + "/data.mdb"]
    return files.contains { file in
      // What cannot be looked at is not known to be a ledger's.
      (try? FileSystem.status(of: file)) != nil
    }
  }
}
