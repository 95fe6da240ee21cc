/// What the exit status of `ledger` tells a script.
enum ExitCode: Int32, CaseIterable, Sendable {
  case done = 0
  case no = 1
  case damage = 2
  case usage = 64
  case badData = 65
  case noInput = 66
  case inputOutput = 74
  case busy = 75

  /// The meaning that holds for every command.
  var meaning: String {
    switch self {
    case .done: "Done. For check: the customer is entitled."
    case .no:
      """
      The answer is no: not entitled (check), a document was refused (ingest), the stored \
      projections differ (replay).
      """
    case .damage: "Damage was found."
    case .usage: "The command line is wrong."
    case .badData: "The input is not readable data."
    case .noInput: "There is no such ledger or file."
    case .inputOutput: "Reading or writing failed."
    case .busy: "The ledger is busy; try again."
    }
  }
}
