/// A value that states what was seen of one thing, and can be put together with what others saw.
///
/// `join` is commutative, associative and idempotent: neither the order nor the number of times
/// matters.
package protocol Joinable: FieldValue {
  mutating func join(_ other: Self)
}

extension SortedMap where Value: Joinable {
  package mutating func join(_ other: SortedMap) {
    for entry in other.entries { self[entry.key, default: entry.value].join(entry.value) }
  }
}
