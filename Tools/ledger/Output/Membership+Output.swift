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
      "pendingChange": pendingChange?.json ?? .null,
      "holds": .array(holds.map { .string($0) }), "environment": .string(environment.name),
    ])
  }

  /// Memberships in columns, as they stand at an instant.
  static func table(
    of memberships: [Membership], at instant: Timestamp, _ context: CommandContext
  ) -> [String] {
    var table = TextTable([
      .init("MEMBERSHIP"), .init("CUSTOMER"), .init("STATUS"), .init("ACCESS"), .init("PRODUCT"),
      .init("NEXT"),
    ])
    for membership in memberships {
      table.addRow([
        .init(membership.id.rawValue), .init(membership.customer?.rawValue),
        .init(membership.status.rawValue, membership.status.paint),
        .init(membership.isActive ? "yes" : "no", membership.isActive ? .green : .red),
        .init(membership.product?.rawValue ?? membership.storeProduct ?? membership.storePlan),
        .init(membership.next(at: instant)),
      ])
    }
    return table.lines(style: context.style)
  }

  /// What comes next, or came last, in a few words.
  private func next(at instant: Timestamp) -> String? {
    if let endedAt { return "ended \(TimeText.both(endedAt, at: instant))" }
    if !holds.isEmpty { return "held by \(holds.joined(separator: ", "))" }
    if let cancelAt { return "ends \(TimeText.both(cancelAt, at: instant))" }
    if let pendingChange { return "changes \(TimeText.both(pendingChange.at, at: instant))" }
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
