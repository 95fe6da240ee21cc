/// What a command line asks for.
struct Invocation: Sendable {
  /// The commands that it names, from the program itself down.
  let path: [CommandSpec]
  let global: GlobalOptions
  /// The values of the last command; none where help or the version is asked for.
  let values: ParsedValues
}
