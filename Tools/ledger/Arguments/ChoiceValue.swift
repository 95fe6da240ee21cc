/// A value out of a fixed list of words.
protocol ChoiceValue: ArgumentValue, CaseIterable, RawRepresentable where RawValue == String {}

extension ChoiceValue {
  static var placeholder: String {
    allCases.map(\.rawValue).joined(separator: "|")
  }

  static var completion: Completion {
    .words(allCases.map { Candidate($0.rawValue) })
  }

  init(argument: String) throws(ArgumentError) {
    if let value = Self(rawValue: argument) {
      self = value
      return
    }
    let words = Self.allCases.map(\.rawValue)
    let hint = nearest(to: argument, among: words).map { "Did you mean '\($0)'?" }
    throw ArgumentError("is not one of \(words.joined(separator: ", "))", hint: hint)
  }
}
