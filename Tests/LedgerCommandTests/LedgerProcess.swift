import Foundation

/// The built `ledger`, run as a process of its own.
struct LedgerProcess {
  let status: Int32
  let wasSignalled: Bool
  let output: String
  let errors: String

  /// The program lies beside the test bundle.
  static let executable = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appending(path: "ledger").path

  static func ledger(
    _ arguments: String..., input: String = "", environment: [String: String] = [:]
  ) throws -> LedgerProcess {
    try run(executable, arguments, input: input, environment: environment)
  }

  /// Runs a program with the folder of `ledger` first on its path and an English, UTF-8 locale.
  static func run(
    _ program: String, _ arguments: [String], input: String = "",
    environment: [String: String] = [:]
  ) throws -> LedgerProcess {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    let folder = URL(filePath: executable).deletingLastPathComponent().path
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    process.environment = [
      "PATH": "\(folder):\(path)", "LANG": "C.UTF-8", "HOME": NSHomeDirectory(),
    ].merging(environment) { $1 }
    let (stdin, stdout, stderr) = (Pipe(), Pipe(), Pipe())
    (process.standardInput, process.standardOutput, process.standardError) = (stdin, stdout, stderr)
    try process.run()
    try stdin.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try stdin.fileHandleForWriting.close()
    // Read aside, so that neither pipe can fill up while the other is waited for.
    let errors = Reader(stderr.fileHandleForReading)
    let output = String(
      decoding: stdout.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return LedgerProcess(
      status: process.terminationStatus, wasSignalled: process.terminationReason == .uncaughtSignal,
      output: output, errors: errors.text())
  }

  /// The path of an installed program, or nil after saying which test goes without it.
  static func installed(_ name: String, for test: String = #function) -> String? {
    let folders = ["/usr/local/bin", "/usr/bin", "/bin"]
    if let path = folders.map({ "\($0)/\(name)" }).first(where: FileManager.default.fileExists) {
      return path
    }
    print("SKIPPED: \(test): \(name) is not installed")
    return nil
  }
}

/// The rest of a pipe, read on a queue of its own.
private final class Reader: @unchecked Sendable {
  // Safe: written once before `done` is signalled, read only after waiting for it.
  private var data = Data()
  private let done = DispatchSemaphore(value: 0)

  init(_ handle: FileHandle) {
    DispatchQueue(label: "membership-ledger.test.reader").async { [self] in
      data = handle.readDataToEndOfFile()
      done.signal()
    }
  }

  func text() -> String {
    done.wait()
    return String(decoding: data, as: UTF8.self)
  }
}
