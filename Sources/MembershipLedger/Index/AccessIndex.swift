internal import LedgerStorage
internal import Synchronization

/// Who has what now, in memory: the access table as of one commit, for checks that cost about one
/// cache miss.
///
/// A check compares LMDB's number of the last commit of any process with that of the index, looks
/// a name up, and compares again: what was changed meanwhile is not believed. Where the index
/// cannot say, for it is not made yet, is being changed, or the instant or the row is beyond it,
/// the check reads the stored row.
final class AccessIndex: Sendable {
  /// A merge that is recorded between two steps leads one step on; whoever is led further reads the
  /// stored rows.
  private static let longestChain = 8
  /// An index is made for who asks so often: not for a command that asks once.
  private static let patience = 1000

  /// The commit that the slots are as of; 0 while there is none, or while they are changed.
  let commit = Atomic<UInt64>(0)
  /// The instant from which on the slots are good.
  let from = Atomic(Int64.max)
  let slots: SlotTable
  let upkeep = Lock(Upkeep())
  private let hash = SlotHash()
  private let misses = Atomic(0)

  init() throws(StorageError) {
    slots = try SlotTable()
  }

  /// What the index is as of, for whoever keeps it up.
  struct Upkeep {
    enum Phase {
      /// Not made, and nobody makes it.
      case idle
      /// Being made.
      case filling
      /// As of a commit.
      case filled
    }

    var phase = Phase.idle
    /// The generation of the projections that it was made from.
    var generation = 0
    /// The position up to which all changes are in it.
    var position = Position.start
  }

  /// The key of a name, or nil where its row does not stand under the name itself.
  @inline(__always)
  func key(of name: Span<UInt8>, in environment: UInt8) -> SlotKey? {
    // Those of newer versions grant nothing that this one knows of.
    guard name.count > 0, name.count <= StoredKey.longestPart,
      environment < UInt8(SlotHash.domains)
    else { return nil }
    return hash.key(of: name, in: environment)
  }

  /// Whether a name has an entitlement at an instant, as of a commit; nil where the index cannot
  /// say.
  @inline(__always)
  func gives(
    _ entitlement: UInt32, to name: Span<UInt8>, at instant: Int64, in environment: UInt8,
    asOf last: UInt64
  ) -> Bool? {
    guard commit.load(ordering: .acquiring) == last, last != 0,
      instant >= from.load(ordering: .relaxed), instant < AccessSlot.latest,
      let key = key(of: name, in: environment)
    else { return nil }
    let found = search(entitlement, key, instant)
    // The loads of the search come before this one: had anything been changed, it would differ.
    atomicMemoryFence(ordering: .acquiring)
    return commit.load(ordering: .relaxed) == last ? found : nil
  }

  @inline(__always)
  private func search(_ entitlement: UInt32, _ key: SlotKey, _ instant: Int64) -> Bool? {
    guard let slot = slots.value(of: key) else { return false }
    switch AccessSlot.answer(slot, entitlement, at: instant) {
    case .given(let isGiven): return isGiven
    case .stored: return nil
    case .leads(let other): return follow(other, entitlement, instant)
    }
  }

  private func follow(_ key: SlotKey, _ entitlement: UInt32, _ instant: Int64) -> Bool? {
    var key = key
    for _ in 0..<Self.longestChain {
      guard let slot = slots.value(of: key) else { return false }
      switch AccessSlot.answer(slot, entitlement, at: instant) {
      case .given(let isGiven): return isGiven
      case .stored: return nil
      case .leads(let other): key = other
      }
    }
    return nil
  }

  /// Notes a check that the index was not there for; says whether it is time to make it.
  func isWanted() -> Bool {
    misses.wrappingAdd(1, ordering: .relaxed).newValue >= Self.patience
      && upkeep.withLockIfFree { $0.phase == .idle } == true
  }

  /// Starts counting checks anew.
  func forgetMisses() { misses.store(0, ordering: .relaxed) }
}
