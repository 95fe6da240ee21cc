/// Plan changes that no document states, as the store's snapshots show them.
///
/// A snapshot shows all that a membership consists of. What differs from what was known by then,
/// from the snapshot before and from the purchases and stated changes since, has changed at the
/// time of the snapshot at the latest. Only a snapshot in good standing counts: what is outstanding
/// is not had yet.
struct SeenChanges {
  /// What was known last, with the events that say it.
  private var known: [Known] = []
  /// The snapshot that was looked at last.
  private var former: Stamped<Observation>?
  /// What purchases and stated changes say, in order, from the instant reached on.
  private var words: ArraySlice<Word>
  /// The items for which a purchase has begun.
  private var boughtItems: Set<String> = []

  private struct Known {
    var line: ObservedItem
    var evidence: [EventID]
  }

  private struct Word {
    let at: Timestamp
    let event: EventID
    let body: Body

    enum Body {
      case bought(ObservedItem, Period)
      case changed(PlanChange)
    }
  }

  /// The changes seen, in order.
  static func all(
    of state: MembershipState, besides stated: [Stamped<PlanChange>]
  ) -> [EffectiveChange] {
    let snapshots = state.standing.stretches.filter {
      $0.entry.value.standing.isGood && !$0.entry.value.items.isEmpty
    }
    if snapshots.isEmpty { return [] }
    var seen = SeenChanges(words: words(of: state, stated)[...])
    return snapshots.flatMap { seen.look(at: $0.entry, $0.period.start) }
  }

  private init(words: ArraySlice<Word>) {
    self.words = words
  }

  /// Purchases that rest on a payment; the others are read off snapshots themselves.
  private static func words(
    of state: MembershipState, _ stated: [Stamped<PlanChange>]
  ) -> [Word] {
    let bought = state.transactions.values.compactMap(\.purchase.winner).compactMap { purchase in
      let transaction = purchase.value.transaction
      guard transaction.isPaidPeriod, let period = transaction.period else { return nil as Word? }
      let line = ObservedItem(
        item: transaction.item, offer: transaction.offer, quantity: transaction.quantity)
      return Word(at: period.start, event: purchase.stamp.event, body: .bought(line, period))
    }
    let changed = stated.sorted { ($0.value.at, $0.value.item) < ($1.value.at, $1.value.item) }
      .map { Word(at: $0.value.at, event: $0.stamp.event, body: .changed($0.value)) }
    // In one instant, purchases in the order of their ids, and then what is changed.
    return (bought + changed).enumerated()
      .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
  }

  private mutating func look(
    at snapshot: Stamped<Observation>, _ instant: Timestamp
  ) -> [EffectiveChange] {
    while let word = words.first, word.at <= instant {
      words.removeFirst()
      switch word.body {
      case .bought(let line, let period):
        boughtItems.insert(line.item)
        if period.contains(instant) { learn(line, word.event) }
      case .changed(let change): learn(change, word.event)
      }
    }
    let evidence = [former?.stamp.event, snapshot.stamp.event].compactMap { $0 }
    let changes = pairs(with: snapshot.value.items).compactMap { had, now in
      change(from: had, to: now, at: instant, evidence)
    }
    known = snapshot.value.items.map { Known(line: $0, evidence: [snapshot.stamp.event]) }
    former = snapshot
    return changes
  }

  private mutating func learn(_ line: ObservedItem, _ event: EventID) {
    if let index = known.firstIndex(where: { !line.item.isEmpty && $0.line.item == line.item }) {
      known[index] = Known(line: line, evidence: [event])
    } else if !line.item.isEmpty || !known.contains(where: { $0.line.offer.matches(line.offer) }) {
      known.append(Known(line: line, evidence: [event]))
    }
  }

  private mutating func learn(_ change: PlanChange, _ event: EventID) {
    guard let from = change.from else {
      if let to = change.to {
        learn(ObservedItem(item: change.item, offer: to, quantity: change.quantity), event)
      }
      return
    }
    known = known.compactMap { had in
      guard had.line.offer.matches(from),
        change.item.isEmpty || had.line.item.isEmpty || change.item == had.line.item
      else { return had }
      guard let to = change.to else { return nil }
      let line = ObservedItem(item: had.line.item, offer: to, quantity: change.quantity)
      return Known(line: line, evidence: had.evidence + [event])
    }
  }

  /// What was known beside what is shown in its place.
  ///
  /// The item tells, else the offer; else an item that is new takes the place of one that is gone.
  /// What stays alone was dropped or added.
  private func pairs(
    with items: [ObservedItem]
  ) -> [(had: Known?, now: ObservedItem?)] {
    var free = items
    func take(_ isMatch: (ObservedItem) -> Bool) -> ObservedItem? {
      free.firstIndex(where: isMatch).map { free.remove(at: $0) }
    }
    var pairs: [(had: Known?, now: ObservedItem?)] = []
    var open = known
    func pair(_ isMatch: (_ had: ObservedItem, _ now: ObservedItem) -> Bool) {
      open.removeAll { had in
        guard let now = take({ isMatch(had.line, $0) }) else { return false }
        pairs.append((had, now))
        return true
      }
    }
    pair { !$0.item.isEmpty && $0.item == $1.item }
    pair { $0.offer.matches($1.offer) }
    pair { $0.item.isEmpty || $1.item.isEmpty || isNew($1) }
    pairs += open.map { ($0, nil) }
    // Without a snapshot before, an item may as well be one that is billed for past use.
    if former != nil { pairs += free.filter(isNew).map { (nil, $0) } }
    return pairs
  }

  private func isNew(_ line: ObservedItem) -> Bool {
    !line.item.isEmpty && !boughtItems.contains(line.item)
      && !(former?.value.items.contains { $0.item == line.item } ?? false)
  }

  private func change(
    from had: Known?, to now: ObservedItem?, at instant: Timestamp, _ evidence: [EventID]
  ) -> EffectiveChange? {
    let quantity = now?.quantity ?? had?.line.quantity
    if let had, let now, had.line.offer.matches(now.offer), had.line.quantity == quantity {
      return nil
    }
    let change = PlanChange(
      at: instant, from: had?.line.offer, to: now?.offer,
      item: had?.line.item ?? now?.item ?? "", quantity: now == nil ? 0 : quantity ?? 1)
    return EffectiveChange(
      change: change, evidence: (had?.evidence ?? []) + evidence, isSeen: true)
  }
}

extension Transaction {
  /// Whether a payment for a period speaks for it.
  fileprivate var isPaidPeriod: Bool {
    if isObserved || ownership.unrecognizedNumber != nil { return false }
    return switch kind {
    case .paid, .intro, .free: true
    case .trial, .oneTime, .unrecognized: false
    }
  }
}
