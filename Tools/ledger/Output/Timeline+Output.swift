internal import MembershipModel

extension Timeline {
  /// With the holders where the timeline is one membership's.
  func outputJSON(events: [RecordedEvent], _ lineage: Lineage?) -> JSONValue {
    let corrections = events.corrections
    return .fields([
      "segments": .array(segments.map(\.outputJSON)),
      "planned": .array(planned.map(\.outputJSON)),
      "events": .array(
        events.map { event in
          let correction = corrections[event.position].map { JSONValue.position($0) } ?? .null
          return .object(
            (event.outputJSON.fields ?? []) + [JSONValue.Field("correctedBy", correction)])
        }),
      "holders": lineage.map { .array($0.holders.map(\.outputJSON)) } ?? .null,
      "pingPong": lineage.map { .bool($0.isPingPong) } ?? .null,
    ])
  }

  /// The drawing, with the events below it and what is planned at the end.
  func outputLines(events: [RecordedEvent], at instant: Timestamp, style: TextStyle) -> [String] {
    let sources = Set(segments.map(\.source)).sorted()
    var lines: [String] = []
    for source in sources {
      let own = segments.filter { $0.source == source }
      lines.append(style.paint(printable(source), .bold))
      lines += Self.drawing(of: own, at: instant).lines(style: style)
    }
    let corrections = events.corrections
    let happened = events.filter { !$0.event.isNoted }
    if !happened.isEmpty {
      lines.append(style.paint("events", .bold))
      lines += happened.sorted(by: { $0.happensBefore($1) }).map {
        let correction = corrections[$0.position].map { ", corrected at \($0)" } ?? ""
        return "  \(style.glyphs.marker) " + $0.outputLine(style: style) + correction
      }
    }
    if !planned.isEmpty {
      lines.append(style.paint("planned", .bold))
      lines += planned.map { "  \(style.glyphs.marker) " + $0.outputLine(at: instant) }
    }
    return lines
  }

  private static func drawing(of segments: [Segment], at instant: Timestamp) -> TimelineDrawing {
    // That there is no access before the start, nor after an end to come, goes without saying.
    let shown = segments.filter { segment in
      !segment.entitlements.isEmpty || (segment.from != nil && segment.until != nil)
        || segment.from.map { $0 <= instant } ?? false
    }
    return TimelineDrawing(
      segments: shown.map {
        .init(from: $0.from, until: $0.until, label: $0.label, paint: $0.paint)
      }, markers: [], now: instant)
  }
}

extension Timeline.Segment {
  fileprivate var outputJSON: JSONValue {
    .fields([
      "from": .time(from), "until": .time(until), "status": .string(status),
      "entitlements": .ids(entitlements), "reason": .string(reason.rawValue),
      "source": .string(source),
    ])
  }

  fileprivate var label: String {
    let access = entitlements.isEmpty ? ", no access" : ""
    let isPlain = reason == .granted || reason.rawValue == status
    return status + access + (isPlain ? "" : " (\(reason.rawValue))")
  }

  fileprivate var paint: TextStyle.Paint {
    entitlements.isEmpty ? .red : reason == .grace ? .yellow : .green
  }
}

extension Timeline.Plan {
  fileprivate var outputJSON: JSONValue {
    .fields([
      "at": .time(at), "kind": .string(kind), "details": .text(details.isEmpty ? nil : details),
      "superseded": .bool(isSuperseded), "source": .string(source),
    ])
  }

  fileprivate func outputLine(at instant: Timestamp) -> String {
    let rest = (details.isEmpty ? "" : " \(details)") + (isSuperseded ? ", superseded" : "")
    return "\(TimeText.absolute(at))  \(kind)\(printable(rest)) of \(printable(source)), "
      + TimeText.relative(at, to: instant)
  }
}

extension RecordedEvent {
  fileprivate func happensBefore(_ other: RecordedEvent) -> Bool {
    (event.effectiveAt, position) < (other.event.effectiveAt, other.position)
  }
}

extension Event {
  fileprivate var isNoted: Bool {
    facts.allSatisfy { fact in
      if case .noted = fact.body { true } else { false }
    }
  }
}

extension [RecordedEvent] {
  /// Where the correction stands that counts in the place of an event, by the event's position.
  ///
  /// Of an event that was corrected more than once it is the last; earlier ones have it, too.
  fileprivate var corrections: [Position: Position] {
    var found: [Position: Position] = [:]
    var earlier: [Position: [Position]] = [:]
    for record in self {
      guard let correction = record.event.correction else { continue }
      let replaced = earlier[correction.position, default: [correction.position]]
      for position in replaced { found[position] = record.position }
      earlier[correction.position] = replaced + [record.position]
    }
    return found
  }
}
