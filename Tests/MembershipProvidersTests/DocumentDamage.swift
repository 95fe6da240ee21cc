import LedgerTestSupport
import MembershipModel
import MembershipProviders
import Testing

/// Documents damaged at random must be read to events that can be recorded, or be refused.
struct DocumentDamage: Sendable {
  /// What is put in the place of any field.
  let poison: [JSONValue]
  /// Reads a document.
  let read: @Sendable ([UInt8]) -> Reading

  static let poison: [JSONValue] = [
    .null, true, false, 0, 1, -1, .integer(.max), .integer(.min), 253_402_300_800, -62_135_596_801,
    "", "x", "\u{0}", "2026-01-01", "9999-12-31T23:59:59.999Z", "0001-01-01T00:00:00Z", [], [:],
    [[]], [nil], [[:]], ["id": nil], ["id": 5], .string(String(repeating: "ä", count: 300)),
    "active", "canceled", "1e999", "-1",
  ]

  init(poison: [JSONValue], read: @escaping @Sendable ([UInt8]) -> Reading) {
    self.poison = poison
    self.read = read
  }

  /// Reads with an adapter, some documents as fetched and some as sent.
  init(adapter: any ProviderAdapter, poison: [JSONValue]) {
    self.init(poison: poison) { body in
      let instant = Timestamp(seconds: 1_772_323_200)
      return adapter.read(
        ProviderDocument(
          body: body, receivedAt: instant, observedAt: body.count.isMultiple(of: 2) ? instant : nil)
      )
    }
  }

  /// Replaces or removes fields of the document, many times over.
  func damageFields(of document: JSONValue, seed: UInt64, times: Int = 20) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<times {
      var damaged = document
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        damaged = damage(damaged, using: &random)
      }
      try expectSound(damaged, seed)
    }
  }

  /// Puts each poison in the place of each top-level field and each field one level below.
  func poisonFields(of document: JSONValue) throws {
    for field in document.fields ?? [] {
      for value in poison {
        try expectSound(document.replacing(field.key, by: value), 0)
        for inner in field.value.fields ?? [] {
          let changed = field.value.with(.object([.init(inner.key, value)]))
          try expectSound(document.replacing(field.key, by: changed), 0)
        }
      }
    }
  }

  /// Puts each poison in the place of each node, however deep.
  func poisonNodes(of document: JSONValue) throws {
    for poisoned in variants(of: document) { try expectSound(poisoned, 0) }
  }

  /// Cuts the document off at many a byte.
  func cutOff(_ document: JSONValue, seed: UInt64 = 0) throws {
    let bytes = Array(document.text().utf8)
    for end in stride(from: 0, to: bytes.count, by: 7) {
      try expectSound(Array(bytes[..<end]), seed)
    }
  }

  /// Cuts the document off at many a byte, and changes bytes of it.
  func damageBytes(of document: JSONValue, seed: UInt64) throws {
    try cutOff(document, seed: seed)
    try changeBytes(of: document, seed: seed, times: 50)
  }

  /// Replaces, removes and adds bytes of the document, so many times over.
  func changeBytes(of document: JSONValue, seed: UInt64, times: Int) throws {
    let bytes = Array(document.text().utf8)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<times {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let index = damaged.indices.randomElement(using: &random) ?? 0
        switch Int.random(in: 0..<3, using: &random) {
        case 0: damaged[index] = UInt8.random(in: 0...255, using: &random)
        case 1: damaged.remove(at: index)
        default: damaged.insert(damaged.randomElement(using: &random) ?? 0, at: index)
        }
      }
      try expectSound(damaged, seed)
    }
  }

  private func expectSound(_ body: [UInt8], _ seed: UInt64) throws {
    guard case .events(let events) = read(body) else { return }
    for event in events {
      let record = event.encoded()
      // Decoding checks every rule of the model.
      let isSound =
        record.count < RecordedEvent.maximumSize && !event.facts.isEmpty
        && (try? Event(decoding: record))?.encoded() == record
      #expect(isSound, "seed \(seed): \(String(decoding: body, as: UTF8.self))")
    }
  }

  private func expectSound(_ document: JSONValue, _ seed: UInt64) throws {
    try expectSound(Array(document.text().utf8), seed)
  }

  /// The value with each of its nodes replaced by some poison in turn.
  private func variants(of value: JSONValue) -> [JSONValue] {
    var variants = poison
    for (index, field) in (value.fields ?? []).enumerated() {
      var fields = value.fields ?? []
      for variant in self.variants(of: field.value) {
        fields[index] = .init(field.key, variant)
        variants.append(.object(fields))
      }
    }
    for (index, element) in (value.array ?? []).enumerated() {
      var elements = value.array ?? []
      for variant in self.variants(of: element) {
        elements[index] = variant
        variants.append(.array(elements))
      }
    }
    return variants
  }

  /// Replaces or removes one node, reached by a random walk.
  private func damage(_ value: JSONValue, using random: inout SeededGenerator) -> JSONValue {
    let descends = Int.random(in: 0..<8, using: &random) > 0
    switch value {
    case .object(var fields) where descends && !fields.isEmpty:
      let index = Int.random(in: 0..<fields.count, using: &random)
      if Int.random(in: 0..<10, using: &random) == 0 {
        fields.remove(at: index)
      } else {
        fields[index] = .init(fields[index].key, damage(fields[index].value, using: &random))
      }
      return .object(fields)
    case .array(var elements) where descends && !elements.isEmpty:
      let index = Int.random(in: 0..<elements.count, using: &random)
      elements[index] = damage(elements[index], using: &random)
      return .array(elements)
    default:
      return poison.randomElement(using: &random) ?? .null
    }
  }
}

extension JSONValue {
  fileprivate func replacing(_ key: String, by value: JSONValue) -> JSONValue {
    with(.object([.init(key, value)]))
  }
}
