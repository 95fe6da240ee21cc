// Ingests every JSON file below a folder into a new ledger and fails if anything gets lost.
//
//     swift Tools/ingest-folder.swift LEDGER_PROGRAM PROVIDER FOLDER
//
// Each document must be answered by one line that says what became of it, with a position of its
// own unless it was refused or is a duplicate; `verify` and `replay` must then find nothing.

import Foundation

struct Failure: Error, CustomStringConvertible {
  let description: String
}

struct Outcome: Decodable {
  let outcome: String
  let position: UInt64?
  let reason: String?
}

/// Runs the program and gives its exit status and standard output; its messages pass through.
func run(_ program: String, _ arguments: [String]) throws -> (status: Int32, output: Data) {
  let process = Process()
  let pipe = Pipe()
  process.executableURL = URL(filePath: program)
  process.arguments = arguments
  process.standardOutput = pipe
  try process.run()
  let output = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  guard process.terminationReason == .exit else {
    throw Failure(description: "signal \(process.terminationStatus) ended \(arguments)")
  }
  return (process.terminationStatus, output)
}

func expectSuccess(_ program: String, _ arguments: [String]) throws {
  let (status, output) = try run(program, arguments)
  guard status == 0 else {
    throw Failure(
      description: "status \(status) from \(arguments): \(String(decoding: output, as: UTF8.self))")
  }
}

/// Checks that every document reads the same when it is read again.
func expectSameReading(_ program: String, _ global: [String]) throws {
  let (status, output) = try run(program, global + ["reinterpret"])
  let lines = output.split(separator: UInt8(ascii: "\n"))
  guard status == 0, lines.count == 1 else {
    throw Failure(
      description: "read again, documents say otherwise: \(String(decoding: output, as: UTF8.self))"
    )
  }
}

/// The number of documents in a file: an array and a provider's list object hold several.
func documentCount(inFileAt path: String) throws -> Int {
  let data = try Data(contentsOf: URL(filePath: path))
  switch try? JSONSerialization.jsonObject(with: data) {
  case let array as [Any]:
    return array.count
  case let object as [String: Any] where object["object"] as? String == "list":
    return (object["data"] as? [Any])?.count ?? 1
  default:
    return 1
  }
}

/// Checks that the outcomes account for each document and agree with the exit status.
func check(_ outcomes: [Outcome], documents: Int, status: Int32) throws {
  guard outcomes.count == documents else {
    throw Failure(description: "\(documents) documents, but \(outcomes.count) lines")
  }
  var positions: Set<UInt64> = []
  for (number, outcome) in outcomes.enumerated() {
    let isComplete =
      switch (outcome.outcome, outcome.position) {
      case ("appended", let position?), ("noted", let position?):
        positions.insert(position).inserted
      case ("duplicate", let position?):
        positions.contains(position)
      case ("refused", _):
        outcome.reason?.isEmpty == false
      default:
        false
      }
    guard isComplete else {
      throw Failure(description: "line \(number + 1) does not say what became of it: \(outcome)")
    }
  }
  let expected: Int32 = outcomes.contains { $0.outcome == "refused" } ? 1 : 0
  guard status == expected else {
    throw Failure(description: "exit status \(status) instead of \(expected)")
  }
}

func ingest(provider: String, folder: String, program: String, ledger: String) throws {
  let files = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
    .filter { $0.hasSuffix(".json") }.map { folder + "/" + $0 }
  guard !files.isEmpty else { throw Failure(description: "no JSON files below \(folder)") }
  let documents = try files.reduce(0) { try $0 + documentCount(inFileAt: $1) }

  let global = ["--ledger", ledger, "--json"]
  try expectSuccess(program, global + ["init"])
  let ingestion = global + ["ingest", provider, "--trust-unsigned"]
  let (status, output) = try run(program, ingestion + files)
  let outcomes = try output.split(separator: UInt8(ascii: "\n"))
    .map { try JSONDecoder().decode(Outcome.self, from: Data($0)) }
  try check(outcomes, documents: documents, status: status)
  try expectSuccess(program, global + ["verify"])
  try expectSuccess(program, global + ["replay"])
  try expectSameReading(program, global)

  let counts = Dictionary(grouping: outcomes, by: \.outcome).mapValues(\.count)
  print(
    "\(files.count) files, \(documents) documents:",
    counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", "))
}

let arguments = CommandLine.arguments
guard arguments.count == 4 else {
  print("usage: ingest-folder.swift LEDGER_PROGRAM PROVIDER FOLDER")
  exit(64)
}
let scratch = FileManager.default.temporaryDirectory
  .appending(path: "membership-ledger-\(UUID().uuidString)").path
do {
  defer { try? FileManager.default.removeItem(atPath: scratch) }
  try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
  try ingest(
    provider: arguments[2], folder: arguments[3], program: arguments[1],
    ledger: scratch + "/ingested.ledger")
} catch {
  print("failed: \(error)")
  exit(1)
}
