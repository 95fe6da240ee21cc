internal import Dispatch
internal import LedgerStorage

/// What waits for the writer.
enum WriteRequest: Sendable {
  /// An event that is to be appended.
  case append(AppendRequest)
  /// A decision on what is to be appended, taken in the transaction that appends it; the documents
  /// that it rests on are kept first.
  case decide(on: [AppendRequest], Ruling)

  /// Appends to the batch what follows from the state that it sees; a failure takes that back.
  ///
  /// It may be called again where a transaction came to nothing, so it changes nothing else.
  typealias Ruling =
    @Sendable (inout Batch, _ events: [Event], _ now: Timestamp) throws(LedgerError) -> Void
}

/// Callers queue; whoever finds nobody writing writes for all that wait, one transaction at a time.
final class AppendQueue: Sendable {
  /// What became of a request; a decision hands on its receipts itself.
  typealias Outcome = Result<Receipt?, LedgerError>

  struct Entry: Sendable {
    let request: WriteRequest
    let complete: @Sendable (Outcome) -> Void
  }

  private struct State {
    var waiting: [Entry] = []
    var isWriting = false
  }

  /// The most requests in one transaction; more would only make the first of them wait.
  private static let largestBatch = 1000

  private let state = Lock(State())
  private let commit: @Sendable ([WriteRequest]) -> [Outcome]
  private let queue = DispatchQueue(label: "membership-ledger.append")

  init(commit: @escaping @Sendable ([WriteRequest]) -> [Outcome]) {
    self.commit = commit
  }

  /// Writes on the calling thread, which may write for others meanwhile.
  func write(_ requests: [WriteRequest]) -> [Outcome] {
    let outcomes = Lock([Outcome?](repeating: nil, count: requests.count))
    let leads = enqueue(requests) { index, outcome in
      outcomes.withLock { $0[index] = outcome }
      outcomes.wakeAll()
    }
    if leads { lead(fromCaller: true) }
    return outcomes.withLock(when: { !$0.contains { $0 == nil } }) { $0.compactMap(\.self) }
  }

  /// Writes on a thread of the queue's own.
  func write(_ requests: [WriteRequest]) async -> [Outcome] {
    if requests.isEmpty { return [] }
    return await withCheckedContinuation { continuation in
      let outcomes = SharedOutcomes(count: requests.count) { continuation.resume(returning: $0) }
      let leads = enqueue(requests) { index, outcome in outcomes.set(index, outcome) }
      if leads { queue.async { self.lead(fromCaller: false) } }
    }
  }

  /// Adds requests; says whether the caller has to write.
  private func enqueue(
    _ requests: [WriteRequest], _ complete: @escaping @Sendable (Int, Outcome) -> Void
  ) -> Bool {
    state.withLock { state in
      for (index, request) in requests.enumerated() {
        state.waiting.append(Entry(request: request) { complete(index, $0) })
      }
      if state.isWriting || state.waiting.isEmpty { return false }
      state.isWriting = true
      return true
    }
  }

  /// Writes batches until nobody waits.
  ///
  /// A caller writes one batch, in which its own requests come first, and leaves whoever waits then
  /// to the queue's thread.
  private func lead(fromCaller: Bool) {
    while true {
      let entries = state.withLock { state -> [Entry] in
        let entries = Array(state.waiting.prefix(Self.largestBatch))
        state.waiting.removeFirst(entries.count)
        if entries.isEmpty { state.isWriting = false }
        return entries
      }
      if entries.isEmpty { return }
      for (entry, outcome) in zip(entries, commit(entries.map(\.request))) {
        entry.complete(outcome)
      }
      if fromCaller {
        if !giveUpIfDone() { queue.async { self.lead(fromCaller: false) } }
        return
      }
    }
  }

  /// Stops writing where nobody waits; says whether it did.
  private func giveUpIfDone() -> Bool {
    state.withLock { state in
      if state.waiting.isEmpty { state.isWriting = false }
      return state.waiting.isEmpty
    }
  }
}

/// Outcomes that arrive one by one and are handed on when all are there.
private final class SharedOutcomes: Sendable {
  private let outcomes: Lock<(values: [AppendQueue.Outcome?], missing: Int)>
  private let finish: @Sendable ([AppendQueue.Outcome]) -> Void

  init(count: Int, finish: @escaping @Sendable ([AppendQueue.Outcome]) -> Void) {
    outcomes = Lock((Array(repeating: nil, count: count), count))
    self.finish = finish
  }

  func set(_ index: Int, _ outcome: AppendQueue.Outcome) {
    let complete = outcomes.withLock { state -> [AppendQueue.Outcome]? in
      state.values[index] = outcome
      state.missing -= 1
      return state.missing == 0 ? state.values.compactMap(\.self) : nil
    }
    if let complete { finish(complete) }
  }
}
