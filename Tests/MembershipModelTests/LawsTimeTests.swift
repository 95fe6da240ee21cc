import LedgerTestSupport
import MembershipModel
import Testing

@Suite("Law 6: time is an argument")
struct LawsTimeTests {
  @Test(arguments: seeds(6, from: 2000))
  func `an answer holds throughout its validity and changes at its edges`(seed: UInt64) {
    let scenario = ScenarioMaker.make(seed: seed, documents: 12, decisions: 5)
    let instants = Scenario.turningPoints(of: scenario.events)
    let outcome = Outcome(scenario.events)
    for customer in Scenario.customers {
      let access = outcome.access(of: customer)
      for key in Scenario.entitlements {
        var known: [Timestamp: Decision] = [:]
        func ask(_ instant: Timestamp) -> Decision {
          if let decision = known[instant] { return decision }
          let decision = access.decision(on: key, at: instant, askedAs: customer)
          known[instant] = decision
          return decision
        }
        for decision in instants.map(ask) {
          let isHonest = Self.isHonest(decision, among: instants, ask)
          #expect(isHonest, "seed \(seed): \(customer) \(key) at \(decision.at)")
        }
      }
    }
  }

  private static func isHonest(
    _ decision: Decision, among instants: [Timestamp], _ ask: (Timestamp) -> Decision
  ) -> Bool {
    func isSame(_ other: Decision) -> Bool {
      other.isEntitled == decision.isEntitled && other.reason == decision.reason
    }
    let from = decision.validFrom ?? .distantPast
    let until = decision.validUntil ?? .distantFuture
    guard from <= decision.at, decision.at < until, isSame(ask(from)), isSame(ask(until.before))
    else { return false }
    if from > .distantPast, isSame(ask(from.before)) { return false }
    if until < .distantFuture, isSame(ask(until)) { return false }
    return instants.filter { from <= $0 && $0 < until }.allSatisfy { isSame(ask($0)) }
  }

  @Test(arguments: seeds(6, from: 2100))
  func `the stretch of access around an instant is unbroken and as long as can be`(seed: UInt64) {
    let scenario = ScenarioMaker.make(seed: seed, documents: 12, decisions: 5)
    let instants = Scenario.turningPoints(of: scenario.events)
    let outcome = Outcome(scenario.events)
    for customer in Scenario.customers {
      let access = outcome.access(of: customer)
      for key in Scenario.entitlements {
        let stretches = AccessStretches(access.dossier, access.terms)[key]
        #expect(stretches.allSatisfy { !$0.isEmpty })
        #expect(zip(stretches, stretches.dropFirst()).allSatisfy { $0.end < $1.start })
        for instant in instants {
          let decision = access.decision(on: key, at: instant, askedAs: customer)
          let around = stretches.first { $0.contains(instant) }
          let agrees =
            decision.isEntitled == (around != nil) && decision.from == around?.start.bounded
            && decision.until == around?.end.bounded
          #expect(agrees, "seed \(seed): \(customer) \(key) at \(instant)")
        }
      }
    }
  }

  @Test(arguments: seeds(25, from: 2400))
  func `the short way to the stretches of access agrees with the decisions`(seed: UInt64) {
    let scenario = ScenarioMaker.make(seed: seed, documents: 14, decisions: 6)
    let outcome = Outcome(scenario.events)
    for customer in Scenario.customers {
      let access = outcome.access(of: customer)
      let short = AccessStretches(access.dossier, access.terms)
      for key in Scenario.entitlements {
        #expect(short[key] == access.stretchesOfAccess(to: key), "seed \(seed): \(customer) \(key)")
      }
      #expect(access.entitlements.filter { !short[$0].isEmpty } == short.entitlements)
    }
  }

  @Test(arguments: seeds(5, from: 2200))
  func `holdings, memberships and decisions say the same`(seed: UInt64) {
    let scenario = ScenarioMaker.make(seed: seed, documents: 12, decisions: 5)
    let instants = Scenario.turningPoints(of: scenario.events)
    let outcome = Outcome(scenario.events)
    for customer in Scenario.customers {
      let access = outcome.access(of: customer)
      for instant in instants {
        let holdings = access.holdings(at: instant)
        let isActive = Set(access.memberships(at: instant).filter(\.isActive).map(\.id))
        #expect(
          isActive.isSuperset(of: holdings.compactMap(\.membership)), "seed \(seed) at \(instant)")
        for key in Scenario.entitlements {
          let decision = access.decision(on: key, at: instant, askedAs: customer)
          let held = holdings.filter { $0.entitlement == key }
          #expect(decision.isEntitled == !held.isEmpty, "seed \(seed) at \(instant)")
          let isAround = held.allSatisfy { holding in
            (holding.from ?? .distantPast) <= instant
              && instant < (holding.until ?? .distantFuture)
              && (decision.until ?? .distantFuture) >= (holding.until ?? .distantFuture)
              && (decision.from ?? .distantPast) <= (holding.from ?? .distantPast)
          }
          #expect(isAround, "seed \(seed) at \(instant)")
        }
      }
    }
  }

  @Test(arguments: seeds(8, from: 2300))
  func `a membership's status and its access never contradict each other`(seed: UInt64) {
    let scenario = ScenarioMaker.make(seed: seed, documents: 14, decisions: 3)
    let outcome = Outcome(scenario.events)
    for customer in Scenario.customers {
      let access = outcome.access(of: customer)
      for instant in Scenario.turningPoints(of: scenario.events) {
        for membership in access.memberships(at: instant) {
          let isConsistent =
            switch membership.status {
            case .trialing, .active, .canceling, .completed:
              // The buyer of seats may claim none, and what the catalog does not know gives nothing.
              membership.isActive || membership.role == .owner && membership.seats != nil
                || membership.product == nil
            case .pastDue: true
            case .pending, .paused, .held, .canceled, .expired, .refunded, .revoked:
              !membership.isActive
            }
          #expect(isConsistent, "seed \(seed): \(membership.status) at \(instant)")
          #expect(membership.status != .canceling || membership.cancelAt != nil)
          #expect(membership.cancelAt == nil || !membership.willRenew)
          #expect(membership.endedAt == nil || !membership.willRenew)
        }
      }
    }
  }
}
