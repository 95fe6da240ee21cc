/// Keys of which the least is taken first: a binary heap.
struct KeyQueue {
  private var keys: [[UInt8]] = []

  var first: [UInt8]? { keys.first }

  mutating func insert(_ key: [UInt8]) {
    keys.append(key)
    var place = keys.count - 1
    while place > 0, precedes(place, (place - 1) / 2) {
      keys.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// Takes out the least key; nil where there is none.
  @discardableResult
  mutating func removeFirst() -> [UInt8]? {
    if keys.isEmpty { return nil }
    keys.swapAt(0, keys.count - 1)
    let first = keys.removeLast()
    var place = 0
    while let child = lesserChild(of: place), precedes(child, place) {
      keys.swapAt(place, child)
      place = child
    }
    return first
  }

  private func lesserChild(of place: Int) -> Int? {
    let (left, right) = (2 * place + 1, 2 * place + 2)
    if left >= keys.count { return nil }
    return right < keys.count && precedes(right, left) ? right : left
  }

  private func precedes(_ left: Int, _ right: Int) -> Bool {
    keys[left].lexicographicallyPrecedes(keys[right])
  }
}
