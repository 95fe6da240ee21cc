internal import MembershipModel

extension Identifier: ArgumentValue {
  static var placeholder: String { "ID" }

  init(argument: String) throws(ArgumentError) {
    do throws(InvalidValue) {
      try self.init(argument)
    } catch {
      throw ArgumentError("is not an identifier: \(error.rule)")
    }
  }
}
