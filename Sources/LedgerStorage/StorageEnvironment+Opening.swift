internal import CLedgerLMDB
internal import Glibc

extension StorageEnvironment {
  /// Opens the environment at `path`, which must exist and be the application's.
  ///
  /// If this process has it open already, the result shares that environment with its options,
  /// save that each refuses writes if it was opened for reading, and waits as long as it was told.
  package static func open(
    _ path: String, _ options: EnvironmentOptions
  ) throws(StorageError) -> StorageEnvironment {
    StorageEnvironment(core: try EnvironmentRegistry.open(path, options), options)
  }

  /// Makes the environment at `path`, a new or empty folder, with what `populate` writes, and
  /// opens it.
  ///
  /// It appears whole or not at all: it is made beside `path` and moved there when it is on disk.
  /// Tables that `populate` makes have to be looked up again in the result.
  package static func create<Failure: Error>(
    _ path: String, _ options: EnvironmentOptions,
    populate: (inout WriteTransaction) throws(Failure) -> Void
  ) throws(TransactionError<Failure>) -> StorageEnvironment {
    do throws(StorageError) {
      try checkPlace(path, options)
    } catch {
      throw .storage(error)
    }
    let draft = "\(path).creating-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
    defer { try? FileSystem.removeFolder(draft) }
    try EnvironmentRegistry.makeDraft(draft, options, populate)
    do throws(StorageError) {
      try FileSystem.synchronizeFolder(draft)
      try FileSystem.moveFolder(draft, to: path)
      try FileSystem.synchronizeFolder(FileSystem.parent(of: path))
      return try open(path, options)
    } catch {
      throw .storage(error)
    }
  }

  /// Refuses a place that is taken or lies on a network file system.
  private static func checkPlace(
    _ path: String, _ options: EnvironmentOptions
  ) throws(StorageError) {
    try FileSystem.checkFree(path)
    try EnvironmentFile.checkFileSystem(FileSystem.parent(of: path), options)
    try EnvironmentFile.checkLibrary(options)
  }
}
