import Foundation
import MembershipModel
import Testing

@testable import LedgerCommand

/// The verbs that audit and maintain.
@Suite struct AuditTests {
  @Test func `a backup goes to a new or an empty folder, and to no other`() throws {
    try LedgerFolder.withMembership { folder in
      let copies = ["\(folder.scratch)/new", "\(folder.scratch)/empty"]
      try FileManager.default.createDirectory(
        atPath: copies[1], withIntermediateDirectories: false)
      for copy in copies {
        #expect(try folder.run("backup", copy).status == 0)
        #expect(try LedgerProcess.ledger("--ledger", copy, "verify").status == 0)
        let again = try folder.run("backup", copy)
        #expect(again.status == 74 && again.errors.contains("new or empty folder"))
      }
      let file = try folder.file("file", "text")
      #expect(try folder.run("backup", file).status == 74)
      #expect(try LedgerProcess.ledger("backup", "--help").output.contains("new or empty folder"))
    }
  }

  private static let fields = [
    "ok", "events", "rows", "missingDocuments", "foreignProjections", "root", "digest",
    "differences",
  ]

  @Test func `replay and verify find a ledger sound`() throws {
    try LedgerFolder.withMembership { folder in
      let replay = try folder.json("replay")
      let verify = try folder.json("verify")
      #expect(replay.keys == Self.fields && verify.keys == Self.fields)
      #expect(replay["ok"]?.bool == true && verify["ok"]?.bool == true)
      #expect(replay["root"] == verify["root"] && replay["digest"] == verify["digest"])
      #expect(replay["events"]?.integer == 3)
      #expect(try folder.run("replay").output.hasPrefix("replay: sound\n"))
    }
  }

  @Test func `a replay stops where it is told to`() throws {
    try LedgerFolder.withMembership { folder in
      let part = try folder.json("replay", "--until", "2")
      #expect(part["events"]?.integer == 2 && part["differences"] == .array([]))
      #expect(part["digest"] != (try folder.json("replay"))["digest"])
      #expect(try folder.json("replay", "--until", "2020-01-01")["events"]?.integer == 0)
      #expect(try folder.run("replay", "--until", "99").status == 65)
    }
  }

  @Test func `a changed record is damage with status 2`() throws {
    try LedgerFolder.withMembership { folder in
      let file = URL(filePath: "\(folder.path)/log/data.mdb")
      var bytes = try Data(contentsOf: file)
      // Every copy of the id in the records and the index, so that the change is no mere leftover.
      let id = Data("stripe:evt_2".utf8)
      var start = bytes.startIndex
      while let range = bytes.range(of: id, in: start..<bytes.endIndex) {
        bytes[range.upperBound - 1] ^= 1
        start = range.upperBound
      }
      try bytes.write(to: file)
      let verify = try folder.json("verify", status: 2)
      #expect(verify["ok"]?.bool == false)
      #expect(verify["differences"]?.array?.isEmpty == false)
      let text = try folder.run("verify")
      #expect(text.status == 2 && text.output.contains("\n  ! "))
    }
  }

  @Test func `removed documents are counted and are no damage`() throws {
    try LedgerFolder.withMembership { folder in
      try FileManager.default.removeItem(atPath: "\(folder.path)/documents")
      let verify = try folder.json("verify")
      #expect(verify["missingDocuments"]?.integer == 2 && verify["ok"]?.bool == true)
    }
  }

  @Test func `a rebuild changes nothing that can be asked`() throws {
    try LedgerFolder.withMembership { folder in
      let before = try folder.json("replay")
      #expect(try folder.run("rebuild").status == 0)
      #expect(try folder.json("rebuild")["position"]?.integer == 3)
      #expect(try folder.json("replay") == before)
      #expect(try folder.json("memberships").array?.count == 1)
    }
  }

  @Test func `a backup is a ledger with the same answers, made once`() throws {
    try LedgerFolder.withMembership { folder in
      let copy = "\(folder.scratch)/copy.ledger"
      #expect(try folder.run("backup", copy).status == 0)
      let result = try LedgerProcess.ledger("--ledger", copy, "--json", "verify")
      #expect(
        try JSONValue(parsing: Array(result.output.utf8)) == (try folder.json("verify")))
      #expect(try folder.run("backup", copy).status == 74)
    }
  }

  @Test func `stats name what there is`() throws {
    try LedgerFolder.withMembership { folder in
      let stats = try folder.json("stats")
      #expect(
        stats.keys == [
          "ledger", "events", "root", "lastRecordedAt", "clockBehindMilliseconds", "usedBytes",
          "documents", "documentsFault", "readers", "maximumReaders",
          "oldestReaderLag", "projectionVersion", "tables",
        ])
      #expect(stats["events"]?.integer == 3)
      #expect(try folder.run("stats").output.contains("TABLE"))
    }
  }

  @Test func `a byte changed where the file begins is 2, or does no harm`() throws {
    try LedgerFolder.withMembership { folder in
      let file = URL(filePath: "\(folder.path)/log/data.mdb")
      let whole = try Data(contentsOf: file)
      for place in stride(from: 7, to: 152, by: 9).flatMap({ [$0, 4096 + $0] }) {
        var bytes = whole
        bytes[place] ^= 0x91
        try bytes.write(to: file)
        for verb in [["verify"], ["check", "user_42", "premium_tier", "--at", "2026-01-15"]] {
          let result = try LedgerProcess.run(
            LedgerProcess.executable, ["--ledger", folder.path] + verb)
          #expect(!result.wasSignalled)
          #expect([0, 2].contains(result.status), "\(verb) \(place): \(result.errors)")
        }
      }
    }
  }

  @Test func `a truncated log is damage`() throws {
    try LedgerFolder.withMembership { folder in
      let handle = try #require(FileHandle(forUpdatingAtPath: "\(folder.path)/log/data.mdb"))
      try handle.truncate(atOffset: 9000)
      try handle.close()
      #expect(try folder.run("stats").status == 2)
    }
  }

  @Test func `a shell is offered what the ledger knows`() throws {
    try LedgerFolder.withMembership { folder in
      func offered(_ words: String...) throws -> String {
        try LedgerProcess.run(
          LedgerProcess.executable, ["--complete", "--ledger", folder.path] + words
        ).output
      }
      #expect(try offered("check", "us") == "user_42\n")
      #expect(try offered("check", "user_42", "") == "premium_tier\tPremium\n")
      #expect(try offered("timeline", "stripe:") == "stripe:sub_1\texpired, of user_42\n")
      #expect(try offered("events", "--membership", "") == "stripe:sub_1\texpired, of user_42\n")
      let none = try LedgerProcess.ledger("--complete", "--ledger", "/no/ledger", "check", "")
      #expect(none.status == 0 && none.output.isEmpty && none.errors.isEmpty)
    }
  }
}
