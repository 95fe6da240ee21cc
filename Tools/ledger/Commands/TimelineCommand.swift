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
    options: [SharedArguments.at.definition, SharedArguments.environment.definition],
    operands: [subject.definition],
    examples: [.init("ledger timeline user_42", "Draw a customer's history and plans")],
    command: TimelineCommand.init)

  let subject: CustomerID
  let at: TimeValue
  let environment: EnvironmentName

  init(_ values: ParsedValues) {
    subject = values[Self.subject]
    at = values[SharedArguments.at] ?? .now
    environment = values[SharedArguments.environment] ?? .production
  }
}

extension TimelineCommand {
  func run(in context: CommandContext) throws -> ExitCode {
    let ledger = try context.openForReading()
    let instant = at.instant(at: context.now)
    let (timeline, filter) = try timeline(in: ledger, at: instant)
    let events = try ledger.allEvents(matching: filter)
    if context.printsJSON {
      try context.printJSON(timeline.outputJSON(events: events))
    } else if timeline.segments.isEmpty, events.isEmpty {
      try context.say("nothing is known of \(printable(subject.rawValue))")
    } else {
      try context.output.lines(
        timeline.outputLines(events: events, at: instant, style: context.style))
    }
    return .done
  }

  /// A membership's timeline where the subject is one, else the customer's of that name.
  private func timeline(
    in ledger: Ledger, at instant: Timestamp
  ) throws -> (Timeline, EventFilter) {
    let place = environment.environment
    if let membership = try? MembershipID(subject.rawValue),
      let timeline = try ledger.timeline(ofMembership: membership, at: instant, in: place)
    {
      return (timeline, EventFilter(membership: membership, environment: place))
    }
    return (
      try ledger.timeline(of: subject, at: instant, in: place),
      EventFilter(customer: subject, environment: place)
    )
  }
}

extension Ledger {
  /// All events that a filter lets pass.
  fileprivate func allEvents(matching filter: EventFilter) throws -> [RecordedEvent] {
    var events: [RecordedEvent] = []
    while true {
      let page = try self.events(
        after: events.last?.position ?? .start, limit: 1000, matching: filter)
      events += page
      if page.count < 1000 { return events }
    }
  }
}
