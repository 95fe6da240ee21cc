internal import MembershipLedger
internal import MembershipModel

/// `ledger timeline`: what happened and what access followed.
struct TimelineCommand: Command {
  static let subject: Argument<CustomerID> = .operand(
    "CUSTOMER|MEMBERSHIP", help: "A customer's id or a membership's (stripe:sub_1).",
    completion: LedgerCandidates.customersAndMemberships)

  static let spec = CommandSpec(
    "timeline", group: .ask, abstract: "Draw what happened and what access followed",
    discussion: ["What is planned is drawn dashed; bars without an end have an arrow."],
    options: [
      SharedArguments.at.definition, SharedArguments.knownAt.definition,
      SharedArguments.environment.definition,
    ],
    operands: [subject.definition],
    examples: [
      .init("ledger timeline user_42", "Draw a customer's history and plans"),
      .init(
        "ledger timeline user_42 --known-at 2026-12-03",
        "Draw what was known on a day"),
    ],
    command: TimelineCommand.init)

  let subject: CustomerID
  let at: TimeValue
  let knownAt: LogPoint?
  let environment: EnvironmentName

  init(_ values: ParsedValues) {
    subject = values[Self.subject]
    at = values[SharedArguments.at] ?? .now
    knownAt = values[SharedArguments.knownAt]
    environment = values[SharedArguments.environment] ?? .production
  }
}

extension TimelineCommand {
  func run(in context: CommandContext) throws -> ExitCode {
    let ledger = try context.openForReading()
    let instant = at.instant(at: context.now)
    let known = try knownAt.map { try ledger.asKnown(at: $0.point(at: context.now)) }
    let (timeline, filter) = try timeline(in: ledger, known, at: instant)
    let events = try ledger.allEvents(matching: filter, known: known)
    let lineage = try filter.membership.flatMap { membership in
      try known.map { try $0.lineage(of: membership, in: filter.environment) }
        ?? ledger.lineage(of: membership, in: filter.environment)
    }
    if context.printsJSON {
      try context.printJSON(timeline.outputJSON(events: events, lineage))
    } else if timeline.segments.isEmpty, events.isEmpty {
      try context.say("nothing is known of \(printable(subject.rawValue))")
    } else {
      try context.output.lines(
        timeline.outputLines(events: events, at: instant, style: context.style)
          + (lineage?.outputLines(style: context.style) ?? []))
    }
    return .done
  }

  /// A membership's timeline where the subject is one, else the customer's of that name.
  private func timeline(
    in ledger: Ledger, _ known: KnownLedger?, at instant: Timestamp
  ) throws -> (Timeline, EventFilter) {
    let place = environment.environment
    if let membership = try? MembershipID(subject.rawValue) {
      let timeline =
        if let known {
          try known.timeline(ofMembership: membership, at: instant, in: place)
        } else {
          try ledger.timeline(ofMembership: membership, at: instant, in: place)
        }
      if let timeline {
        return (timeline, EventFilter(membership: membership, environment: place))
      }
    }
    let timeline =
      if let known {
        try known.timeline(of: subject, at: instant, in: place)
      } else {
        try ledger.timeline(of: subject, at: instant, in: place)
      }
    return (timeline, EventFilter(customer: subject, environment: place))
  }
}

extension Ledger {
  /// All events that a filter lets pass, or those that were known.
  fileprivate func allEvents(
    matching filter: EventFilter, known: KnownLedger?
  ) throws -> [RecordedEvent] {
    var events: [RecordedEvent] = []
    while true {
      let last = events.last?.position ?? .start
      let page =
        if let known {
          try known.events(after: last, limit: 1000, matching: filter)
        } else {
          try self.events(after: last, limit: 1000, matching: filter)
        }
      events += page
      if page.count < 1000 { return events }
    }
  }
}
