internal import MembershipLedger
internal import MembershipModel

/// Who decides, why and where: what verbs that record a decision take besides it.
struct DecisionOptions {
  static let actor: Argument<String?> = .option(
    "actor", placeholder: "ACTOR",
    help: "Who decides. Default: the user who runs the command.")
  static let reason: Argument<String?> = .option(
    "reason", placeholder: "REASON", help: "Why; recorded for ever.")
  static let environment: Argument<EnvironmentName?> = .option(
    "environment", help: "The environment that is meant. Default: production.")

  static let definitions = [reason.definition, actor.definition, environment.definition]

  let environment: EnvironmentName
  private let actor: String?
  private let reason: String?

  init(_ values: ParsedValues) {
    actor = values[Self.actor]
    reason = values[Self.reason]
    environment = values[Self.environment] ?? .production
  }

  func attribution(in context: CommandContext) -> Attribution {
    context.attribution(actor: actor, reason: reason)
  }
}
