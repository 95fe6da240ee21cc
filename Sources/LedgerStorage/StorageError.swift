internal import CLedgerLMDB
internal import Glibc

/// A failure of the storage layer: what was tried, which rule or fault stopped it, what to do.
///
/// Two errors are equal if their codes are; operation and message are for people.
package struct StorageError: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Code: Hashable, Sendable {
    /// There is no environment at the path.
    case notFound
    /// The path already holds something that `create` will not overwrite.
    case alreadyExists
    /// The files are not an LMDB environment.
    case notAnEnvironment
    /// The data file has no bytes.
    case emptyFile
    /// The data file lacks pages that its own header counts.
    case fileTooShort
    /// The environment belongs to another application.
    case wrongApplication
    /// The environment was written by a newer format than this program knows.
    case newerFormat
    /// The path lies on a network or user-space file system.
    case networkFileSystem
    /// The LMDB at hand has broken locks.
    case unsupportedLibrary
    /// The operating system refuses access to the files.
    case permissionDenied
    /// The environment is open in this process for reading only.
    case readOnly
    /// The process was forked after the environment was opened.
    case usedAfterFork
    /// A write was begun inside a write of the same thread.
    case nestedWrite
    /// Another process has been writing for longer than the wait allowed.
    case busy
    /// The writer is closed after a failed commit; the environment has to be reopened.
    case writerClosed
    /// A failed meta page write; neither reads nor writes begin until it is reopened.
    case reopenRequired
    /// The map is full.
    case mapFull
    /// The map must move and a read of this process is in the way.
    case readsInTheWay
    /// All slots of the reader table are taken.
    case readersFull
    /// Another process of another PID namespace has the same process id.
    case processIDClash
    /// The disk is full.
    case diskFull
    /// The operating system failed to read or write.
    case inputOutput
    /// A key of no bytes or of more than 511.
    case invalidKey
    /// A key that does not follow the last one was appended.
    case keyOutOfOrder
    /// A table's name is empty, too long or reserved.
    case invalidTableName
    /// The snapshot has no such table.
    case tableMissing
    /// More tables than the environment was opened for.
    case tooManyTables
    /// The transaction failed earlier and can only be given up.
    case transactionFailed
    /// A structure of the file that cannot be right.
    case damaged
    /// Compressed bytes that are malformed or unfold to more than allowed.
    case invalidCompression
    /// An armed failpoint.
    case failpoint
    /// Anything else; the return code is LMDB's or the operating system's.
    case other(Int32)
  }

  package let code: Code
  package let operation: String
  package let message: String

  package init(_ code: Code, _ operation: String, _ message: String) {
    self.code = code
    self.operation = operation
    self.message = message
  }

  package var description: String { "\(operation): \(message)" }

  package static func == (left: StorageError, right: StorageError) -> Bool {
    left.code == right.code
  }
}

/// A failed transaction: the caller's own error, or the storage's.
package enum TransactionError<Body: Error>: Error {
  /// The body threw; nothing was changed.
  case body(Body)
  /// The storage refused to begin or failed to commit.
  case storage(StorageError)

  /// The error inside, whoever threw it.
  package var underlying: any Error {
    switch self {
    case .body(let error): error
    case .storage(let error): error
    }
  }
}

/// Turns a return code of LMDB or of the operating system into an error.
@inline(__always)
func check(_ returnCode: Int32, _ operation: @autoclosure () -> String) throws(StorageError) {
  if returnCode != MDB_SUCCESS {
    throw StorageError(returnCode: returnCode, operation())
  }
}
