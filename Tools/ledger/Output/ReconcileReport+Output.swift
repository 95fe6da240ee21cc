internal import MembershipLedger
internal import MembershipModel

extension ReconcileReport {
  func outputLines(_ context: CommandContext) -> [String] {
    var lines = drifts.flatMap { $0.outputLines(context) }
    for membership in missing {
      lines.append(
        context.style.paint("missing", .yellow)
          + " \(printable(membership.id.rawValue)): \(membership.status.rawValue)"
          + (membership.customer.map { ", of \(printable($0.rawValue))" } ?? "")
          + ", is not in the input and stays as it is")
    }
    lines += claims.flatMap { $0.outputLines(context) }
    let found = isDryRun ? "would be recorded" : "recorded"
    lines.append(
      "\(documents) compared, \(drifts.count) \(found), \(missing.count) missing")
    return lines
  }
}

extension ClaimDifference {
  fileprivate func outputLines(_ context: CommandContext) -> [String] {
    let extent = isComplete ? "" : "; the list is not whole"
    return [
      context.style.paint("claimed otherwise", .yellow) + " \(printable(event.rawValue)): "
        + "of \(printable(customer.rawValue))\(extent)"
    ]
      + onlyAtProvider.map { "  \(printable($0)): listed, and not given by the ledger" }
      + onlyInLedger.map { "  \(printable($0)): given by the ledger, and not listed" }
  }

  var outputJSON: JSONValue {
    .fields([
      "event": .id(event), "customer": .id(customer), "isComplete": .bool(isComplete),
      "onlyAtProvider": .array(onlyAtProvider.map { .string($0) }),
      "onlyInLedger": .array(onlyInLedger.map { .string($0) }),
    ])
  }
}

extension Drift {
  fileprivate func outputLines(_ context: CommandContext) -> [String] {
    let place = receipt.map { "appended \($0.position)" } ?? "differs"
    var lines: [String] = [
      context.style.paint(place, .green) + " \(printable(event.rawValue))"
    ]
    for membership in memberships {
      lines.append("  \(printable(membership.id.rawValue))")
      let fields = membership.fields
      let width = fields.map(\.name.count).max() ?? 0
      for field in fields {
        lines.append(
          "    \(padded(field.name, to: width))  \(Self.text(field.ledger)) "
            + "\(context.style.glyphs.to) \(Self.text(field.provider))")
      }
      if membership.differsInTime { lines.append("    its timeline differs") }
    }
    return lines
      + access.map { change in
        let (verb, paint): (String, TextStyle.Paint) =
          change.isGained ? ("gains", .green) : ("loses", .red)
        return "  \(printable(change.customer.rawValue)) "
          + context.style.paint(verb, paint)
          + " \(change.entitlement) from \(change.from.map(TimeText.absolute) ?? "ever") until "
          + (change.until.map(TimeText.absolute) ?? "ever")
      }
  }

  private static func text(_ value: JSONValue) -> String {
    value.isNull ? "-" : printable(value.string ?? value.text())
  }

  var outputJSON: JSONValue {
    .fields([
      "event": .id(event), "position": .position(receipt?.position),
      "memberships": .array(memberships.map(\.outputJSON)),
      "access": .array(access.map { .object($0.fields) }),
    ])
  }
}

extension MembershipDrift {
  /// The fields of the membership that differ, in the order in which memberships show them.
  fileprivate var fields: [(name: String, ledger: JSONValue, provider: JSONValue)] {
    let known = ledger?.outputJSON
    return (provider.outputJSON.fields ?? []).compactMap { field in
      let old = known?[field.key] ?? .null
      return old == field.value ? nil : (field.key, old, field.value)
    }
  }

  fileprivate var outputJSON: JSONValue {
    .fields([
      "membership": .id(id), "known": .bool(ledger != nil),
      "fields": .array(
        fields.map {
          .fields(["field": .string($0.name), "ledger": $0.ledger, "provider": $0.provider])
        }),
      "timelineDiffers": .bool(differsInTime),
    ])
  }
}
