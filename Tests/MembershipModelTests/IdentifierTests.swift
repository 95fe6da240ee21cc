import LedgerTestSupport
import MembershipModel
import Testing

@Suite struct `An identifier` {
  @Test func `has 1 to 511 bytes of UTF-8`() throws {
    #expect(throws: InvalidValue.self) { try CustomerID(String()) }
    #expect(try CustomerID(String(repeating: "a", count: 1)).rawValue == "a")
    #expect(try CustomerID(String(repeating: "a", count: 511)).rawValue.count == 511)
    #expect(throws: InvalidValue.self) { try CustomerID(String(repeating: "a", count: 512)) }
    #expect(try CustomerID(String(repeating: "é", count: 255)).rawValue.count == 255)
    #expect(throws: InvalidValue.self) { try CustomerID(String(repeating: "é", count: 256)) }
  }

  @Test func `has no control characters`() throws {
    for value: UInt8 in 0...0xff {
      let scalar = Unicode.Scalar(value)
      let text = "a" + String(Character(scalar)) + "b"
      let isControl = scalar.properties.generalCategory == .control
      #expect(((try? CustomerID(text)) == nil) == isControl, "U+\(String(value, radix: 16))")
    }
    for text in ["日本", "\u{c2}\u{ff}", "\u{2080}", "a b", "🎈"] {
      #expect(try CustomerID(text).rawValue == text)
    }
  }

  @Test func `is another where its bytes are, though it looks the same`() {
    let pairs = [("\u{e9}", "e\u{301}"), ("K", "\u{212a}"), ("\u{1e69}", "s\u{323}\u{307}")]
    for (left, right) in pairs {
      #expect(left == right)
      #expect(CustomerID(unchecked: left) != CustomerID(unchecked: right))
      #expect(Set([CustomerID(unchecked: left), CustomerID(unchecked: right)]).count == 2)
    }
    #expect(CustomerID(unchecked: "é") == CustomerID(unchecked: "é"))
  }

  @Test func `sorts by its bytes`() {
    let sorted: [CustomerID] = ["", "a", "a:", "aa", "b", "é", "日", "🎈"].map {
      CustomerID(unchecked: $0)
    }
    #expect(sorted.reversed().sorted() == sorted)
  }

  @Test func `is named in the error, shortened`() {
    let long = String(repeating: "a", count: 600)
    #expect(
      throws: InvalidValue(
        value: long, rule: "an identifier has at most 511 bytes of UTF-8")
    ) { try CustomerID(long) }
    #expect(InvalidValue(value: long, rule: "").value.count == 81)
  }

  @Test func `of our own is a UUID of version 7`() {
    var random = SeededGenerator(seed: 1)
    let identifier: EventID = .make(
      at: Timestamp(milliseconds: 0x0123_4567_89ab), using: &random)
    let parts = identifier.rawValue.split(separator: "-").map(String.init)
    #expect(parts.map(\.count) == [8, 4, 4, 4, 12])
    #expect(parts[0] + parts[1] == "0123456789ab")
    #expect(parts[2].first == "7")
    #expect("89ab".contains(parts[3].first ?? " "))
    var again = SeededGenerator(seed: 1)
    #expect(identifier == .make(at: Timestamp(milliseconds: 0x0123_4567_89ab), using: &again))
  }

  @Test func `of our own sorts by time and is new each time`() {
    var random = SeededGenerator(seed: freshSeed())
    let made: [EventID] = (0..<2000).map {
      .make(at: Timestamp(milliseconds: 1_700_000_000_000 + Int64($0)), using: &random)
    }
    #expect(made.sorted() == made)
    let same: Set<EventID> = Set(
      (0..<2000).map { _ in .make(at: Timestamp(milliseconds: 5), using: &random) })
    #expect(same.count == 2000)
  }

  @Test func `of our own holds times within the range of a UUID`() {
    var random = SeededGenerator(seed: 1)
    let first: EventID = .make(at: .distantPast, using: &random)
    let last: EventID = .make(at: .distantFuture, using: &random)
    #expect(first.rawValue.hasPrefix("00000000-0000-7"))
    #expect(last.rawValue.hasPrefix("ffffffff-ffff-7"))
  }
}
