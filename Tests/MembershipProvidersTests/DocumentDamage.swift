import LedgerTestSupport
import MembershipModel
import MembershipProviders
import Testing

/// Documents damaged at random must be read to events that can be recorded, or be refused.
struct DocumentDamage {
  let adapter: any ProviderAdapter
  /// What is put in the place of any field.
  let poison: [JSONValue]

  static let poison: [JSONValue] = [
    .null, true, false, 0, 1, -1, .integer(.max), .integer(.min), 253_402_300_800, -62_135_596_801,
    "", "x", "\u{0}", "2026-01-01", "9999-12-31T23:59:59.999Z", "0001-01-01T00:00:00Z", [], [:],
    [[]], [nil], [[:]], ["id": nil], ["id": 5], .string(String(repeating: "ä", count: 300)),
    "active", "canceled", "1e999", "-1",
  ]

  /// Replaces or removes fields of the document, many times over.
  func damageFields(of document: JSONValue, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<20 {
      var damaged = document
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        damaged = damage(damaged, using: &random)
      }
      try expectSound(Array(damaged.text().utf8), seed)
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

  /// Cuts the document off at many a byte, and changes bytes of it.
  func damageBytes(of document: JSONValue, seed: UInt64) throws {
    let bytes = Array(document.text().utf8)
    for end in stride(from: 0, to: bytes.count, by: 7) {
      try expectSound(Array(bytes[..<end]), seed)
    }
    var random = SeededGenerator(seed: seed)
    for _ in 0..<50 {
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
    let instant = Timestamp(seconds: 1_772_323_200)
    let document = ProviderDocument(
      body: body, receivedAt: instant, observedAt: body.count.isMultiple(of: 2) ? instant : nil)
    guard case .events(let events) = adapter.read(document) else { return }
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
