import Foundation
import LedgerTestSupport
import Testing

/// `Tools/setup` on machines that lack things: every program it may call is a stand-in.
@Suite struct SetupScriptTests {
  private static let script = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Tools/setup").path

  /// What a machine has.
  private struct Machine {
    var libraries = ["lmdb", "libcrypto", "libzstd", "libxxhash"]
    var programs = ["pkg-config", "protoc", "apt-get", "sudo", "swift"]
    var userID = 0
    var swiftBanner = "Swift version 6.3.1 (swift-6.3.1-RELEASE)"
    /// Whether apt-get installs what it is told to.
    var aptWorks = true
  }

  private struct Outcome {
    let process: LedgerProcess
    /// The command lines that apt-get got, behind `sudo` where it was called through it.
    let installations: [String]
  }

  /// The stand-ins: apt-get notes its words, and puts the library or program of each package there.
  private static let standIns = [
    "pkg-config": #"[ -e "$STATE/lib-$2" ]"#,
    "protoc": "exit 0",
    "sudo": #"AS_ROOT="sudo " exec "$@""#,
    "id": #"echo "$USER_ID""#,
    "swift": #"echo "$SWIFT_BANNER""#,
    "apt-get": #"""
    echo "${AS_ROOT:-}apt-get $*" >> "$STATE/installations"
    [ "$1" = install ] && [ -z "${APT_BROKEN:-}" ] || exit 0
    for package in "$@"; do
      case $package in
        liblmdb-dev) : > "$STATE/lib-lmdb" ;;
        libssl-dev) : > "$STATE/lib-libcrypto" ;;
        libzstd-dev) : > "$STATE/lib-libzstd" ;;
        libxxhash-dev) : > "$STATE/lib-libxxhash" ;;
        pkg-config) ln -s "$STAND_INS/pkg-config" "$PATH/pkg-config" ;;
        protobuf-compiler) ln -s "$STAND_INS/protoc" "$PATH/protoc" ;;
      esac
    done
    """#,
  ]

  private func setUp(_ machine: Machine) throws -> Outcome {
    try withScratchFolder { scratch in
      let manager = FileManager.default
      for folder in ["bin", "stand-ins", "state"] {
        try manager.createDirectory(
          atPath: "\(scratch)/\(folder)", withIntermediateDirectories: false)
      }
      for (name, text) in Self.standIns {
        let path = "\(scratch)/stand-ins/\(name)"
        try Data("#!/bin/bash\n\(text)\n".utf8).write(to: URL(filePath: path))
        try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
      }
      for name in machine.programs + ["id"] {
        try manager.createSymbolicLink(
          atPath: "\(scratch)/bin/\(name)", withDestinationPath: "\(scratch)/stand-ins/\(name)")
      }
      try manager.createSymbolicLink(
        atPath: "\(scratch)/bin/ln", withDestinationPath: "/bin/ln")
      for library in machine.libraries {
        try Data().write(to: URL(filePath: "\(scratch)/state/lib-\(library)"))
      }
      let process = try LedgerProcess.run(
        "/bin/bash", ["-c", "set -euo pipefail; source \"$1\"", "setup", Self.script],
        environment: [
          "PATH": "\(scratch)/bin", "STATE": "\(scratch)/state", "USER_ID": "\(machine.userID)",
          "STAND_INS": "\(scratch)/stand-ins", "SWIFT_BANNER": machine.swiftBanner,
          "APT_BROKEN": machine.aptWorks ? "" : "yes",
        ])
      let log = try? Data(contentsOf: URL(filePath: "\(scratch)/state/installations"))
      let lines = String(decoding: log ?? Data(), as: UTF8.self).split(separator: "\n")
      return Outcome(process: process, installations: lines.map(String.init))
    }
  }

  @Test func `where all is there nothing is installed and nothing said`() throws {
    let outcome = try setUp(Machine(programs: ["pkg-config", "protoc", "swift"], userID: 1000))
    #expect(outcome.process.status == 0 && outcome.installations.isEmpty)
    #expect(outcome.process.output.isEmpty && outcome.process.errors.isEmpty)
  }

  @Test func `what is missing, and that alone, is installed by root`() throws {
    let outcome = try setUp(Machine(libraries: ["libcrypto", "libzstd", "libxxhash"]))
    #expect(outcome.process.status == 0, "\(outcome.process.errors)")
    #expect(outcome.process.output.isEmpty)
    #expect(outcome.process.errors == "Installing liblmdb-dev with apt-get\n")
    #expect(
      outcome.installations == [
        "apt-get update", "apt-get install --yes --no-install-recommends liblmdb-dev",
      ])
  }

  @Test func `on a bare machine a user installs everything with sudo`() throws {
    let outcome = try setUp(
      Machine(libraries: [], programs: ["apt-get", "sudo", "swift"], userID: 1000))
    #expect(outcome.process.status == 0, "\(outcome.process.errors)")
    let packages =
      "pkg-config protobuf-compiler liblmdb-dev libssl-dev libzstd-dev "
      + "libxxhash-dev"
    #expect(outcome.process.errors == "Installing \(packages) with sudo apt-get\n")
    #expect(
      outcome.installations == [
        "sudo apt-get update", "sudo apt-get install --yes --no-install-recommends \(packages)",
      ])
  }

  @Test func `without root and sudo it says what to run, and runs nothing`() throws {
    let outcome = try setUp(
      Machine(
        libraries: ["lmdb", "libcrypto", "libxxhash"],
        programs: ["pkg-config", "protoc", "apt-get", "swift"],
        userID: 1000))
    #expect(outcome.process.status == 1 && outcome.installations.isEmpty)
    #expect(outcome.process.errors.contains("As root, run:\n  apt-get install libzstd-dev\n"))
  }

  @Test func `without apt-get it names what is missing`() throws {
    let outcome = try setUp(
      Machine(libraries: ["libzstd", "libxxhash"], programs: ["pkg-config", "protoc", "swift"]))
    #expect(outcome.process.status == 1)
    #expect(outcome.process.errors.contains("by their Debian names: liblmdb-dev libssl-dev."))
  }

  @Test func `an installation that leaves something out is an error`() throws {
    let outcome = try setUp(Machine(libraries: ["lmdb"], aptWorks: false))
    #expect(outcome.process.status == 1)
    #expect(
      outcome.process.errors.contains(
        "Still missing after the installation: libssl-dev libzstd-dev libxxhash-dev."))
  }

  @Test(arguments: [
    "Swift version 6.2 (x)", "Apple Swift version 6.2.1", "Swift version 6.10", "Swift version 7.0",
  ])
  func `a Swift that is new enough is taken`(banner: String) throws {
    #expect(try setUp(Machine(swiftBanner: banner)).process.status == 0)
  }

  @Test(arguments: [
    ("Swift version 6.1.2", "Swift 6.1, which is too old"),
    ("Swift version 5.10", "Swift 5.10, which is too old"),
    ("OpenStack client", "does not tell its version, but: OpenStack client"),
  ])
  func `an older or another swift is refused with the remedy`(
    banner: String, message: String
  ) throws {
    let outcome = try setUp(Machine(swiftBanner: banner))
    #expect(outcome.process.status == 1)
    #expect(outcome.process.errors.contains(message))
    #expect(outcome.process.errors.contains("Install Swift 6.2 or newer"))
  }

  @Test func `no swift at all is refused with the remedy`() throws {
    let outcome = try setUp(Machine(programs: ["pkg-config", "protoc"]))
    #expect(outcome.process.status == 1)
    #expect(outcome.process.errors.contains("There is no swift on PATH. Install Swift 6.2"))
  }
}
