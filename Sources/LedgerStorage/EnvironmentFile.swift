internal import Glibc

/// What can be known of an environment's files before LMDB maps them.
enum EnvironmentFile {
  static func dataPath(_ path: String) -> String { path + "/data.mdb" }

  /// The identity of the data file; clear errors for all that is none.
  static func identity(_ path: String) throws(StorageError) -> FileIdentity {
    guard let folder = try FileSystem.status(of: path) else {
      throw StorageError(.notFound, path, "no such folder: check the path or create it")
    }
    guard folder.isFolder else {
      throw StorageError(
        .notAnEnvironment, path, "not a folder: check the path or restore a backup")
    }
    guard let file = try FileSystem.status(of: dataPath(path)) else {
      throw StorageError(
        .notAnEnvironment, path, "the folder has no data.mdb: check the path or restore a backup")
    }
    guard !file.isFolder else {
      throw StorageError(
        .notAnEnvironment, path, "its data.mdb is a folder: check the path or restore a backup")
    }
    guard file.size > 0 else {
      // LMDB would take it for a new environment, and a lost ledger for an empty one.
      throw StorageError(.emptyFile, path, "its data.mdb is empty: restore a backup")
    }
    return file.identity
  }

  static func checkFileSystem(
    _ path: String, _ options: EnvironmentOptions
  ) throws(StorageError) {
    let kind = try options.probes.fileSystemKind(path)
    if let name = FileSystem.networkName(ofKind: kind) {
      throw StorageError(
        .networkFileSystem, path,
        "lies on \(name), where locks and maps cannot be trusted: move it to a local disk")
    }
  }

  /// Refuses LMDB 0.9.26 to 0.9.31, whose locks fail while another process opens or closes.
  static func checkLibrary(_ options: EnvironmentOptions) throws(StorageError) {
    let (major, minor, patch) = options.probes.libraryVersion()
    if (major, minor) == (0, 9) && (26...31).contains(patch) {
      throw StorageError(
        .unsupportedLibrary, "liblmdb \(major).\(minor).\(patch)",
        "its locks are broken: install 0.9.24, 0.9.25, or 0.9.32 or newer")
    }
  }
}

extension EnvironmentFile {
  /// How often a look at a file that others write is repeated before it is believed.
  private static let looks = 100

  /// Refuses a data file that LMDB would crash on: one that is too short, or whose roots are not.
  ///
  /// Other processes may be writing, so a fault counts only if no commit came between.
  static func checkContent(
    _ path: String, _ options: EnvironmentOptions
  ) throws(StorageError) {
    var lastFault: StorageError?
    for _ in 0..<looks {
      let file = try PageFile(dataPath(path))
      let meta = try file.meta()
      do throws(StorageError) {
        try checkLength(path, file, meta)
        try checkTables(path, meta, options)
        return
      } catch {
        lastFault = error
        if try file.meta().transaction == meta.transaction { throw error }
      }
    }
    if let lastFault { throw lastFault }
  }

  /// Refuses a file that lacks pages in use.
  ///
  /// A file may be shorter than its header counts: LMDB does not write a page that was taken at
  /// the end and given back in one transaction. Such pages are all on the list of free ones.
  private static func checkLength(
    _ path: String, _ file: borrowing PageFile, _ meta: PageMeta
  ) throws(StorageError) {
    let written = file.size / UInt64(meta.pageSize)
    guard written <= meta.lastPage else { return }
    var walk = PageWalk(try PageFile(dataPath(path)), meta)
    try walk.walkFreeList()
    let isShort = (written...meta.lastPage).contains { !walk.freePages.contains($0) }
    guard isShort || !walk.faults.isEmpty else { return }
    throw StorageError(
      .fileTooShort, file.path,
      "has \(written) pages where its header counts \(meta.lastPage + 1): restore a backup")
  }

  /// Refuses a file whose tree of tables, or the root of a table, is nonsense.
  private static func checkTables(
    _ path: String, _ meta: PageMeta, _ options: EnvironmentOptions
  ) throws(StorageError) {
    var walk = PageWalk(try PageFile(dataPath(path)), meta, isShallow: true)
    try walk.walkTableTree()
    let faults = walk.faults.filter { fault in
      if case .table = fault.tree { !options.toleratesDamagedTables } else { true }
    }
    if let fault = faults.first {
      throw StorageError(
        .damaged, dataPath(path), "\(fault): the file is damaged; restore a backup")
    }
  }
}
