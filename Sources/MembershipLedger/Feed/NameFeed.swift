/// The feed of one name while it is brought up to an instant.
struct NameFeed {
  let named: CustomerName
  /// The key of the name's access row.
  let key: [UInt8]
  /// What is had by what is known; another row may take its place.
  var flips: AccessFlips
  /// How far the feed was before.
  let former: FeedState
  private(set) var state: FeedState
  /// What was announced last.
  private(set) var held: Set<UInt32>

  init(_ named: CustomerName, _ key: [UInt8], _ row: [UInt8]?, _ state: FeedState) {
    self.named = named
    self.key = key
    flips = AccessFlips(row)
    former = state
    self.state = state
    let next = state.next ?? .distantFuture
    held = flips.held(at: Timestamp(milliseconds: next.milliseconds - 1))
  }

  /// One change of what is had: what was before, and what is then.
  struct Step {
    let place: UInt64
    let before: Set<UInt32>
    let after: Set<UInt32>
  }

  /// Goes to an instant; nil where nothing changes there.
  mutating func step(to instant: Timestamp) -> Step? {
    state.next = flips.next(after: instant)
    let after = flips.held(at: instant)
    if after == held { return nil }
    state.changes += 1
    defer { held = after }
    return Step(place: state.changes, before: held, after: after)
  }
}
