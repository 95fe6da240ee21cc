internal import LedgerStorage

/// A ledger could not do what it was asked: what was tried, which rule stopped it, what to do.
///
/// A denial is never an error: a check of an unknown customer is answered, not thrown. Two errors
/// are equal if their codes are.
public struct LedgerError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What kind of failure it is.
  public let code: Code
  /// What happened and what to do about it, for people.
  public let message: String

  /// The kinds of failure.
  @nonexhaustive public enum Code: Hashable, Sendable {
    /// There is no ledger at the path.
    case notFound
    /// The path already holds something.
    case alreadyExists
    /// What lies at the path is not a ledger.
    case notALedger
    /// The ledger was written by a newer version.
    case newerFormat
    /// The path lies on a file system that cannot keep a ledger.
    case unsupportedFileSystem
    /// The library or the system lacks what a ledger needs.
    case unsupportedSystem
    /// The operating system refuses access.
    case permissionDenied
    /// The ledger is open for reading only.
    case readOnly
    /// The process was forked after the ledger was opened.
    case usedAfterFork
    /// A commit failed; the ledger has to be opened anew.
    case writerClosed
    /// Something is in the way for a moment: try again.
    case busy
    /// The disk, or the space reserved for the ledger, is full.
    case full
    /// The operating system failed to read or write.
    case inputOutput
    /// What is stored contradicts itself.
    case damaged
    /// The event breaks a rule.
    case invalidEvent
    /// An event with the same id and other content is recorded.
    case idConflict
    /// Something was recorded since the position that the caller expects.
    case conditionFailed
    /// The customer has used the trial that a checkout asks for.
    case trialUsed
    /// No revision of the catalog, and no grant, has the entitlement.
    case unknownEntitlement
    /// What is referred to, such as a position, a change of the feed or the membership that a grant
    /// follows, is not in the ledger.
    case unknownReference
    /// The ledger has no such membership.
    case unknownMembership
    /// Two names that are to be joined are one already by nature: a customer and itself.
    case sameCustomer
    /// There is no link, merge or transfer in force that could be undone.
    case nothingToUndo
    /// An account or a customer is another one's, and stays so until that is undone.
    case belongsToAnother
    /// An account at a store that is nobody's would take what is a customer's.
    case anonymousCustomer
    /// No cancellation is pending that could be withdrawn.
    case nothingPending
    /// The cancellation is in effect already and cannot be withdrawn any more.
    case alreadyEffective
  }

  /// One line for people.
  public var description: String { message }

  /// Two errors are equal if their codes are.
  public static func == (left: LedgerError, right: LedgerError) -> Bool {
    left.code == right.code
  }

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension LedgerError {
  init(_ error: StorageError) {
    self.init(Code(error.code), error.description)
  }

  init(_ error: TransactionError<LedgerError>) {
    switch error {
    case .body(let error): self = error
    case .storage(let error): self.init(error)
    }
  }

  init(_ error: TransactionError<StorageError>) {
    self.init(error.storageError)
  }
}

extension LedgerError.Code {
  fileprivate init(_ code: StorageError.Code) {
    self =
      switch code {
      case .notFound: .notFound
      case .alreadyExists: .alreadyExists
      case .notAnEnvironment, .emptyFile, .wrongApplication: .notALedger
      case .newerFormat: .newerFormat
      case .networkFileSystem: .unsupportedFileSystem
      case .unsupportedLibrary, .processIDClash: .unsupportedSystem
      case .permissionDenied: .permissionDenied
      case .readOnly: .readOnly
      case .usedAfterFork: .usedAfterFork
      case .writerClosed, .reopenRequired, .transactionFailed: .writerClosed
      case .busy, .nestedWrite, .readsInTheWay, .readersFull: .busy
      case .mapFull, .diskFull: .full
      case .inputOutput, .failpoint, .other: .inputOutput
      case .invalidKey, .keyOutOfOrder, .invalidTableName, .tooManyTables: .invalidEvent
      case .fileTooShort, .damaged, .tableMissing, .invalidCompression: .damaged
      }
  }
}

/// Runs `body` and turns the storage's errors into the ledger's.
func translating<Result: ~Copyable>(
  _ body: () throws(StorageError) -> Result
) throws(LedgerError) -> Result {
  do throws(StorageError) {
    return try body()
  } catch {
    throw LedgerError(error)
  }
}
