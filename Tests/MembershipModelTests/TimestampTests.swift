import LedgerTestSupport
import MembershipModel
import Testing

@Suite struct `A timestamp` {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("1970-01-01", 0), ("2026-11-30T12:00:00Z", 1_796_040_000_000),
    ("2026-11-30t12:00:00z", 1_796_040_000_000), ("2026-11-30 12:00:00Z", 1_796_040_000_000),
    ("2026-11-30T12:00:00.5Z", 1_796_040_000_500), ("2026-11-30T12:00:00.1239Z", 1_796_040_000_123),
    ("2026-11-30T12:00:00.000000000001Z", 1_796_040_000_000),
    ("2026-11-30T14:00:00+02:00", 1_796_040_000_000),
    ("2026-11-30T06:30:00-05:30", 1_796_040_000_000),
    ("2026-11-30T12:00:00-00:00", 1_796_040_000_000), ("2000-02-29", 951_782_400_000),
    ("2024-02-29", 1_709_164_800_000), ("1969-12-31T23:59:59.999Z", -1),
    ("0001-01-01T00:00:00Z", -62_135_596_800_000),
    ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    ("2016-12-31T23:59:60Z", 1_483_228_800_000), ("2017-01-01T00:59:60+01:00", 1_483_228_800_000),
  ])
  func `reads RFC 3339 and dates`(text: String, milliseconds: Int64) throws {
    #expect(try Timestamp(parsing: text).milliseconds == milliseconds)
  }

  @Test(arguments: [
    "", "now", "2026", "2026-11", "2026-11-30T", "2026-11-30T12:00Z", "2026-11-30T12:00:00",
    "2026-11-30T12:00:00.Z", "2026-11-30T24:00:00Z", "2026-11-30T12:60:00Z", "2026-11-30T12:00:61Z",
    "2026-11-30T12:00:60Z", "2026-11-31", "2026-00-10", "2026-13-10", "2026-01-00", "2023-02-29",
    "1900-02-29", "2100-02-29", "2026-11-30T12:00:00+24:00", "2026-11-30T12:00:00+2:00",
    "2026-11-30T12:00:00+0200", "2026-11-30T12:00:00ZZ", " 2026-11-30", "2026-11-30Z",
    "0000-12-31T23:59:59Z", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01",
    "10000-01-01", "-001-01-01", "２０２６-11-30", "2026-1٣-30",
  ])
  func `refuses what is neither`(text: String) {
    #expect(throws: InvalidValue.self) { try Timestamp(parsing: text) }
  }

  @Test func `says what it expects`() {
    #expect(
      throws: InvalidValue(
        value: "soon", rule: "a time is RFC 3339 such as 2026-11-30T12:00:00Z, or a date")
    ) { try Timestamp(parsing: "soon") }
  }

  @Test func `prints what it reads, over all years`() throws {
    var random = SeededGenerator(seed: freshSeed())
    let range = Timestamp.earliest.milliseconds...Timestamp.latest.milliseconds
    for _ in 0..<20_000 {
      let instant = Timestamp(milliseconds: Int64.random(in: range, using: &random))
      if try Timestamp(parsing: instant.description) != instant {
        Issue.record("another instant comes back from \(instant)")
      }
    }
  }

  @Test func `counts the days of four centuries one by one`() throws {
    var days: Int64 = -135_140
    for year in 1600...2000 {
      let isLeap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
      for (month, length) in zip(
        1..., [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])
      {
        let text = "\(year)-\(month < 10 ? "0" : "")\(month)-01"
        let midnight = Timestamp(milliseconds: days * 86_400_000)
        if try Timestamp(parsing: text) != midnight || !midnight.description.hasPrefix(text) {
          Issue.record("\(text) is not day \(days)")
        }
        days += Int64(length)
      }
    }
  }

  @Test func `never leaves the range of its type`() {
    #expect(Timestamp(seconds: .max) == .distantFuture)
    #expect(Timestamp(seconds: .min) == .distantPast)
    #expect(Timestamp(milliseconds: .max - 1).adding(milliseconds: 2) == .distantFuture)
    #expect(Timestamp(milliseconds: .min + 1).adding(milliseconds: -2) == .distantPast)
    #expect(Timestamp.distantFuture.adding(milliseconds: -1) == .distantFuture)
    #expect(Timestamp.distantPast.description == "0001-01-01T00:00:00.000Z")
    #expect(Timestamp.distantFuture.description == "9999-12-31T23:59:59.999Z")
  }
}

@Suite struct `A period` {
  @Test func `holds its start and not its end`() {
    let period = Period(start: Timestamp(milliseconds: 10), end: Timestamp(milliseconds: 20))
    #expect(period.contains(Timestamp(milliseconds: 10)))
    #expect(period.contains(Timestamp(milliseconds: 19)))
    #expect(!period.contains(Timestamp(milliseconds: 20)))
    #expect(!period.contains(Timestamp(milliseconds: 9)))
  }

  @Test func `of no length holds nothing`() {
    let period = Period(start: Timestamp(milliseconds: 10), end: Timestamp(milliseconds: 10))
    #expect(period.isEmpty)
    #expect(!period.contains(period.start))
  }
}
