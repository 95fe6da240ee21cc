import MembershipModel
import Testing

@Suite struct `A duration added to an instant` {
  private static let cases: [(start: String, duration: String, end: String)] = [
    ("2026-01-31T10:00:00Z", "P1M", "2026-02-28T10:00:00Z"),
    ("2028-01-31T10:00:00Z", "P1M", "2028-02-29T10:00:00Z"),
    ("2028-02-29T00:00:00Z", "P1Y", "2029-02-28T00:00:00Z"),
    ("2026-12-15T00:00:00Z", "P1M", "2027-01-15T00:00:00Z"),
    ("2026-11-30T12:00:00.123Z", "P3M", "2027-02-28T12:00:00.123Z"),
    ("2026-01-31T00:00:00Z", "P1M1D", "2026-03-01T00:00:00Z"),
    ("2026-01-01T00:00:00Z", "P1W", "2026-01-08T00:00:00Z"),
    ("2026-01-01T00:00:00Z", "P1Y2M3DT4H5M6S", "2027-03-04T04:05:06Z"),
    ("1969-12-31T23:59:59.999Z", "P1M", "1970-01-31T23:59:59.999Z"),
    ("0001-01-31T00:00:00Z", "P1M", "0001-02-28T00:00:00Z"),
  ]

  @Test(arguments: cases)
  func `goes by the calendar of UTC`(start: String, duration: String, end: String) throws {
    let moved = try Timestamp(parsing: start).adding(CalendarDuration(parsing: duration))
    #expect(moved == (try Timestamp(parsing: end)))
  }

  @Test(arguments: ["P8000Y", "P999999999999999999Y", "P3000000D", "PT9223372036854775807S"])
  func `does not go beyond the year 9999`(duration: String) throws {
    let start = try Timestamp(parsing: "2026-01-01T00:00:00Z")
    #expect(start.adding(try CalendarDuration(parsing: duration)) == nil)
  }

  @Test func `ends at the last instant of the year 9999 at the latest`() throws {
    let start = try Timestamp(parsing: "9999-12-31T23:59:58.999Z")
    #expect(start.adding(try CalendarDuration(parsing: "PT1S")) == .latest)
    #expect(start.adding(try CalendarDuration(parsing: "PT2S")) == nil)
  }
}
