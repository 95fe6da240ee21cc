/// A map whose entries lie in the order of their keys, so that equal maps have equal wire forms.
package struct SortedMap<Key: FieldValue & Comparable, Value: FieldValue>: Hashable, Sendable {
  package var entries: [Entry] = []

  package struct Entry: Hashable, Sendable {
    package var key: Key
    package var value: Value
    package var unknownFields = UnknownFields()
  }

  package init() {}

  package var isEmpty: Bool { entries.isEmpty }
  // Closures, since a key path is made anew at run time where the code is generic.
  package var keys: some Sequence<Key> { entries.lazy.map { $0.key } }
  package var values: some Sequence<Value> { entries.lazy.map { $0.value } }

  package subscript(key: Key) -> Value? {
    let index = firstIndex(notBefore: key)
    return index < entries.count && entries[index].key == key ? entries[index].value : nil
  }

  package subscript(key: Key, default initial: @autoclosure () -> Value) -> Value {
    get { self[key] ?? initial() }
    _modify {
      let index = firstIndex(notBefore: key)
      if index == entries.count || entries[index].key != key {
        entries.insert(Entry(key: key, value: initial()), at: index)
      }
      yield &entries[index].value
    }
  }

  package mutating func remove(_ key: Key) {
    let index = firstIndex(notBefore: key)
    if index < entries.count, entries[index].key == key { entries.remove(at: index) }
  }

  /// The entry with the greatest key not after the given one.
  package func last(notAfter key: Key) -> Entry? {
    lastIndex(notAfter: key).map { entries[$0] }
  }

  /// The place of the entry with the greatest key not after the given one.
  func lastIndex(notAfter key: Key) -> Int? {
    var index = firstIndex(notBefore: key)
    if index < entries.count, entries[index].key == key { index += 1 }
    return index > 0 ? index - 1 : nil
  }

  private func firstIndex(notBefore key: Key) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension SortedMap.Entry: FieldValue, Message {
  package static var messageName: String { "Entry" }
  package static var blank: Self { Self(key: .defaultValue, value: .defaultValue) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "key", &key)
    try visitor.field(2, "value", &value)
  }
}

extension FieldVisitor {
  mutating func field<Key, Value>(
    _ number: Int, _ name: String, _ map: inout SortedMap<Key, Value>
  ) throws(WireError) {
    try field(number, name, &map.entries)
  }
}

/// A set whose elements lie in order, so that equal sets have equal wire forms.
package struct SortedSet<Element: FieldValue & Comparable>: Hashable, Sendable {
  package internal(set) var elements: [Element] = []

  package init() {}

  package var isEmpty: Bool { elements.isEmpty }

  /// Adds the element; says whether it was new.
  @discardableResult
  package mutating func insert(_ element: Element) -> Bool {
    let index = elements.firstIndex { !($0 < element) } ?? elements.endIndex
    if index < elements.endIndex, elements[index] == element { return false }
    elements.insert(element, at: index)
    return true
  }
}

extension FieldVisitor {
  mutating func field<Element>(
    _ number: Int, _ name: String, _ set: inout SortedSet<Element>
  ) throws(WireError) {
    try field(number, name, &set.elements)
  }
}
