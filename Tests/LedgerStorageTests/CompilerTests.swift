import Foundation
import LedgerTestSupport
import Testing

/// What must not compile: transactions and their bytes held where they cannot be.
@Suite struct CompilerTests {
  /// The compiler's messages for a function of that body, with an `environment` and its `table`.
  private func messages(_ body: String) throws -> String? {
    let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    let modules = products.appending(path: "Modules")
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let sources = package.appending(path: "Sources")
    // The package manager names the package by its folder.
    let name = String(package.lastPathComponent.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    guard FileManager.default.fileExists(atPath: modules.path) else {
      print("SKIPPED: no folder Modules beside the test executable")
      return nil
    }
    return try withScratchFolder { folder in
      let file = folder + "/snippet.swift"
      let text = """
        import LedgerStorage
        func snippet(_ environment: StorageEnvironment, _ table: Table) async throws {
          \(body)
        }
        """
      try text.write(toFile: file, atomically: true, encoding: .utf8)
      let output = Pipe()
      let compiler = Process()
      compiler.executableURL = URL(filePath: "/usr/bin/env")
      compiler.arguments =
        [
          "swiftc", "-emit-sil", "-o", "/dev/null", "-swift-version", "6", "-package-name",
          name.lowercased(), "-I", modules.path,
        ]
        + ["CLedgerLMDB", "CLedgerCompression", "CLedgerHash"].flatMap {
          ["-I", sources.appending(path: $0).path]
        } + [file]
      compiler.standardError = output
      try compiler.run()
      let messages = String(
        decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      compiler.waitUntilExit()
      return messages.contains("error:") ? messages : ""
    }
  }

  @Test func `a snippet that keeps the rules compiles`() throws {
    let messages = try messages(
      """
      let length = try environment.read { (txn) throws(StorageError) in
        try txn.bytes(for: [1].span, in: table)?.count
      }
      print(length ?? 0)
      """)
    if let messages { #expect(messages == "") }
  }

  @Test(arguments: [
    (
      "an await inside a transaction",
      "try environment.read { (txn) in await Task.yield() }",
      "cannot pass function of type"
    ),
    (
      "a transaction that escapes",
      "var kept: WriteTransaction?\ntry sync { try environment.write { (txn) in kept = txn } }",
      "consum"
    ),
    (
      "bytes that leave the transaction",
      """
      let key: [UInt8] = [1]
      var kept = Span<UInt8>()
      try environment.read { (txn) throws(StorageError) in
        if let bytes = try txn.bytes(for: key.span, in: table) { kept = bytes }
      }
      print(kept.count)
      """,
      "escapes"
    ),
    (
      "a write while bytes of the map are held",
      """
      try sync {
        try environment.write { (txn) throws(StorageError) in
          if let bytes = try txn.reader.bytes(for: [1].span, in: table) {
            try txn.put([2].span, for: [1].span, in: table)
            print(bytes.count)
          }
        }
      }
      """,
      "overlapping accesses"
    ),
    (
      "a write during a scan",
      """
      try sync {
        try environment.write { (txn) throws(StorageError) in
          var entries = try txn.reader.entries(in: table)
          while let entry = try entries.next() {
            try txn.put([UInt8(entry.key.count)].span, for: [1].span, in: table)
          }
        }
      }
      """,
      "overlapping accesses"
    ),
  ])
  func `the compiler refuses`(_ what: String, _ body: String, _ message: String) throws {
    let helper = "func sync(_ body: () throws -> Void) rethrows { try body() }\n"
    if let messages = try messages(helper + body) {
      #expect(messages.contains(message), "\(what): \(messages)")
    }
  }
}
