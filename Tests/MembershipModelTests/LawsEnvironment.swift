import FoundationEssentials

enum LawsEnvironment {
  static let factor = Int(ProcessInfo.processInfo.environment["LAWS_FACTOR"] ?? "") ?? 1
}
