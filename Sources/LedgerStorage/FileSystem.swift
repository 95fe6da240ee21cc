internal import CLedgerLMDB
internal import Glibc

/// The file behind a path, whatever the path's spelling.
package struct FileIdentity: Hashable, Sendable {
  package let device: UInt64
  package let inode: UInt64
}

/// What the operating system says of a file.
package struct FileStatus: Sendable {
  package let identity: FileIdentity
  package let size: UInt64
  package let isFolder: Bool
}

/// The calls of the operating system that storage and the layers above need.
package enum FileSystem {
  /// The file at `path`, symbolic links followed; nil if there is none, be it that a file stands
  /// where a folder would have to.
  package static func status(of path: String) throws(StorageError) -> FileStatus? {
    var status = stat()
    // Safe because `status` is a valid place for the call's duration.
    guard unsafe stat(path, &status) == 0 else {
      let code = errno
      if code == ENOENT || code == ENOTDIR { return nil }
      throw StorageError(returnCode: code, path)
    }
    return FileStatus(
      identity: FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino)),
      size: UInt64(status.st_size), isFolder: status.st_mode & S_IFMT == S_IFDIR)
  }

  /// Whether there is nothing at a path, or an empty folder.
  package static func isFree(_ path: String) throws(StorageError) -> Bool {
    guard let status = try status(of: path) else { return true }
    guard status.isFolder else { return false }
    return try names(in: path).isEmpty
  }

  /// Refuses a path that holds anything but an empty folder.
  static func checkFree(_ path: String) throws(StorageError) {
    guard try isFree(path) else {
      throw StorageError(.alreadyExists, path, "there is something already: choose a new folder")
    }
  }

  /// Makes the names in the folder at `path` durable.
  package static func synchronizeFolder(_ path: String) throws(StorageError) {
    // Safe, as the calls below: a Swift string is a valid C string for the call.
    let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StorageError(returnCode: errno, path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw StorageError(returnCode: errno, path) }
  }

  /// Makes the bytes of the file at `path` durable.
  package static func synchronizeFile(_ path: String) throws(StorageError) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StorageError(returnCode: errno, path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw StorageError(returnCode: errno, path) }
  }

  /// Makes one folder, whose parent exists.
  package static func makeFolder(_ path: String) throws(StorageError) {
    guard unsafe mkdir(path, 0o770) == 0 else { throw StorageError(returnCode: errno, path) }
  }

  /// The names in the folder at `path`, sorted.
  package static func names(in path: String) throws(StorageError) -> [String] {
    guard let folder = unsafe opendir(path) else {
      throw StorageError(returnCode: errno, path)
    }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    // Safe because the entry is valid until the next readdir on this folder, which no one else
    // has, and its name is a C string that is copied at once.
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Moves `source` to `target`, which may be an empty folder but nothing else.
  package static func moveFolder(_ source: String, to target: String) throws(StorageError) {
    guard unsafe rename(source, target) == 0 else {
      let code = errno
      if code == ENOTEMPTY || code == EEXIST || code == ENOTDIR {
        throw StorageError(.alreadyExists, target, "there is something already: nothing changed")
      }
      throw StorageError(returnCode: code, target)
    }
  }

  /// Removes a folder of plain files.
  package static func removeFolder(_ path: String) throws(StorageError) {
    for name in try names(in: path) { unsafe unlink(path + "/" + name) }
    guard unsafe rmdir(path) == 0 else { throw StorageError(returnCode: errno, path) }
  }

  /// The folder that holds `path`.
  package static func parent(of path: String) -> String {
    let trimmed = path.last == "/" && path.count > 1 ? String(path.dropLast()) : path
    guard let slash = trimmed.lastIndex(of: "/") else { return "." }
    return slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
  }

  /// The `f_type` of the file system that holds `path`.
  static func kind(of path: String) throws(StorageError) -> UInt {
    var status = statfs()
    // Safe because `status` is a valid place for the call's duration.
    guard unsafe statfs(path, &status) == 0 else {
      throw StorageError(returnCode: errno, path)
    }
    return UInt(bitPattern: Int(status.f_type))
  }

  /// The name of a file system that LMDB's locks and maps cannot be trusted on, or nil.
  static func networkName(ofKind kind: UInt) -> String? {
    switch kind {
    case 0x6969: "NFS"
    case 0xff53_4d42: "CIFS"
    case 0xfe53_4d42: "SMB2"
    case 0x517b: "SMB"
    case 0x6573_5546: "FUSE"
    case 0x0102_1997: "9p"
    case 0x00c3_6400: "Ceph"
    case 0x0bd0_0bd0: "Lustre"
    case 0x5346_414f: "AFS"
    default: nil
    }
  }

  /// The bytes that an unprivileged program may still write beside `path`, or nil if unknown.
  static func freeSpace(beside path: String) -> UInt64? {
    var status = statfs()
    // Safe because `status` is a valid place for the call's duration.
    guard unsafe statfs(path, &status) == 0 else { return nil }
    return UInt64(status.f_bavail) * UInt64(status.f_bsize)
  }
}
