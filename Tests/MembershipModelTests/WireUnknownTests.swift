import LedgerTestSupport
import Testing

@testable import MembershipModel

@Suite struct `Fields and facts of newer versions` {
  private static let strangers: [[UInt8]] = [
    wireField(40, text: "of a newer version"), wireField(63, varint: .max),
    wireField(100_000, content: []), wireField(536_870_911, varint: 0),
    [0xc5, 0x02, 1, 2, 3, 4], [0xc1, 0x02, 1, 2, 3, 4, 5, 6, 7, 8],
  ]

  @Test func `unknown fields inserted anywhere survive as they stood`() throws {
    var generator = EventGenerator(seed: freshSeed())
    for fact in Fact.Body.known {
      let transaction = generator.event(of: [fact.name])
      var fields = try WireFields(transaction.encoded())
      let inserted = Self.strangers.shuffled(using: &generator.random)
      var index = 0
      for stranger in inserted {
        index = Int.random(in: index...fields.all.count, using: &generator.random)
        fields.all.insert(stranger, at: index)
        index += 1
      }
      let decoded = try Event(decoding: fields.bytes)
      #expect(decoded.unknownFields.bytes == Array(inserted.joined()))
      #expect(try Event(decoding: decoded.encoded()) == decoded)
    }
  }

  @Test func `a record of a newer version round trips byte for byte`() throws {
    var generator = EventGenerator(seed: freshSeed())
    for fact in Fact.Body.known {
      let fact = generator.fact(fact.name)
      let payload = try #require(fact.body.payload).encoded() + wireField(60, text: "new")
      let newer =
        wireField(1, text: "stripe:sub_1") + wireField(2, text: "stripe:in_1")
        + wireField(fact.body.number, content: payload) + wireField(127, varint: 5)
      let event =
        wireField(1, text: "stripe:evt_1") + wireField(2, text: "stripe")
        + wireField(3, varint: 1) + wireField(10, content: newer) + wireField(11, text: "new")
      let record =
        wireField(1, varint: 1) + wireField(3, content: event) + wireField(9, content: [1])
      #expect(try RecordedEvent(decoding: record).encoded() == record)
    }
  }

  @Test func `an unknown fact is kept whole and is no fact of ours`() throws {
    let bytes =
      wireField(1, text: "stripe:sub_1") + wireField(30, content: [8, 1, 18, 1, 65])
    let fact = try Fact(decoding: bytes)
    #expect(fact.body == .unrecognized)
    #expect(fact.body.name == "unrecognized")
    #expect(fact.membership == "stripe:sub_1")
    #expect(fact.encoded() == bytes)
  }

  @Test func `an unknown value is kept by its number`() throws {
    for number in [9, 4_294_967_296, UInt64.max] {
      let bytes = wireField(1, varint: number) + wireField(2, text: "by hand")
      let verification = try Verification(decoding: bytes)
      #expect(verification.verdict == .unrecognized(Int64(bitPattern: number)))
      #expect(verification.encoded() == bytes)
    }
  }
}

@Suite struct `Bytes that are no record` {
  private func fault(_ bytes: [UInt8]) -> WireError? {
    do {
      _ = try Money(decoding: bytes)
      return nil
    } catch {
      return error
    }
  }

  private let currency = wireField(2, text: "EUR")

  @Test func `a negative number takes ten bytes and comes back`() throws {
    let money = Money(minorUnits: -1, currency: "EUR")
    let bytes = [0x08] + [UInt8](repeating: 0xff, count: 9) + [0x01] + currency
    #expect(money.encoded() == bytes)
    #expect(try Money(decoding: bytes) == money)
    let least = Money(minorUnits: .min, currency: "EUR")
    #expect(try Money(decoding: least.encoded()) == least)
  }

  @Test func `a varint beyond 64 bits is malformed`() {
    let ff = [UInt8](repeating: 0xff, count: 9)
    #expect(fault([0x08] + ff + [0x02] + currency) == .malformed)
    #expect(fault([0x08] + ff + [0xff, 0x01] + currency) == .malformed)
    #expect(fault([0x08] + ff) == .truncated)
  }

  @Test func `a varint in more bytes than it needs is read`() {
    #expect(fault([0x08, 0x81, 0x80, 0x00] + currency) == nil)
  }

  @Test func `a length beyond the end is truncated`() {
    #expect(fault([0x12, 0x04, 0x45, 0x55, 0x52]) == .truncated)
    #expect(fault([0x12] + [UInt8](repeating: 0xff, count: 9) + [0x01]) == .truncated)
  }

  @Test func `groups, unused wire types and field zero are malformed`() {
    for byte: UInt8 in [0x0b, 0x0c, 0x0e, 0x0f, 0x00, 0x02] {
      #expect(fault([byte, 0x00] + currency) == .malformed)
    }
    #expect(fault(wireField(1, text: "a") + currency) == .malformed)
    #expect(fault(wireField(2, varint: 1)) == .malformed)
  }

  @Test func `a field number beyond protobuf's is malformed`() {
    #expect(fault([0x80, 0x80, 0x80, 0x80, 0x10, 0x00] + currency) == .malformed)
  }

  @Test func `text that is not UTF-8 is refused`() {
    for content: [UInt8] in [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]] {
      #expect(
        fault(wireField(2, content: content)) == .invalid(field: "string", rule: "text is UTF-8"))
    }
  }

  @Test func `a single field that stands twice is refused`() {
    #expect(fault(currency + currency) == .repeated(field: 2))
    #expect(fault(currency + wireField(1, varint: 1) + currency) == .repeated(field: 2))
    let two = wireField(24, content: wireField(1, text: "a"))
    #expect(throws: WireError.repeated(field: 25)) {
      try Fact(decoding: two + wireField(25, content: wireField(1, text: "a")))
    }
  }

  @Test func `a missing required field is named`() {
    #expect(fault([]) == .invalid(field: "currency", rule: "it is required"))
    #expect(throws: WireError.invalid(field: "amount", rule: "it is required")) {
      try Refund(decoding: [])
    }
  }

  @Test func `an event of no year from 1 to 9999 is refused`() {
    for time in [Timestamp.distantPast, .distantFuture] {
      for event in [
        Event(id: "e", provider: .manual, effectiveAt: time, facts: []),
        Event(
          id: "e", provider: .manual, effectiveAt: Timestamp(milliseconds: 0),
          ordering: SourceOrdering(writtenAt: time), facts: []),
      ] {
        #expect(
          throws: WireError.invalid(
            field: "effectiveAt", rule: "a time lies in the years 1 to 9999")
        ) { try Event(decoding: event.encoded()) }
      }
    }
  }

  @Test func `an identifier that breaks the rules is refused`() {
    for text in ["", "a\u{7}", "a\u{85}", String(repeating: "a", count: 512)] {
      #expect(throws: WireError.self) { try CustomerErasure(decoding: wireField(1, text: text)) }
    }
  }

  @Test func `a message nested too deeply is refused`() {
    #expect(throws: WireError.tooDeep) { try Money(decoding: currency[...], depth: 16) }
  }
}
