/// Several ways of doing the same work, measured side by side in one process.
protocol Workload {
  /// What `--filter` selects it by.
  static var name: String { get }
  static var summary: String { get }

  /// Prepares the data, outside of any measurement.
  init(_ options: Options, _ scratch: Scratch) throws

  /// Checks that all ways give the same results, then measures.
  ///
  /// - Throws: `WrongResult` where they differ: then no number of theirs means anything.
  func measure() async throws -> [Section]
}

/// The ways of doing one work did not come to one result.
struct WrongResult: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
