/// `ledger timeline`: what happened and what access followed.
struct TimelineCommand: Command {
  static let subject: Argument<String> = .operand(
    "CUSTOMER|MEMBERSHIP", help: "A customer's id or a membership's (stripe:sub_1).")

  static let spec = CommandSpec(
    "timeline", group: .ask, abstract: "Draw what happened and what access followed",
    discussion: ["What is planned is drawn dashed; bars without an end have an arrow."],
    operands: [subject.definition],
    examples: [.init("ledger timeline user_42", "Draw a customer's history and plans")],
    command: TimelineCommand.init)

  let subject: String

  init(_ values: ParsedValues) {
    subject = values[Self.subject]
  }
}
