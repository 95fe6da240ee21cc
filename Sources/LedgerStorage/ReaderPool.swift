internal import CLedgerLMDB
internal import Glibc
internal import Synchronization

/// One place for a read transaction, on cache lines of its own.
@safe struct ReaderSlot: ~Copyable {
  /// The thread that reads here, 0 if none.
  let owner = Atomic<UInt>(0)
  /// The transaction that waits here between reads, reset; touched by the owner alone.
  var transaction: OpaquePointer?
  // Two lines of 64 bytes, because processors fetch them in pairs.
  private var padding = InlineArray<14, UInt64>(repeating: 0)

  init() {}
}

/// The read transactions of one environment and process, one for each thread that reads at once.
///
/// A read takes a slot by one compare-and-swap and gives it back by one store; the transaction in
/// it is renewed and reset, which costs no lock and no allocation. Threads start their search at a
/// place of their own, so that in the steady state each has the same slot every time.
@safe struct ReaderPool: ~Copyable {
  /// Threads spread over so many slots; only more reads at one instant than these use others, so
  /// that a process with many short-lived threads does not fill the shared reader table.
  private static let preferredSlots = 64

  let count: Int
  private let slots: UnsafeMutablePointer<ReaderSlot>
  private let homeMask: UInt

  init(count: Int) {
    self.count = count
    // Safe because the memory is owned by this value, initialized whole here and freed in deinit.
    unsafe slots = .allocate(capacity: count)
    for index in 0..<count {
      unsafe (slots + index).initialize(to: ReaderSlot())
    }
    var homes = ReaderPool.preferredSlots
    while homes > count { homes /= 2 }
    homeMask = UInt(homes - 1)
  }

  deinit {
    unsafe slots.deinitialize(count: count)
    unsafe slots.deallocate()
  }

  /// A number that tells this thread from all others alive.
  @inline(__always)
  static var thisThread: UInt { UInt(pthread_self()) }

  /// Takes a slot for this thread, or nil if all are taken.
  @inline(__always)
  borrowing func take() -> UnsafeMutablePointer<ReaderSlot>? {
    let thread = ReaderPool.thisThread
    let home = Int((thread &* 0x9e37_79b9_7f4a_7c15) >> 32 & homeMask)
    // Safe because a home is always below the count.
    let slot = unsafe slots + home
    // Sequentially consistent, as the reader's next step looks whether a drain has begun, and a
    // drain sets its sign before it looks at the slots: one of them sees the other.
    if unsafe slot.pointee.owner.compareExchange(
      expected: 0, desired: thread, ordering: .sequentiallyConsistent
    ).exchanged {
      return unsafe slot
    }
    return unsafe takeAnother(after: home, thread)
  }

  @inline(never)
  private borrowing func takeAnother(
    after home: Int, _ thread: UInt
  ) -> UnsafeMutablePointer<ReaderSlot>? {
    for step in 1..<max(count, 2) {
      // Safe because the remainder is below the count.
      let slot = unsafe slots + (home + step) % count
      if unsafe slot.pointee.owner.compareExchange(
        expected: 0, desired: thread, ordering: .sequentiallyConsistent
      ).exchanged {
        return unsafe slot
      }
    }
    return nil
  }

  /// Gives a slot of this thread back.
  @inline(__always)
  static func giveBack(_ slot: UnsafeMutablePointer<ReaderSlot>) {
    // Safe because the caller holds the slot, which lives as long as the pool.
    unsafe slot.pointee.owner.store(0, ordering: .releasing)
  }

  /// Whether this thread holds a slot other than `slot`.
  borrowing func isReading(besides slot: UnsafeMutablePointer<ReaderSlot>?) -> Bool {
    let thread = ReaderPool.thisThread
    for index in 0..<count {
      let other = unsafe slots + index
      if unsafe other != slot,
        unsafe other.pointee.owner.load(ordering: .sequentiallyConsistent) == thread
      {
        return true
      }
    }
    return false
  }

  /// Whether no slot is held.
  ///
  /// Right for a drain, during which only a thread that already reads may take another slot: a
  /// nested read ends before the outer one, so one pass that finds each slot free is enough.
  borrowing func isIdle() -> Bool {
    for index in 0..<count {
      if unsafe slots[index].owner.load(ordering: .sequentiallyConsistent) != 0 { return false }
    }
    return true
  }

  /// Ends the waiting transactions for good; no read may be under way.
  borrowing func endAll() {
    for index in 0..<count {
      if let transaction = unsafe slots[index].transaction {
        unsafe mdb_txn_abort(transaction)
        unsafe slots[index].transaction = nil
      }
    }
  }
}
