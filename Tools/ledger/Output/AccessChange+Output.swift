internal import MembershipLedger
internal import MembershipModel

extension AccessChange {
  /// The fields of its JSON form.
  var fields: [JSONValue.Field] {
    [
      .init("customer", .id(customer)), .init("entitlement", .id(entitlement)),
      .init("change", .string(isGained ? "gains" : "loses")), .init("from", .time(from)),
      .init("until", .time(until)),
    ]
  }
}
