import MembershipModel
import Testing

@testable import LedgerCommand

@Suite struct ValueTests {
  private static let times: [(text: String, milliseconds: Int64)] = [
    ("2026-12-03T10:00:00Z", 1_796_292_000_000), ("2026-12-03T12:00:00+02:00", 1_796_292_000_000),
    ("2026-12-03", 1_796_256_000_000), ("@1796292000", 1_796_292_000_000),
    ("@1796292000.5", 1_796_292_000_500), ("@-1.25", -1250), ("@0", 0), ("now", 42),
  ]

  @Test(arguments: times)
  func `a time is read in each of its forms`(text: String, milliseconds: Int64) throws {
    let present = Timestamp(milliseconds: 42)
    let time = try TimeValue(argument: text).instant(at: present)
    #expect(time.milliseconds == milliseconds)
  }

  @Test(arguments: [
    "", "@", "@x", "@1.", "@1.2345", "@+", "@99999999999999", "1796292000", "2026-13-01", "Now",
    "2026-12-03 10:00", "@1.-5",
  ])
  func `what is no time is refused with the forms that are`(text: String) {
    #expect(throws: ArgumentError.self) { try TimeValue(argument: text) }
  }

  @Test func `digits alone are a position, anything else a time`() throws {
    #expect(try LogPoint(argument: "120") == .position(120))
    #expect(try LogPoint(argument: "2026-12-03") == .time(try TimeValue(argument: "2026-12-03")))
    #expect(try LogPoint(argument: "now") == .time(.now))
    #expect(throws: ArgumentError.self) { try LogPoint(argument: "-1") }
    #expect(throws: ArgumentError.self) { try LogPoint(argument: "99999999999999999999") }
  }

  @Test func `an identifier keeps the model's rules`() throws {
    #expect(try CustomerID(argument: "stripe:cus_1") == "stripe:cus_1")
    #expect(throws: ArgumentError.self) { try CustomerID(argument: "a\u{7}") }
    let long = String(repeating: "x", count: 512)
    #expect(throws: ArgumentError.self) { try CustomerID(argument: long) }
  }
}
