import Foundation
import LedgerTestSupport
import MembershipModel
import Testing

/// A ledger of a test's own, worked on by the built program.
struct LedgerFolder {
  let scratch: String

  var path: String { "\(scratch)/membership.ledger" }

  /// Runs the body with an empty ledger.
  static func with(_ body: (LedgerFolder) throws -> Void) throws {
    try withScratchFolder { scratch in
      let folder = LedgerFolder(scratch: scratch)
      try #require(try folder.run("init").status == 0)
      try body(folder)
    }
  }

  /// Runs the body with a ledger that has a catalog, and one customer with a paid month from
  /// 2026-01-01 to 2026-02-01 and an account at Stripe.
  static func withMembership(_ body: (LedgerFolder) throws -> Void) throws {
    try with { folder in
      let catalog = try folder.file("catalog.json", CommandFixture.catalog)
      try #require(try folder.run("catalog", "apply", catalog).status == 0)
      let events = CommandFixture.paidMonth.map { $0 + "\n" }.joined()
      let result = try folder.run("ingest", "stripe", "--trust-unsigned", input: events)
      try #require(result.status == 0, "\(result.output)\(result.errors)")
      try body(folder)
    }
  }

  func run(_ arguments: String..., input: String = "") throws -> LedgerProcess {
    try run(arguments, input: input)
  }

  func run(_ arguments: [String], input: String = "") throws -> LedgerProcess {
    try LedgerProcess.run(
      LedgerProcess.executable, ["--ledger", path] + arguments, input: input,
      environment: ["USER": "tester"])
  }

  /// The document that a command prints with `--json`.
  func json(
    _ arguments: String..., status: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> JSONValue {
    let result = try LedgerProcess.run(
      LedgerProcess.executable, ["--ledger", path, "--json"] + arguments,
      environment: ["USER": "tester"])
    #expect(result.status == status, "\(result.errors)", sourceLocation: sourceLocation)
    return try JSONValue(parsing: Array(result.output.utf8))
  }

  /// Writes a file and gives its path.
  func file(_ name: String, _ text: String) throws -> String {
    let path = "\(scratch)/\(name)"
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }
}

extension LedgerProcess {
  /// The lines of JSON on standard output.
  func jsonLines() throws -> [JSONValue] {
    try output.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
  }
}

extension JSONValue {
  /// The names of an object's fields, in order.
  var keys: [String] { fields?.map(\.key) ?? [] }

  /// The value without what differs from run to run: recorded times, digests and ids of ours.
  var comparable: JSONValue {
    switch self {
    case .array(let values): .array(values.map(\.comparable))
    case .object(let fields):
      .object(
        fields.map { field in
          let varies = ["recordedAt", "document", "root"].contains(field.key)
          return Field(
            field.key,
            varies && !field.value.isNull ? .string("…") : field.value.comparable)
        })
    case .string(let text) where text.wholeMatch(of: /manual:[0-9a-f-]{36}/) != nil:
      .string("manual:…")
    default: self
    }
  }
}

/// Documents in Stripe's shape for the tests of the command.
enum CommandFixture {
  static let catalog = """
    {"entitlements":[{"key":"premium_tier","name":"Premium"}],"products":[{"id":"prod_pro",\
    "name":"Pro","entitlements":["premium_tier"],"stores":[{"provider":"stripe",\
    "product":"prod_A"}]}],"plans":[{"id":"monthly","product":"prod_pro","title":"Monthly",\
    "type":"renewal","period":"P1M","price":{"amount":"9.99","currency":"USD"},\
    "stores":[{"provider":"stripe","price":"price_1"}]}]}
    """

  /// 2026-01-01T00:00:00Z and 2026-02-01T00:00:00Z.
  static let (start, end) = (1_767_225_600, 1_769_904_000)

  static let item = """
    {"id":"si_1","object":"subscription_item","current_period_start":\(start),\
    "current_period_end":\(end),"price":{"id":"price_1","object":"price","product":"prod_A",\
    "currency":"usd","unit_amount":999},"quantity":1}
    """

  static let subscription = """
    {"id":"sub_1","object":"subscription","customer":"cus_1","status":"active",\
    "cancel_at":null,"cancel_at_period_end":false,"canceled_at":null,"ended_at":null,\
    "created":\(start),"start_date":\(start),"items":{"object":"list","data":[\(item)],\
    "has_more":false},"livemode":true,"metadata":{"customer_id":"user_42"},\
    "pause_collection":null,"trial_start":null,"trial_end":null}
    """

  static let invoice = """
    {"id":"in_1","object":"invoice","customer":"cus_1","status":"paid","amount_due":999,\
    "amount_paid":999,"billing_reason":"subscription_create","created":\(start),\
    "currency":"usd","livemode":true,"lines":{"object":"list","has_more":false,"data":[{\
    "id":"il_1","object":"line_item","amount":999,"currency":"usd","period":{"start":\(start),\
    "end":\(end)},"quantity":1,"parent":{"type":"subscription_item_details",\
    "subscription_item_details":{"proration":false,"subscription":"sub_1",\
    "subscription_item":"si_1"}},"pricing":{"type":"price_details","price_details":{\
    "price":"price_1","product":"prod_A"},"unit_amount_decimal":"999"}}]},"parent":{\
    "type":"subscription_details","subscription_details":{"subscription":"sub_1"}},\
    "status_transitions":{"finalized_at":\(start),"paid_at":\(start)}}
    """

  static func event(
    _ id: String, _ type: String, at created: Int = start, _ object: String
  ) -> String {
    """
    {"id":"\(id)","object":"event","created":\(created),"type":"\(type)","livemode":true,\
    "data":{"object":\(object)}}
    """
  }

  static let paidMonth = [
    event("evt_1", "customer.subscription.created", subscription),
    event("evt_2", "invoice.paid", invoice),
  ]
}
