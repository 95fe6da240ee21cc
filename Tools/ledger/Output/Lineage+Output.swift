internal import MembershipModel

extension Lineage {
  /// Warns of a membership that goes to and fro; two may be sharing what one has paid for.
  func warnOfPingPong(_ context: CommandContext) throws {
    guard isPingPong else { return }
    let names = Set(holders.map(\.customer)).sorted().map { printable($0.rawValue) }
    try context.say(
      "warning: \(printable(membership.rawValue)) goes to and fro between "
        + names.joined(separator: ", "))
  }

  /// Each holder with the stretch; nothing where there was but one.
  func outputLines(style: TextStyle) -> [String] {
    if holders.count < 2 { return [] }
    return [style.paint("holders", .bold)]
      + holders.map { holder in
        let from = holder.from.map(TimeText.absolute) ?? "the start"
        let why = [
          holder.undoes.map { "undoes \(printable($0.rawValue))" },
          holder.reason.isEmpty ? nil : printable(holder.reason),
        ].compactMap { $0 }
        return "  \(style.glyphs.marker) \(printable(holder.customer.rawValue)) from \(from)"
          + (why.isEmpty ? "" : ": \(why.joined(separator: ", "))")
      }
  }
}

extension Lineage.Holder {
  var outputJSON: JSONValue {
    .fields([
      "customer": .id(customer), "name": .id(name), "from": .time(from), "until": .time(until),
      "event": .id(event), "reason": .text(reason.isEmpty ? nil : reason), "undoes": .id(undoes),
    ])
  }
}
