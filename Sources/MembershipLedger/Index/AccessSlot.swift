internal import LedgerStorage

/// What the index in memory holds of one name, in three numbers.
///
/// Up to three entitlements, each with its number in the upper 16 bits and its end in the lower 48,
/// milliseconds since 1970: what is had from some instant on, the slot's, until then. Else, with a
/// number that no entitlement has, a sign that only the stored row can answer, or the key of the
/// name that this one leads to.
enum AccessSlot {
  private static let endBits: UInt64 = 48
  private static let endMask: UInt64 = 1 << endBits - 1
  private static let sign: UInt64 = 0xffff << endBits
  private static let stored = SlotValue(sign | 1, 0, 0)
  private static let alias: UInt64 = sign | 2

  /// The instants that a slot can speak of end here, in the year 10889.
  static let latest = Int64(endMask)

  /// The slot of a stored row, good for `instant`, which is not before 1970, and all later ones.
  static func encode(
    _ row: Span<UInt8>, from instant: Int64, key: (String) -> SlotKey?
  ) -> SlotValue {
    if let other = AccessRow.alias(in: row) {
      guard let key = key(other) else { return stored }
      return SlotValue(alias, key.home, key.fingerprint)
    }
    var held = (first: UInt64(0), second: UInt64(0), third: UInt64(0))
    var count = 0
    for index in 0..<AccessRow.count(in: row) {
      let entry = AccessRow.entry(index, in: row)
      let end = entry.period.end.milliseconds
      if end <= instant { continue }
      let word = UInt64(entry.entitlement) << endBits | UInt64(min(end, latest))
      // What begins later would need an instant of its own.
      guard entry.period.start.milliseconds <= instant, word < sign else { return stored }
      switch count {
      case 0: held.first = word
      case 1: held.second = word
      case 2: held.third = word
      default: return stored
      }
      count += 1
    }
    return SlotValue(held.first, held.second, held.third)
  }

  enum Answer {
    case given(Bool)
    case leads(SlotKey)
    case stored
  }

  /// What a slot says of an entitlement at an instant for which it is good.
  @inline(__always)
  static func answer(_ slot: SlotValue, _ entitlement: UInt32, at instant: Int64) -> Answer {
    if slot.first >= sign {
      guard slot.first == alias else { return .stored }
      return .leads(SlotKey(home: slot.second, fingerprint: slot.third))
    }
    return .given(
      gives(slot.first, entitlement, instant) || gives(slot.second, entitlement, instant)
        || gives(slot.third, entitlement, instant))
  }

  @inline(__always)
  private static func gives(_ word: UInt64, _ entitlement: UInt32, _ instant: Int64) -> Bool {
    word >> endBits == UInt64(entitlement) && instant < Int64(word & endMask)
  }
}
