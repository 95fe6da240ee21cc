import FoundationEssentials
import Glibc

/// Measures the ledger beside a C program that does the same by hand.
@main struct LedgerBenchmarks {
  static func main() async {
    let options: Options
    do {
      options = try Options(Array(CommandLine.arguments.dropFirst()))
    } catch {
      print(error.message, to: .standardError)
      exit(64)
    }
    if options.wantsHelp { return print(Options.help) }
    do {
      try await run(options)
    } catch {
      print("ledger-benchmarks: \(error)", to: .standardError)
      exit(1)
    }
  }

  private static func run(_ options: Options) async throws {
    let scratch = try Scratch(in: options.folder)
    defer { scratch.remove() }
    var report = Report(machine: Machine(folder: scratch.path), options)
    if !options.isJSON { print(report.header) }
    for type in workloads where options.selects(type.name) {
      print("\(type.name): \(type.summary) …", to: .standardError)
      for section in try await type.init(options, scratch).measure() {
        report.sections.append(section)
        if !options.isJSON { print("\n" + section.text) }
      }
    }
    guard !report.sections.isEmpty else {
      throw WrongResult("no workload is named so; there are \(workloads.map { $0.name })")
    }
    if options.isJSON { print(report.json) }
  }

  private static var workloads: [any Workload.Type] {
    [
      CheckWorkload.self, AppendWorkload.self, GroupCommitWorkload.self, ReplayWorkload.self,
      DocumentWorkload.self,
    ]
  }
}
