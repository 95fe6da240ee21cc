extension Timestamp {
  /// The instant a duration later in the calendar of UTC.
  ///
  /// Months and years come first; where the month that they lead to has no such day, its last one
  /// is taken.
  ///
  /// - Parameter duration: How much later.
  /// - Returns: The instant, or nil where it lies after the year 9999.
  public func adding(_ duration: CalendarDuration) -> Timestamp? {
    let (days, time) = milliseconds.quotientAndRemainder(flooringBy: 86_400_000)
    let date = CivilDate(daysSince1970: days)
    guard let span = duration.months, let length = duration.millisecondsBesidesMonths else {
      return nil
    }
    let (months, overflows) = (date.year * 12 + date.month - 1).addingReportingOverflow(span)
    let (year, month) = (months / 12, months % 12 + 1)
    guard !overflows, year <= 9999,
      let start = CivilDate(
        year: year, month: month, day: min(date.day, CivilDate.length(of: month, in: year)))
    else { return nil }
    let moved = Timestamp(milliseconds: start.daysSince1970 * 86_400_000 + time)
    let end = moved.adding(milliseconds: length)
    return end <= .latest ? end : nil
  }
}
