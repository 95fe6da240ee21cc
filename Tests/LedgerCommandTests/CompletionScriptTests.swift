import LedgerTestSupport
import Testing

@testable import LedgerCommand

@Suite struct CompletionScriptTests {
  @Test(arguments: Shell.allCases)
  func `the script of a shell is as recorded`(shell: Shell) throws {
    try expectSnapshot(shell.script, named: "completion.\(shell.rawValue)")
  }

  @Test func `bash finds no fault in its script`() throws {
    let result = try LedgerProcess.run("/bin/bash", ["-n"], input: Shell.bash.script)
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
  }

  @Test(arguments: [("zsh", "-n"), ("fish", "--no-execute")])
  func `another shell finds no fault in its script`(name: String, option: String) throws {
    guard let program = LedgerProcess.installed(name) else { return }
    let script = try #require(Shell(rawValue: name)).script
    let result = try LedgerProcess.run(program, [option], input: script)
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
  }

  /// What bash would offer at the end of a line, whose words are given as bash splits them.
  private func bashReply(line: String, words: [String]) throws -> [String] {
    let quoted = words.map { "'\($0)'" }.joined(separator: " ")
    let script = """
      source <(ledger completion bash)
      COMP_LINE='\(line)' COMP_POINT=\(line.utf8.count)
      COMP_WORDS=(\(quoted)) COMP_CWORD=\(words.count - 1)
      _ledger ledger
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let result = try LedgerProcess.run("/bin/bash", ["--norc", "-c", script])
    #expect(result.errors.isEmpty)
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test func `bash offers commands, options and values`() throws {
    #expect(try bashReply(line: "ledger comp", words: ["ledger", "comp"]) == ["completion"])
    #expect(
      try bashReply(line: "ledger completion ", words: ["ledger", "completion", ""])
        == ["bash", "zsh", "fish"])
    #expect(
      try bashReply(line: "ledger --col", words: ["ledger", "--col"]) == ["--color"])
    #expect(
      try bashReply(line: "ledger --color=al", words: ["ledger", "--color", "=", "al"])
        == ["always"])
    #expect(
      try bashReply(line: "ledger --color=", words: ["ledger", "--color", "="])
        == ["auto", "always", "never"])
  }
}
