/// The words that the process was started with.
package enum ProcessArguments {
  /// The place of the first word that is not UTF-8, the program's name being 0; nil where all are.
  ///
  /// `CommandLine.arguments` repairs such a word without saying so.
  package static func firstInvalid() -> Int? {
    (0..<Int(CommandLine.argc)).first { index in
      // Safe because argv has argc words, each a C string that lives as long as the process, which
      // changes none of them.
      guard let word = unsafe CommandLine.unsafeArgv[index] else { return false }
      return unsafe String(validatingCString: word) == nil
    }
  }
}
