import CBaseline

/// The C program that reads a table of a ledger that nobody writes to meanwhile.
@safe final class BaselineReader {
  private let handle: OpaquePointer

  /// Opens the log of the ledger at a path.
  init(ledger: String, table: String) throws {
    var error: Int32 = 0
    // Safe because the strings and `error` are valid for the call.
    guard let handle = unsafe baseline_reader_open(ledger + "/log", table, &error) else {
      throw WrongResult("C cannot open the table \(table) of \(ledger): LMDB says \(error)")
    }
    unsafe self.handle = handle
  }

  deinit {
    // Safe because the handle is ours alone.
    unsafe baseline_reader_close(handle)
  }

  /// How many of the keys have a row that gives the entitlement at the instant.
  func countEntitled(
    _ keys: KeyList, to entitlement: UInt32, at instant: Int64, renewed: Bool,
    serialised: Bool
  ) -> Int {
    // Safe because the list holds one offset more than keys, all within its bytes.
    unsafe baseline_count_entitled(
      handle, keys.bytes, keys.offsets, keys.offsets.count - 1, entitlement, instant,
      renewed, serialised)
  }

  /// Reads all rows; how many there are.
  func scan() -> Int {
    var sum: UInt64 = 0
    // Safe because the handle is open and `sum` a valid place.
    return unsafe baseline_scan(handle, &sum)
  }

  func holdsSame(as other: BaselineReader) -> Bool {
    // Safe because both handles are open.
    unsafe baseline_equal(handle, other.handle)
  }
}

/// What a C program checks with OpenSSL.
enum BaselineProof {
  /// Whether the HMAC-SHA256 of a message is the one expected.
  static func isRight(_ code: [UInt8], of message: [UInt8], key: [UInt8]) -> Bool {
    precondition(code.count == 32)
    // Safe because all three are valid for the call, and the code is as long as C reads.
    return unsafe baseline_hmac(key, key.count, message, message.count, code)
  }

  /// Whether a chain of three certificates holds, and its first one's key signed each message.
  static func isRight(
    _ certificates: [[UInt8]], _ parts: [(message: [UInt8], signature: [UInt8])]
  ) -> Bool {
    precondition(certificates.count == 3 && parts.allSatisfy { $0.signature.count == 64 })
    // What C reads lies in one array that stays where it is during the call.
    var all: [UInt8] = []
    var places: [Int] = []
    for piece in certificates + parts.flatMap({ [$0.message, $0.signature] }) {
      places.append(all.count)
      all += piece
    }
    // Safe because the pointer does not leave the closure.
    return unsafe all.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return false }
      // Safe because each place lies within the array, which is valid for the call.
      let chain = unsafe certificates.indices.map {
        unsafe BaselineBytes(bytes: start + places[$0], length: certificates[$0].count)
      }
      let signed = unsafe parts.indices.map { index in
        unsafe BaselineSigned(
          message: start + places[3 + 2 * index], length: parts[index].message.count,
          signature: start + places[4 + 2 * index])
      }
      return unsafe baseline_verify_chain(chain, signed, signed.count)
    }
  }
}

/// Keys that lie one after the other.
struct KeyList {
  private(set) var bytes: [UInt8] = []
  private(set) var offsets: [UInt32] = [0]

  mutating func append(_ key: [UInt8]) {
    bytes += key
    offsets.append(UInt32(bytes.count))
  }
}

/// Rows to be put in one transaction.
struct RowList {
  fileprivate var rows: [BaselineRow] = []
  fileprivate var bytes: [UInt8] = []

  var isEmpty: Bool { rows.isEmpty }

  mutating func append(table: Int, key: [UInt8], value: [UInt8], appended: Bool) {
    rows.append(
      BaselineRow(
        table: UInt32(table), key_length: UInt32(key.count), value_length: UInt32(value.count),
        is_appended: appended, is_removed: false, offset: bytes.count))
    bytes += key
    bytes += value
  }

  /// A row to be taken out.
  mutating func remove(table: Int, key: [UInt8]) {
    rows.append(
      BaselineRow(
        table: UInt32(table), key_length: UInt32(key.count), value_length: 0, is_appended: false,
        is_removed: true, offset: bytes.count))
    bytes += key
  }
}

/// The C program that puts rows by hand, durably.
@safe final class BaselineWriter {
  private let handle: OpaquePointer

  init(folder: String, tables: [String]) throws {
    var error: Int32 = 0
    // Safe because the strings and `error` are valid for the calls.
    guard let handle = unsafe baseline_writer_open(folder, &error) else {
      throw WrongResult("C cannot open \(folder) for writing: LMDB says \(error)")
    }
    unsafe self.handle = handle
    for table in tables {
      error = unsafe baseline_writer_add(handle, table)
      guard error == 0 else { throw WrongResult("C has no table \(table): LMDB says \(error)") }
    }
  }

  deinit {
    // Safe because the handle is ours alone.
    unsafe baseline_writer_close(handle)
  }

  /// Puts the rows and commits.
  func put(_ list: RowList) throws {
    // Safe because each row names bytes within the list's.
    let code = unsafe baseline_put(handle, list.rows, list.rows.count, list.bytes)
    guard code == 0 else { throw WrongResult("C cannot write: LMDB says \(code)") }
  }
}
