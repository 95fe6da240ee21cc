package import MembershipModel

/// Makes random valid events from a seed: every fact, every optional field present or absent.
///
/// It walks the fields of each message, so that a field that is added to the schema is covered at
/// once.
package struct EventGenerator {
  /// Whether optional fields are given and lists filled.
  package enum Extent {
    case random
    /// Everything is given; lists have two elements.
    case whole
  }

  package var random: SeededGenerator
  private let extent: Extent

  package init(seed: UInt64, extent: Extent = .random) {
    random = SeededGenerator(seed: seed)
    self.extent = extent
  }

  /// An event with one fact of each name; without names, with one to three facts of any kind.
  package mutating func event(of names: [String] = []) -> Event {
    var event = message(Event.self)
    event.facts = names.map { fact($0) }
    if names.isEmpty {
      event.facts = (1...Int.random(in: 1...3, using: &random)).map { _ in fact() }
    }
    event.provenance = message(Provenance.self)
    return event
  }

  package mutating func fact(_ name: String? = nil) -> Fact {
    let known = Fact.Body.known
    let number = known.first { $0.name == name }?.number
    var fact = Fact(.unrecognized)
    fact.body = Fact.Body.make(
      number: number ?? known[Int.random(in: known.indices, using: &random)].number, from: &self)
    fact.membership = isGiven() ? identifier() : nil
    fact.references = list { $0.identifier() }
    return fact
  }

  package mutating func record(of names: [String] = []) -> RecordedEvent {
    RecordedEvent(
      position: Position(UInt64.random(in: 1...1_000_000, using: &random)), recordedAt: instant(),
      event: event(of: names))
  }

  package mutating func identifier<Kind>() -> Identifier<Kind> {
    Identifier(unchecked: "\(provider().rawValue):\(word())")
  }

  private mutating func provider() -> Provider {
    Provider.known[Int.random(in: Provider.known.indices, using: &random)]
  }

  private mutating func instant() -> Timestamp {
    switch Int.random(in: 0..<20, using: &random) {
    case 0: .earliest
    case 1: .latest
    case 2: Timestamp(milliseconds: 0)
    default:
      Timestamp(
        milliseconds: Int64.random(in: 1_420_000_000_000...2_050_000_000_000, using: &random))
    }
  }

  private mutating func isGiven() -> Bool {
    extent == .whole || Bool.random(using: &random)
  }

  private mutating func list<Element>(_ make: (inout Self) -> Element) -> [Element] {
    let count = extent == .whole ? 2 : Int.random(in: 0...3, using: &random)
    return (0..<count).map { _ in make(&self) }
  }

  /// Letters and digits, at times of several bytes; short, and now and then long.
  private mutating func word() -> String {
    let letters = Array("abcdefghijklmnopqrstuvwxyzABCXYZ0123456789_-äßéλ日本🎈")
    let length = Int.random(in: 0..<20, using: &random) == 0 ? 90 : 12
    return String(
      (0..<Int.random(in: 1...length, using: &random)).map { _ in
        letters[Int.random(in: letters.indices, using: &random)]
      })
  }
}

extension EventGenerator: PayloadSource {
  package mutating func payload<Payload: Message>() -> Payload {
    message(Payload.self)
  }
}

extension EventGenerator: FieldVisitor {
  package mutating func field<Value: FieldValue>(
    _ number: Int, _ name: String, _ value: inout Value
  ) {
    value = make(Value.self)
  }

  package mutating func field<Value: FieldValue>(
    _ number: Int, _ name: String, _ value: inout Value?
  ) {
    value = isGiven() ? make(Value.self) : nil
  }

  package mutating func field<Value: FieldValue>(
    _ number: Int, _ name: String, _ value: inout [Value]
  ) {
    value = list { $0.make(Value.self) }
  }

  package mutating func body(_ body: inout Fact.Body) {
    body = fact().body
  }

  private mutating func make<Value: FieldValue>(_ type: Value.Type) -> Value {
    let made: any FieldValue =
      switch type {
      case is String.Type: word() + (Bool.random(using: &random) ? "" : " \"\\\n\u{1}\t'")
      case is Provider.Type: provider()
      case is Timestamp.Type: instant()
      case is Int64.Type: Int64.random(in: 0...10_000_000_000, using: &random)
      case is Bool.Type: Bool.random(using: &random)
      case is Bytes.Type: Bytes((0..<32).map { _ in UInt8.random(in: 0...255, using: &random) })
      case let type as any OpenEnum.Type: choice(type)
      case let type as any Message.Type: message(type)
      default: read(type)
      }
    guard let value = made as? Value else { preconditionFailure("\(type) is not made yet") }
    return value
  }

  private mutating func choice<Choice: OpenEnum>(_ type: Choice.Type) -> Choice {
    Choice.known[Int.random(in: Choice.known.indices, using: &random)].value
  }

  /// Identifiers and numbers, whatever their type, are read from their wire form.
  private mutating func read<Value: FieldValue>(_ type: Value.Type) -> Value {
    var writer = WireWriter()
    if Value.isLengthDelimited {
      (identifier() as EventID).encode(to: &writer)
    } else {
      UInt64.random(in: 0...UInt64.max, using: &random).encode(to: &writer)
    }
    var reader = WireReader(writer.bytes)
    do {
      return try Value.decode(from: &reader, depth: 0)
    } catch {
      preconditionFailure("\(type) is not made yet: \(error)")
    }
  }

  /// A message with random fields, made to obey the rules that its fields do not show.
  private mutating func message<Made: Message>(_ type: Made.Type) -> Made {
    if type is Catalog.Type, let catalog = catalog() as? Made { return catalog }
    var message = Made.blank
    do {
      try message.visit(&self)
    } catch {
      preconditionFailure("a generator does not throw: \(error)")
    }
    return repaired(message) as? Made ?? message
  }

  private mutating func repaired(_ message: any Message) -> any Message {
    switch message {
    case let period as Period:
      return Period(start: min(period.start, period.end), end: max(period.start, period.end))
    case let money as Money:
      let amount =
        Int.random(in: 0..<10, using: &random) == 0 ? -money.minorUnits : money.minorUnits
      let codes = ["EUR", "USD", "JPY", "KWD"]
      return Money(
        minorUnits: amount, currency: codes[Int.random(in: codes.indices, using: &random)])
    case var policy as Policy:
      var seen: Set<Provider> = []
      policy.providers = policy.providers.filter { seen.insert($0.provider).inserted }
      if policy.environments.isEmpty { policy.environments = [.production] }
      return policy
    default:
      return message
    }
  }
}

extension EventGenerator {
  /// A catalog whose parts fit together.
  package mutating func catalog() -> Catalog {
    let keys: [EntitlementKey] = ["premium", "archive", "support"]
    let count = Int.random(in: 1...keys.count, using: &random)
    let products = (1...count).map { number in
      Catalog.Product(
        id: ProductID(unchecked: "product_\(number)"), name: isGiven() ? word() : "",
        entitlements: Array(keys.prefix(number)),
        stores: [.init(provider: provider(), product: "store_\(number)")], isPerSeat: isGiven())
    }
    let plans = products.map { product in
      Catalog.Plan(
        id: PlanID(unchecked: "plan_of_\(product.id)"), product: product.id,
        title: isGiven() ? word() : "", details: isGiven() ? word() : "",
        type: isGiven() ? .renewal : .oneTime, period: isGiven() ? "P1M" : "",
        price: isGiven() ? Money(minorUnits: 999, currency: "EUR") : nil,
        trial: isGiven() ? "P7D" : "",
        stores: [.init(provider: provider(), price: "price_of_\(product.id)")])
    }
    return Catalog(
      entitlements: keys.map { Catalog.Entitlement(key: $0, name: isGiven() ? word() : "") },
      products: products, plans: plans)
  }
}
