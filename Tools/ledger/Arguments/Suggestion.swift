/// The word that was probably meant by a mistyped one, if any is near enough.
func nearest(to word: String, among candidates: [String]) -> String? {
  let limit = max(1, min(3, word.count / 3))
  let ranked = candidates.map { (candidate: $0, distance: editDistance(word, $0)) }
  let close = ranked.filter { $0.distance <= limit }.min { $0.distance < $1.distance }
  if let close { return close.candidate }
  let longer = candidates.filter { word.count >= 2 && $0.hasPrefix(word) }
  return longer.count == 1 ? longer.first : nil
}

/// The number of insertions, deletions, replacements and swaps of neighbours between two words.
func editDistance(_ first: String, _ second: String) -> Int {
  let first = Array(first.lowercased())
  let second = Array(second.lowercased())
  var beforeLast: [Int] = []
  var last = Array(0...second.count)
  for (row, character) in first.enumerated() {
    var current = [row + 1]
    for (column, other) in second.enumerated() {
      var distance = min(
        last[column + 1] + 1, current[column] + 1, last[column] + (character == other ? 0 : 1))
      if row > 0, column > 0, character == second[column - 1], other == first[row - 1] {
        distance = min(distance, beforeLast[column - 1] + 1)
      }
      current.append(distance)
    }
    beforeLast = last
    last = current
  }
  return last[second.count]
}
