import FoundationEssentials

/// Reference material that may lie beside the checkout; tests over it run only where it does.
package enum SharedMaterial {
  /// The folder `shared` beside the package, or nil where it is absent.
  package static let folder: String? = {
    let package = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let folder = package.deletingLastPathComponent().appending(path: "shared").path
    return FileManager.default.fileExists(atPath: folder) ? folder : nil
  }()

  /// The folder `shared/PATH`, or nil after saying on standard output that `test` was skipped.
  package static func folder(_ path: String, for test: String = #function) -> String? {
    guard let folder else {
      print("SKIPPED: \(test): no folder shared/\(path) beside the package")
      return nil
    }
    return folder + "/" + path
  }
}
