import LedgerTestSupport
import MembershipModel
import Testing

@Suite("Law 10: refunds are per transaction")
struct LawsRefundTests {
  private static let invoices: [ReferenceID] = ["stripe:in_1", "stripe:in_2", "stripe:in_3"]

  /// Three periods in a row, each of a product and an invoice of its own.
  private var bought: Scene {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30, invoice: "in_1", item: "a"))
    scene.stripe(day(0), Facts.paid(0, 60, invoice: "in_2", offer: .extra, item: "b"))
    scene.stripe(day(20), Facts.paid(20, 50, invoice: "in_3", offer: .team, item: "c"))
    return scene
  }

  @Test(arguments: seeds(20, from: 5000))
  func `a refund ends its transaction alone, and its reversal restores it`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let index = Int.random(in: 0..<3, using: &random)
    let refundedAt = Double(Int.random(in: 0...60, using: &random))
    let reversedAt = refundedAt + Double(Int.random(in: 1...20, using: &random))
    let isSingle = Bool.random(using: &random)
    var scene = bought
    let references = [Self.invoices[index]]
    scene.stripe(
      day(refundedAt), id: "refund",
      isSingle
        ? Facts.refund("re_1", 1000, of: nil, references)
        : Facts.refunded(1000, of: nil, references))
    scene.stripe(
      day(reversedAt), id: "reversal", Facts.reversal(isSingle ? "re_1" : nil, 1000, references))
    let offers: [[EntitlementKey]] = [["premium"], ["export"], ["premium", "seats"]]
    let periods = [Period(0, 30), Period(0, 60), Period(20, 50)]
    let without = Period(refundedAt, reversedAt)
    let access = scene.access()
    for instant in Scenario.turningPoints(of: scene.events) {
      for key in Scenario.entitlements {
        let expected = periods.indices.contains { other in
          offers[other].contains(key) && periods[other].contains(instant)
            && !(other == index && without.contains(instant))
        }
        let decision = access.decision(on: key, at: instant, askedAs: "stripe:cus_1")
        #expect(decision.isEntitled == expected, "seed \(seed): \(key) at \(instant)")
      }
    }
  }

  @Test(arguments: seeds(20, from: 5100))
  func `totals are never added up, in whatever order and however often they come`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let totals = (1...4).map { _ in Int64.random(in: 1...999, using: &random) }.sorted()
    var scene = bought
    let documents = totals.enumerated().flatMap { [($0, $1), ($0, $1)] }
    for (index, total) in documents.shuffled(using: &random) {
      scene.stripe(
        day(5 + Double(index)), id: "total-\(index)",
        Facts.refunded(total, of: 1000, [Self.invoices[0]]))
    }
    #expect(scene.reason(at: day(25)) == .granted, "seed \(seed)")
    scene.stripe(day(12), Facts.refunded(1000, of: 1000, [Self.invoices[0]]))
    #expect(scene.reason(at: day(12)) == .refunded, "seed \(seed)")
  }
}

@Suite("Law 11: holds are per cause")
struct LawsHoldTests {
  @Test(arguments: seeds(20, from: 6000))
  func `access needs every cause released`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30))
    scene.stripe(day(0), Facts.linked("stripe:in_1", "stripe:ch_1"))
    var marks: [(cause: Int, at: Int, isOn: Bool)] = []
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      let mark = (
        cause: Int.random(in: 0...3, using: &random), at: Int.random(in: 1...29, using: &random),
        isOn: Bool.random(using: &random)
      )
      if marks.contains(where: { $0.cause == mark.cause && $0.at == mark.at }) { continue }
      marks.append(mark)
    }
    for mark in marks { scene.stripe(day(Double(mark.at)), fact(mark.cause, mark.isOn)) }
    for number in 0..<31 {
      let open = Set(marks.map(\.cause)).filter { cause in
        let said = marks.filter { $0.cause == cause && $0.at <= number }
        return said.max { $0.at < $1.at }?.isOn ?? false
      }
      let decision = scene.decision(at: day(Double(number)))
      #expect(decision.isEntitled == (open.isEmpty && number < 30), "seed \(seed) on \(number)")
    }
  }

  /// Two holds, a pause and a hold on the account.
  private func fact(_ cause: Int, _ isOn: Bool) -> Fact {
    switch cause {
    case 0, 1:
      let name = "cause \(cause)"
      return Fact(
        isOn ? .holdPlaced(Hold(cause: name)) : .holdReleased(HoldRelease(cause: name)),
        membership: Facts.membership)
    case 2: return isOn ? Facts.pause() : Facts.resume()
    default:
      return Fact(
        isOn ? .holdPlaced(Hold(cause: "order")) : .holdReleased(HoldRelease(cause: "order")))
    }
  }
}
