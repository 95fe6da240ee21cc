import LedgerTestSupport
import MembershipLedger
import Testing

private typealias Hook = StripeHook

@Suite("Law 17: nothing personal in the log") struct PersonalTests {
  private static let personal = ["Ada", "Lovelace", "ada@example.com", "+4930123456", "Wilhelmstr"]

  private static let details = """
    {"name": "Ada Lovelace", "email": "ada@example.com", "phone": "+4930123456",
     "address": {"line1": "Wilhelmstr. 1", "city": "Berlin", "postal_code": "10117"}}
    """

  @Test func `names, addresses and e-mails of documents are not in the log's file`() throws {
    let personal: [String: String] = [
      "customer_email": "\"ada@example.com\"", "customer_name": "\"Ada Lovelace\"",
      "customer_phone": "\"+4930123456\"", "customer_details": Self.details,
      "description": "\"for Ada Lovelace\"", "receipt_email": "\"ada@example.com\"",
      "shipping": Self.details, "metadata": #"{"note": "Ada Lovelace", "mail": "ada@example.com"}"#,
    ]
    let customer = String(Self.details.dropLast()) + #", "id": "cus_1", "object": "customer"}"#
    let hooks = [
      Hook(
        "created", "customer.subscription.created", at: 1,
        Hook.subscription("active", changing: personal)),
      Hook("paid", "invoice.paid", at: 1, Hook.invoice(changing: personal)),
      Hook(
        "checkout", "checkout.session.completed", at: 1,
        Hook.checkout(mode: "payment", paymentStatus: "paid", changing: personal)),
      Hook("customer", "customer.updated", at: 1, customer, previous: Self.details),
      Hook("unknown", "some.new.type", at: 1, Self.details),
      Hook.deleted(at: 9, personal),
    ]
    try withScratchFolder { folder in
      let ledger = try Ledger.create(folder + "/ledger")
      for hook in hooks {
        for event in hook.events() { try ledger.add(event, document: hook.body) }
      }
      #expect(try ledger.lastPosition() == 6)
      let events = try ledger.events()
      for (event, hook) in zip(events, hooks) {
        #expect(try ledger.document(of: event) == hook.body)
      }
      let bytes = try PersonalTests.file(folder + "/ledger/log/data.mdb")
      #expect(bytes.contains("stripe:cus_1"))
      for word in Self.personal { #expect(!bytes.contains(word), "\(word)") }
    }
  }

  private static func file(_ path: String) throws -> Haystack {
    Haystack(bytes: try [UInt8](contentsOf: path))
  }
}
