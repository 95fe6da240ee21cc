import LedgerStorage
import LedgerTestSupport
import Testing

/// What most tests open with: a small map and few readers.
func testOptions(
  _ change: (inout EnvironmentOptions) -> Void = { _ in }
) -> EnvironmentOptions {
  var options = EnvironmentOptions(application: "storage tests", formatVersion: 3)
  options.mapSize = 64 << 20
  options.maximumReaders = 64
  change(&options)
  return options
}

/// A new environment with the table `items`.
func makeEnvironment(
  _ path: String, _ options: EnvironmentOptions = testOptions()
) throws -> (environment: StorageEnvironment, items: Table) {
  let environment = try StorageEnvironment.create(path, options) { (txn) throws(StorageError) in
    _ = try txn.createTable(named: "items")
  }
  return (environment, try itemsTable(of: environment))
}

/// The table `items` of an environment made by `makeEnvironment`.
func itemsTable(of environment: StorageEnvironment) throws -> Table {
  try #require(try environment.table(named: "items"))
}

/// The code of the storage error that `body` throws, in a transaction or outside of one.
func storageCode<Result>(
  _ body: () throws -> Result, sourceLocation: SourceLocation = #_sourceLocation
) -> StorageError.Code? {
  do {
    _ = try body()
    Issue.record("nothing was thrown", sourceLocation: sourceLocation)
    return nil
  } catch let error as StorageError {
    return error.code
  } catch TransactionError<StorageError>.storage(let error) {
    return error.code
  } catch TransactionError<StorageError>.body(let error) {
    return error.code
  } catch TransactionError<Never>.storage(let error) {
    return error.code
  } catch {
    Issue.record(error, sourceLocation: sourceLocation)
    return nil
  }
}

/// A number as a key, which sorts as the number does.
func bigEndian(_ number: UInt64) -> [UInt8] {
  (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
}

extension [UInt8] {
  init(_ text: String) { self = Array(text.utf8) }
}

extension StorageEnvironment {
  /// Stores text under text in one commit.
  func put(_ value: String, for key: String, in table: Table) throws {
    try write { (txn) throws(StorageError) in
      try txn.put([UInt8](value).span, for: [UInt8](key).span, in: table)
    }
  }

  /// The text under a text.
  func text(for key: String, in table: Table) throws -> String? {
    try read { (txn) throws(StorageError) -> String? in
      try txn.value(for: [UInt8](key).span, in: table).map { String(decoding: $0, as: UTF8.self) }
    }
  }
}
