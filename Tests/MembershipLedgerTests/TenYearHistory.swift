import LedgerTestSupport
import MembershipLedger

/// Ten years of a service's members, made from a seed, and what follows from them by a plain rule.
///
/// Each member buys one subscription, renews it for as long as it likes, and may be late in being
/// reported, have a payment refunded, cancel, and come back.
struct TenYearHistory {
  /// What a document says of a member: a period paid for, or that something is over.
  enum Word {
    case paid(Period, invoice: Int)
    case refunded(invoice: Int, at: Timestamp)
    case ended(at: Timestamp)
  }

  struct Entry {
    let member: Int
    let writtenAt: Timestamp
    let arrivesAt: Timestamp
    let word: Word
  }

  static let length: Int64 = 3650
  private(set) var entries: [Entry] = []
  private var random: SeededGenerator

  init(members: Int, seed: UInt64) {
    random = SeededGenerator(seed: seed)
    for member in 0..<members { live(member) }
    entries.sort { ($0.arrivesAt, $0.member) < ($1.arrivesAt, $1.member) }
  }

  private mutating func live(_ member: Int) {
    let step: Int64 = Int.random(in: 0..<12, using: &random) == 0 ? 30 : 365
    var start = Int64.random(in: 0..<1500, using: &random)
    var invoice = 0
    while start < Self.length {
      invoice += 1
      let period = Period(start: day(start), end: day(start + step))
      add(member, at: start, .paid(period, invoice: invoice))
      switch Int.random(in: 0..<(step == 30 ? 160 : 16), using: &random) {
      case 0:
        let at = start + Int64.random(in: 1..<step, using: &random)
        add(member, at: at, .refunded(invoice: invoice, at: day(at)))
        start += step
      case 1:
        let at = start + Int64.random(in: 1..<step, using: &random)
        add(member, at: at, .ended(at: day(at)))
        start = at + Int64.random(in: 0..<500, using: &random)
      case 2:
        start += step + Int64.random(in: 1..<300, using: &random)
      default:
        start += step
      }
    }
  }

  /// Most documents come at once, some days late.
  private mutating func add(_ member: Int, at written: Int64, _ word: Word) {
    let delay =
      Int.random(in: 0..<8, using: &random) == 0 ? Int64.random(in: 1..<40, using: &random) : 0
    entries.append(
      Entry(member: member, writtenAt: day(written), arrivesAt: day(written + delay), word: word))
  }

  static func customer(_ member: Int) -> CustomerID { CustomerID(stringLiteral: "user_\(member)") }

  /// The event of the entry at an index; it lies one position behind the catalog's.
  func event(_ index: Int) -> Event {
    let entry = entries[index]
    let membership = MembershipID(stringLiteral: "stripe:sub_\(entry.member)")
    let amount = Money(minorUnits: 999, currency: "USD")
    func reference(_ invoice: Int) -> ReferenceID {
      ReferenceID(stringLiteral: "stripe:in_\(entry.member)_\(invoice)")
    }
    let fact: Fact
    switch entry.word {
    case .paid(let period, let invoice):
      let transaction = Transaction(
        id: TransactionID(stringLiteral: "\(reference(invoice))/si"),
        offer: Offer(product: "prod_basic"), period: period, kind: .paid, amount: amount)
      fact = Fact(.renewed(transaction), membership: membership, references: [reference(invoice)])
    case .refunded(let invoice, let instant):
      let refund = Refund(amount: amount, paid: amount, at: instant)
      fact = Fact(.refunded(refund), references: [reference(invoice)])
    case .ended(let instant):
      fact = Fact(.ended(End(at: instant, reason: .cancelled)), membership: membership)
    }
    return Event(
      id: EventID(stringLiteral: "stripe:evt_\(index)"), provider: .stripe,
      effectiveAt: entry.writtenAt, customer: Self.customer(entry.member),
      account: AccountID(stringLiteral: "stripe:cus_\(entry.member)"), facts: [fact])
  }

  /// Whether a member has access at an instant, by the first entries alone: some period paid for
  /// holds the instant, its payment was not given back by then, and nothing ended it by then.
  static func hasAccess(_ words: some Sequence<Word>, at instant: Timestamp) -> Bool {
    var given: [Int: Period] = [:]
    var refunds: [Int: Timestamp] = [:]
    var ends: [Timestamp] = []
    for word in words {
      switch word {
      case .paid(let period, let invoice): given[invoice] = period
      case .refunded(let invoice, let at): refunds[invoice] = at
      case .ended(let at): ends.append(at)
      }
    }
    return given.contains { invoice, period in
      period.start <= instant && instant < period.end
        && refunds[invoice].map { instant < $0 } ?? true
        && !ends.contains { period.start < $0 && $0 <= instant }
    }
  }
}
