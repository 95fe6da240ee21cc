extension StorageEnvironment {
  /// The faults in the structure of the newest snapshot's pages, none if it is sound.
  ///
  /// Each page is read from the file and checked before anything is made of it, so that a damaged
  /// file gives a list instead of the crash that reading it through LMDB may be. The bytes of keys
  /// and values carry no checksum here; the records themselves have to.
  package func structureFaults() throws(StorageError) -> [StructureFault] {
    let looks = 100
    for _ in 0..<looks {
      do {
        let faults = try read { (txn) throws(StorageError) in try core.faults(in: txn.id) }
        if let faults { return faults }
      } catch {
        throw error.storageError
      }
    }
    throw StorageError(
      .readsInTheWay, path, "others commit faster than a snapshot is found: retry")
  }
}

extension EnvironmentCore {
  /// The faults of the snapshot `id`, which the caller holds; nil if its meta page is gone.
  fileprivate func faults(in id: UInt64) throws(StorageError) -> [StructureFault]? {
    let file = try PageFile(EnvironmentFile.dataPath(path))
    let (first, second) = try file.metas()
    guard let meta = [first, second].first(where: { $0.transaction == id }) else { return nil }
    guard meta.isSound else { return [StructureFault(tree: .meta, rule: "it is nonsense")] }
    var walk = PageWalk(file, meta)
    try walk.walkAll()
    return walk.faults
  }
}
