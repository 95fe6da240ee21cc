extension Policy {
  private static let fields = [
    "grace", "renewalTolerance", "trustStanding", "fullRefund", "partialRefund", "openDispute",
    "inquiry", "lostDispute", "fraudWarning", "pause", "restores", "environments",
  ]

  /// Reads a policy file in JSON and checks it; a rule that is left out is the default policy's.
  ///
  /// - Parameter bytes: The file.
  /// - Throws: `InvalidValue` that names the place in the file, the rule broken and the remedy.
  public init(parsing bytes: some Collection<UInt8>) throws(InvalidValue) {
    let file = try FileSection(JSONValue(parsing: bytes), knows: Self.fields)
    self.init()
    try read("fullRefund", of: file, into: &fullRefund)
    try read("partialRefund", of: file, into: &partialRefund)
    try read("openDispute", of: file, into: &openDispute)
    try read("inquiry", of: file, into: &inquiry)
    try read("lostDispute", of: file, into: &lostDispute)
    try read("fraudWarning", of: file, into: &fraudWarning)
    try read("pause", of: file, into: &pause)
    try read("restores", of: file, into: &restores)
    if file.value("environments") != nil {
      environments = []
      for (place, value) in try file.elements("environments") {
        environments.append(try Self.value(value, at: place))
      }
    }
    try readProviders(of: file)
    try check()
  }

  private mutating func readProviders(of file: FileSection) throws(InvalidValue) {
    var rules: [Provider: ProviderRules] = [:]
    for entry in try file.entries("grace") {
      let (provider, place) = try Self.place(of: entry, in: "grace", of: file)
      rules[provider, default: ProviderRules(provider: provider)].graceMilliseconds =
        try Self.duration(entry.value, at: place)
    }
    for entry in try file.entries("renewalTolerance") {
      let (provider, place) = try Self.place(of: entry, in: "renewalTolerance", of: file)
      rules[provider, default: ProviderRules(provider: provider)].renewalToleranceMilliseconds =
        try Self.duration(entry.value, at: place)
    }
    for entry in try file.entries("trustStanding") {
      let (provider, place) = try Self.place(of: entry, in: "trustStanding", of: file)
      guard let trusts = entry.value.bool else {
        throw InvalidValue(value: place, rule: "true or false is expected")
      }
      rules[provider, default: ProviderRules(provider: provider)].distrustsStanding = !trusts
    }
    providers = Provider.known.compactMap { rules[$0] }
  }

  private static func place(
    of entry: JSONValue.Field, in name: String, of file: FileSection
  ) throws(InvalidValue) -> (Provider, place: String) {
    (try file.provider(named: entry.key, at: name), "\(name).\(entry.key)")
  }

  private static func duration(
    _ json: JSONValue, at place: String
  ) throws(InvalidValue) -> Int64 {
    guard let text = json.string, let milliseconds = milliseconds(in: text) else {
      throw InvalidValue(
        value: place,
        rule: "a duration of days, hours and minutes is expected, such as \"P3D\" or"
          + " \"PT2H30M\", not \(json.text())")
    }
    return milliseconds
  }

  private static func milliseconds(in text: String) -> Int64? {
    if text == "P0D" || text == "PT0S" { return 0 }
    return (try? CalendarDuration(parsing: text))?.milliseconds
  }

  private func read<Rule: OpenEnum>(
    _ name: String, of file: FileSection, into rule: inout Rule
  ) throws(InvalidValue) {
    guard let value = file.value(name) else { return }
    rule = try Self.value(value, at: name)
  }

  private static func value<Rule: OpenEnum>(
    _ json: JSONValue, at place: String
  ) throws(InvalidValue) -> Rule {
    guard let name = json.string, let rule = Rule(named: name) else {
      let names = Rule.known.map(\.name).joined(separator: ", ")
      throw InvalidValue(value: place, rule: "\(json.text()) is no choice; use one of \(names)")
    }
    return rule
  }
}

extension Policy {
  /// The policy as a file in JSON, which `init(parsing:)` reads back.
  ///
  /// - Returns: The text of the file, one field a line.
  public func fileText() -> String {
    let document = JSONValue.object([
      .init("grace", byProvider { Self.text($0.graceMilliseconds) }),
      .init("renewalTolerance", byProvider { Self.text($0.renewalToleranceMilliseconds) }),
      .init("trustStanding", byProvider { .bool(!$0.distrustsStanding) }),
      .init("fullRefund", fullRefund.json),
      .init("partialRefund", partialRefund.json),
      .init("openDispute", openDispute.json),
      .init("inquiry", inquiry.json),
      .init("lostDispute", lostDispute.json),
      .init("fraudWarning", fraudWarning.json),
      .init("pause", pause.json),
      .init("restores", restores.json),
      .init("environments", .array(environments.map(\.json))),
    ])
    return document.text(indentation: 2) + "\n"
  }

  /// Checks that the parts of the policy fit together.
  ///
  /// - Throws: `InvalidValue` that names the part, the rule broken and the remedy.
  public func check() throws(InvalidValue) {
    for (index, rules) in providers.enumerated() {
      if providers[..<index].contains(where: { $0.provider == rules.provider }) {
        throw InvalidValue(
          value: rules.provider.rawValue, rule: "a provider has one set of rules; remove one")
      }
      if rules.graceMilliseconds < 0 || rules.renewalToleranceMilliseconds < 0 {
        throw InvalidValue(
          value: rules.provider.rawValue, rule: "a duration is not negative; correct it")
      }
    }
    if environments.isEmpty {
      throw InvalidValue(
        value: "environments", rule: "one at least is accepted; name production, sandbox or both")
    }
  }

  private func byProvider(_ value: (ProviderRules) -> JSONValue) -> JSONValue {
    .object(providers.map { .init($0.provider.rawValue, value($0)) })
  }

  /// Durations are whole seconds in files; finer ones, made in code, are cut.
  private static func text(_ milliseconds: Int64) -> JSONValue {
    .string(
      milliseconds < 1000
        ? "P0D" : CalendarDuration(seconds: milliseconds / 1000).description)
  }
}
