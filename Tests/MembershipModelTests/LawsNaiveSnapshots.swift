import MembershipModel

/// The slow obvious model of what snapshots show to have changed without a word.
///
/// What a snapshot in good standing shows is held against the snapshot before it, with the paid
/// purchases that began since and run then, and with the changes stated since.
struct NaiveSnapshots {
  typealias Line = ObservedItem

  let model: NaiveModel
  let statements: [NaiveModel.Statement]
  let purchases: [NaivePurchase]
  let stated: [PlanChange]

  var changes: [PlanChange] {
    let shown = self.shown
    return shown.indices.flatMap { index in
      changes(
        at: shown[index].at, shown[index].lines, after: index > 0 ? shown[index - 1] : nil)
    }
  }

  private var shown: [(at: Timestamp, lines: [Line])] {
    let seen = statements.filter { $0.observation != nil }.map { ($0.event.effectiveAt, $0) }
    return Set(seen.map(\.0)).sorted().compactMap { instant in
      guard
        let observation = model.inForce(seen, instant, \.standingRank)?.statement.observation,
        [.active, .trialing].contains(observation.standing), !observation.items.isEmpty
      else { return nil }
      return (instant, observation.items)
    }
  }

  private func changes(
    at instant: Timestamp, _ lines: [Line], after former: (at: Timestamp, lines: [Line])?
  ) -> [PlanChange] {
    let known = known(at: instant, after: former)
    let old = Set(former?.lines.map(\.item) ?? [])
      .union(purchases.filter { $0.isPaidPeriod && $0.start <= instant }.map(\.transaction.item))
    let isNew = { (line: Line) in !line.item.isEmpty && !old.contains(line.item) }
    let rules: [(Line, Line) -> Bool] = [
      { $0.item == $1.item && !$0.item.isEmpty }, { $0.offer.isSame(as: $1.offer) },
      { $0.item.isEmpty || $1.item.isEmpty || isNew($1) },
    ]
    var (left, free, changes) = (known, lines, [PlanChange]())
    for rule in rules {
      for had in left {
        guard let place = free.firstIndex(where: { rule(had, $0) }) else { continue }
        let now = free.remove(at: place)
        left.remove(at: left.firstIndex(of: had) ?? 0)
        let quantity = now.quantity ?? had.quantity
        if had.offer.isSame(as: now.offer), had.quantity == quantity { continue }
        changes.append(
          PlanChange(
            at: instant, from: had.offer, to: now.offer, item: had.item, quantity: quantity ?? 1))
      }
    }
    for had in left {
      changes.append(PlanChange(at: instant, from: had.offer, to: nil, item: had.item, quantity: 0))
    }
    for now in free where former != nil && isNew(now) {
      changes.append(
        PlanChange(
          at: instant, from: nil, to: now.offer, item: now.item, quantity: now.quantity ?? 1))
    }
    return changes
  }

  private func known(
    at instant: Timestamp, after former: (at: Timestamp, lines: [Line])?
  ) -> [Line] {
    let since = former?.at ?? .distantPast
    let bought = purchases.filter { purchase in
      purchase.isPaidPeriod && since < purchase.start && purchase.start <= instant
        && instant < (purchase.transaction.period?.end ?? instant)
    }
    let changed = stated.filter { since < $0.at && $0.at <= instant }
    var known = former?.lines ?? []
    for moment in Set(bought.map(\.start) + changed.map(\.at)).sorted() {
      for purchase in bought.filter({ $0.start == moment })
        .sorted(by: { $0.transaction.id < $1.transaction.id })
      {
        let sold = purchase.transaction
        put(Line(item: sold.item, offer: sold.offer, quantity: sold.quantity), in: &known)
      }
      for change in changed.filter({ $0.at == moment }).sorted(by: { $0.item < $1.item }) {
        apply(change, to: &known)
      }
    }
    return known
  }

  private func put(_ line: Line, in known: inout [Line]) {
    if line.item.isEmpty {
      if !known.contains(where: { $0.offer.isSame(as: line.offer) }) { known.append(line) }
    } else if let place = known.firstIndex(where: { $0.item == line.item }) {
      known[place] = line
    } else {
      known.append(line)
    }
  }

  private func apply(_ change: PlanChange, to known: inout [Line]) {
    if change.from == nil, let to = change.to {
      put(Line(item: change.item, offer: to, quantity: change.quantity), in: &known)
    }
    guard let from = change.from else { return }
    known = known.compactMap { line in
      let isMeant = change.item.isEmpty || line.item.isEmpty || line.item == change.item
      guard isMeant, line.offer.isSame(as: from) else { return line }
      return change.to.map { Line(item: line.item, offer: $0, quantity: change.quantity) }
    }
  }
}

extension NaivePurchase {
  fileprivate var isPaidPeriod: Bool {
    !transaction.isObserved && [.paid, .intro, .free].contains(transaction.kind)
      && transaction.period != nil
  }
}
