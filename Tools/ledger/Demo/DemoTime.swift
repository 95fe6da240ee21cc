internal import MembershipModel

/// The instants of the tour, all of the year 2026 and in UTC.
enum DemoTime {
  /// `02-12 10:00` or `02-12 10:00:04`.
  static func at(_ text: String) -> Timestamp {
    let parts = text.split(separator: " ")
    precondition(parts.count == 2, "a time of the tour is written as a date and a clock time")
    let seconds = parts[1].count == 5 ? ":00" : ""
    do {
      return try Timestamp(parsing: "2026-\(parts[0])T\(parts[1])\(seconds)Z")
    } catch {
      preconditionFailure("a time of the tour: \(error)")
    }
  }

  /// Seconds since 1970, as Stripe writes instants.
  static func seconds(_ text: String) -> Int64 {
    at(text).milliseconds / 1000
  }
}
