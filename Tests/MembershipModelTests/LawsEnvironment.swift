import FoundationEssentials

enum LawsEnvironment {
  static let factor = Int(ProcessInfo.processInfo.environment["LAWS_FACTOR"] ?? "") ?? 1
  /// How many event sets the reference fold is compared on.
  static let eventSets = Int(ProcessInfo.processInfo.environment["LEDGER_EVENT_SETS"] ?? "") ?? 400
}
