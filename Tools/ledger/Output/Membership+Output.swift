internal import MembershipModel

extension Membership {
  var outputJSON: JSONValue {
    .fields([
      "id": .id(id), "customer": .id(customer), "provider": .string(provider.rawValue),
      "product": .id(product), "plan": .id(plan), "storeProduct": .text(storeProduct),
      "storePlan": .text(storePlan), "status": .string(status.rawValue),
      "storeStatus": .text(storeStatus), "isActive": .bool(isActive),
      "willRenew": .bool(willRenew), "createdAt": .time(createdAt),
      "currentPeriodEnd": .time(currentPeriodEnd), "expiresAt": .time(expiresAt),
      "cancelAt": .time(cancelAt), "endedAt": .time(endedAt),
      "pendingChange": pendingChange?.outputJSON ?? .null,
      "holds": .array(holds.map { .string($0) }), "ownership": .text(ownership?.name),
      "role": .string(role.rawValue),
      "seat": .id(seat), "seats": seats?.outputJSON ?? .null,
      "environment": .string(environment.name),
    ])
  }

  /// Memberships in columns, as they stand at an instant.
  static func table(
    of memberships: [Membership], at instant: Timestamp, _ context: CommandContext
  ) -> [String] {
    let hasSeats = memberships.contains { $0.seats != nil }
    var table = TextTable(
      [
        .init("MEMBERSHIP"), .init("CUSTOMER"), .init("STATUS"), .init("ACCESS"), .init("PRODUCT"),
      ] + (hasSeats ? [.init("SEATS")] : []) + [.init("NEXT")])
    for membership in memberships {
      let seats: [TextTable.Cell] = hasSeats ? [.init(membership.seats?.summary)] : []
      table.addRow(
        [
          .init(membership.id.rawValue), .init(membership.customer?.rawValue),
          .init(membership.status.rawValue, membership.status.paint),
          .init(membership.isActive ? "yes" : "no", membership.isActive ? .green : .red),
          .init(membership.product?.rawValue ?? membership.storeProduct ?? membership.storePlan),
        ] + seats + [.init(membership.next(at: instant))])
    }
    return table.lines(style: context.style)
  }

  /// What comes next, or came last, in a few words.
  private func next(at instant: Timestamp) -> String? {
    if let endedAt { return "ended \(TimeText.both(endedAt, at: instant))" }
    if !holds.isEmpty { return "held by \(holds.joined(separator: ", "))" }
    if let cancelAt { return "ends \(TimeText.both(cancelAt, at: instant))" }
    if let pendingChange {
      guard let at = pendingChange.at else { return "changes when it is paid" }
      return "changes \(TimeText.both(at, at: instant))"
    }
    guard let currentPeriodEnd else {
      return expiresAt.map { "ends \(TimeText.both($0, at: instant))" }
    }
    if currentPeriodEnd <= instant {
      return expiresAt.map { end in
        "access \(end > instant ? "ends" : "ended") \(TimeText.both(end, at: instant))"
      } ?? "period over \(TimeText.both(currentPeriodEnd, at: instant))"
    }
    return "\(willRenew ? "renews" : "ends") \(TimeText.both(currentPeriodEnd, at: instant))"
  }
}

extension PendingChange {
  fileprivate var outputJSON: JSONValue {
    .fields([
      "at": .time(at), "from": from?.outputJSON ?? .null, "to": to?.outputJSON ?? .null,
      "item": .text(item.isEmpty ? nil : item), "quantity": .integer(quantity),
    ])
  }
}

extension PendingChange.Side {
  fileprivate var outputJSON: JSONValue {
    .fields([
      "product": .id(product), "plan": .id(plan),
      "storeProduct": .text(offer.product.isEmpty ? nil : offer.product),
      "storePlan": .text(offer.plan.isEmpty ? nil : offer.plan),
    ])
  }
}

extension SeatUse {
  fileprivate var outputJSON: JSONValue {
    .fields([
      "total": .integer(total), "assigned": .integer(Int64(assigned)),
      "claimed": .integer(Int64(claimed)),
      "beyond": .array(
        beyond.map { .fields(["seat": .id($0.seat), "customer": .id($0.customer)]) }),
    ])
  }

  /// How many of how many are claimed, and how many find no room.
  fileprivate var summary: String {
    "\(claimed) of \(total)" + (beyond.isEmpty ? "" : ", \(beyond.count) beyond")
  }
}

extension MembershipStatus {
  /// The color that says how good a status is.
  var paint: TextStyle.Paint {
    switch self {
    case .active, .trialing, .completed: .green
    case .canceling, .pastDue, .pending, .paused, .held: .yellow
    case .canceled, .expired, .refunded, .revoked: .red
    @unknown default: .yellow
    }
  }
}
