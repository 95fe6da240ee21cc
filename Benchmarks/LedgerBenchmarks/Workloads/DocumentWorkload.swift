import MembershipProviders

/// Documents verified and mapped to facts, beside OpenSSL checking the same signatures in C.
struct DocumentWorkload: Workload {
  static let name = "documents"
  static let summary =
    "providers' documents to facts beside the bare check of their signatures in C"

  private let options: Options
  private let providers: [(name: String, signed: SignedDocuments)]

  init(_ options: Options, _ scratch: Scratch) throws {
    self.options = options
    providers = [
      ("Stripe, HMAC-SHA256", try .stripe()), ("Voidhash, HMAC-SHA256", try .voidhash()),
      ("RevenueCat, HMAC-SHA256", try .revenueCat()),
      ("App Store, ES256 and a chain of three", try .appStore()),
    ]
  }

  func measure() throws -> [Section] {
    try providers.map { name, signed in
      let documents = signed.documents
      let count = documents.count
      let repeats = options.isSmoke ? 1 : max(2000 / max(count, 1), 1)
      let contenders = [
        Contender(name: "C: OpenSSL checks the signatures") {
          (0..<repeats).reduce(0) { sum, _ in sum + signed.check() }
        },
        Contender(name: "verified and mapped to facts") {
          var sum = 0
          for _ in 0..<repeats {
            for document in documents {
              if case .events(let events) = signed.adapter.read(document), !events.isEmpty {
                sum += 1
              }
            }
          }
          return sum
        },
      ]
      let items = count * repeats
      let rows = try interleave(
        contenders, rounds: max(options.rounds / 2, 1), items: items, expecting: items)
      return Section(
        title: name,
        conditions: "\(count) documents of \(signed.byteCount / max(count, 1)) bytes on average, "
          + Clock.processor.rawValue,
        item: "document", rows: rows)
    }
  }
}
