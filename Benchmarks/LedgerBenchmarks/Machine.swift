import CBaseline
import FoundationEssentials

/// What the numbers were measured on.
struct Machine {
  let line: String

  /// Describes the machine; the folder's file system is the one that is measured.
  init(folder: String) {
    // Safe because C gives strings that end and stay.
    let kernel = unsafe String(cString: baseline_kernel())
    let library = unsafe String(cString: baseline_lmdb_version())
    let fileSystem = unsafe String(cString: baseline_file_system(folder))
    let processors = ProcessInfo.processInfo.activeProcessorCount
    line =
      "\(processors) × \(Self.processor), Linux \(kernel), \(library), "
      + "\(fileSystem), \(Self.build) build"
  }

  private static var processor: String {
    let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
    return line?.split(separator: ":").last.map { $0.trimmingPrefix(" ") }.map(String.init)
      ?? "unknown processor"
  }

  #if DEBUG
    private static let build = "debug"
  #else
    private static let build = "release"
  #endif
}

/// A folder for the ledgers of one run.
struct Scratch {
  let path: String

  init(in folder: String) throws {
    path = "\(folder)/ledger-benchmarks-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// A path in it that nothing lies at.
  func fresh(_ name: String) -> String { "\(path)/\(name)-\(UUID().uuidString)" }

  func makeFolder(_ name: String) throws -> String {
    let path = fresh(name)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    return path
  }

  func copy(_ folder: String, as name: String) throws -> String {
    let path = fresh(name)
    try FileManager.default.copyItem(atPath: folder, toPath: path)
    return path
  }

  func remove() {
    try? FileManager.default.removeItem(atPath: path)
  }
}
