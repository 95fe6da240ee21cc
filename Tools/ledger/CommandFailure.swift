/// Why a command could not do its work, as its user reads it.
struct CommandFailure: Error, Equatable {
  let code: ExitCode
  let message: String
  /// What the user can do about it.
  let hint: String?

  init(_ code: ExitCode, _ message: String, hint: String? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
  }
}
