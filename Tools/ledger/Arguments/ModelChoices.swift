internal import MembershipModel

/// An environment by its name.
enum EnvironmentName: String, ChoiceValue {
  case production, sandbox

  var environment: Environment {
    switch self {
    case .production: .production
    case .sandbox: .sandbox
    }
  }
}

/// Whom a catalog revision touches, by its name on the command line.
enum CohortName: String, ChoiceValue {
  case newPurchases = "new-purchases"
  case nextRenewal = "next-renewal"
  case everyone

  var cohort: Cohort {
    switch self {
    case .newPurchases: .newPurchases
    case .nextRenewal: .nextRenewal
    case .everyone: .everyone
    }
  }
}

/// How a grant goes together with present access, by its name on the command line.
enum StackingName: String, ChoiceValue {
  case overlap, after

  var stacking: GrantStacking {
    switch self {
    case .overlap: .overlap
    case .after: .after
    }
  }
}

extension CalendarDuration: ArgumentValue {
  static var placeholder: String { "DURATION" }

  init(argument: String) throws(ArgumentError) {
    do throws(InvalidValue) {
      try self.init(parsing: argument)
    } catch {
      throw ArgumentError("is no duration: \(error.rule)")
    }
  }
}

extension Provider: ArgumentValue {
  static var placeholder: String { "PROVIDER" }

  static var completion: Completion { .words(known.map { Candidate($0.rawValue) }) }

  init(argument: String) throws(ArgumentError) {
    self.init(rawValue: argument)
    guard isKnown else {
      let names = Self.known.map(\.rawValue)
      throw ArgumentError(
        "is not one of \(names.joined(separator: ", "))",
        hint: nearest(to: argument, among: names).map { "Did you mean '\($0)'?" })
    }
  }
}

extension MembershipStatus: ChoiceValue {
  static var placeholder: String { "STATUS" }
}
