/// The folded state of one thing, stored under the thing's key.
package protocol EntityState: Message {
  static var kind: EntityKind { get }
}

/// The things that have a state of their own.
package enum EntityKind: UInt8, Sendable, CaseIterable {
  case terms = 1
  case customer = 2
  case account = 3
  case membership = 4
  case payment = 5
  case grant = 6
  case trace = 7
}

extension EntityKind {
  // Not generic, so that callers in other modules get the specialised forms of the codec.

  /// Reads a state of this kind from its wire form.
  package func decode(_ bytes: [UInt8]) throws(WireError) -> any EntityState {
    switch self {
    case .terms: try TermsState(decoding: bytes)
    case .customer: try CustomerState(decoding: bytes)
    case .account: try AccountState(decoding: bytes)
    case .membership: try MembershipState(decoding: bytes)
    case .payment: try PaymentState(decoding: bytes)
    case .grant: try GrantState(decoding: bytes)
    case .trace: try TraceState(decoding: bytes)
    }
  }

  /// The wire form of a state.
  package static func encode(_ state: any EntityState) -> [UInt8] {
    switch state {
    case let state as TermsState: state.encoded()
    case let state as CustomerState: state.encoded()
    case let state as AccountState: state.encoded()
    case let state as MembershipState: state.encoded()
    case let state as PaymentState: state.encoded()
    case let state as TraceState: state.encoded()
    default: state.encoded()
    }
  }
}

/// Names one thing in one environment; facts of two environments never meet.
package struct EntityKey: Hashable, Comparable, Sendable {
  package let kind: EntityKind
  package let environment: Environment
  package let id: String

  package init(_ kind: EntityKind, _ environment: Environment, _ id: String) {
    self.kind = kind
    self.environment = environment
    self.id = id
  }

  /// The key of the catalog and the policy, which hold for all environments.
  package static let terms = EntityKey(.terms, .production, "terms")

  package static func customer(_ id: CustomerID, _ environment: Environment) -> EntityKey {
    EntityKey(.customer, environment, id.rawValue)
  }

  package static func account(_ id: AccountID, _ environment: Environment) -> EntityKey {
    EntityKey(.account, environment, id.rawValue)
  }

  package static func membership(_ id: MembershipID, _ environment: Environment) -> EntityKey {
    EntityKey(.membership, environment, id.rawValue)
  }

  package static func payment(_ id: ReferenceID, _ environment: Environment) -> EntityKey {
    EntityKey(.payment, environment, id.rawValue)
  }

  package static func grant(_ id: GrantID, _ environment: Environment) -> EntityKey {
    EntityKey(.grant, environment, id.rawValue)
  }

  /// The key of what is left of a thing's former connections.
  package static func trace(of key: EntityKey) -> EntityKey {
    EntityKey(.trace, key.environment, "\(key.kind.rawValue):\(key.id)")
  }

  /// Under which the corrections of an event are indexed.
  package static func corrections(of event: EventID, _ environment: Environment) -> EntityKey {
    EntityKey(.trace, environment, "event:\(event)")
  }

  /// Compares the bytes of ids, since `String` takes texts for equal that only look the same.
  package static func == (left: EntityKey, right: EntityKey) -> Bool {
    left.kind == right.kind && left.environment == right.environment
      && left.id.utf8.elementsEqual(right.id.utf8)
  }

  package static func < (left: EntityKey, right: EntityKey) -> Bool {
    if left.kind != right.kind { return left.kind.rawValue < right.kind.rawValue }
    if left.environment != right.environment {
      return left.environment.number < right.environment.number
    }
    return left.id.utf8.lexicographicallyPrecedes(right.id.utf8)
  }
}
