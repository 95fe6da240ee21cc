import FoundationEssentials

/// A new empty folder of the system's temporary area, removed when the body has returned.
///
/// The body gets the folder's path, which holds no symbolic links.
package func withScratchFolder<Result>(
  _ body: (String) throws -> Result
) throws -> Result {
  let path = try makeScratchFolder()
  defer { try? FileManager.default.removeItem(atPath: path) }
  return try body(path)
}

/// The form of `withScratchFolder` whose body may await.
package func withScratchFolder<Result>(
  isolation: isolated (any Actor)? = #isolation,
  _ body: (String) async throws -> Result
) async throws -> Result {
  let path = try makeScratchFolder()
  defer { try? FileManager.default.removeItem(atPath: path) }
  return try await body(path)
}

private func makeScratchFolder() throws -> String {
  let path = FileManager.default.temporaryDirectory
    .appending(path: "membership-ledger-\(UUID().uuidString)").path
  try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  return path
}
