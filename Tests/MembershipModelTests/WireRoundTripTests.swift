import LedgerTestSupport
import MembershipModel
import Testing

/// A seed of its own for each run, printed so that a failure can be made again.
func freshSeed(_ test: String = #function) -> UInt64 {
  let seed = UInt64.random(in: 0...UInt64.max)
  print("seed of \(test): \(seed)")
  return seed
}

@Suite struct `Records on the wire` {
  @Test func `every fact round trips with every optional field present or absent`() throws {
    var generator = EventGenerator(seed: freshSeed())
    for fact in Fact.Body.known {
      for _ in 0..<30 {
        let record = generator.record(of: [fact.name])
        let bytes = record.encoded()
        let decoded = try RecordedEvent(decoding: bytes)
        #expect(decoded == record)
        #expect(decoded.encoded() == bytes)
        #expect(decoded.event.facts.map(\.body.name) == [fact.name])
      }
    }
  }

  @Test func `events round trip as JSON`() throws {
    var generator = EventGenerator(seed: freshSeed())
    for fact in Fact.Body.known {
      for _ in 0..<20 {
        var event = generator.event(of: [fact.name])
        let text = event.json.text()
        event.provenance = .blank
        #expect(try Event(json: JSONValue(parsing: Array(text.utf8))) == event)
      }
    }
  }

  @Test func `a record cut off anywhere is refused or means something else`() throws {
    var generator = EventGenerator(seed: freshSeed())
    for fact in Fact.Body.known {
      let record = generator.record(of: [fact.name])
      let bytes = record.encoded()
      let misread = bytes.indices.filter { length in
        (try? RecordedEvent(decoding: Array(bytes[..<length]))) == record
      }
      #expect(misread == [], "fact \(fact.name)")
    }
  }

  @Test func `flipped bits never trap, and what still decodes encodes again`() throws {
    var generator = EventGenerator(seed: freshSeed())
    for fact in Fact.Body.known {
      let original = generator.record(of: [fact.name]).encoded()
      for _ in 0..<300 {
        var bytes = original
        for _ in 0..<Int.random(in: 1...4, using: &generator.random) {
          let index = Int.random(in: bytes.indices, using: &generator.random)
          bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator.random)
        }
        guard let decoded = try? RecordedEvent(decoding: bytes) else { continue }
        _ = decoded.json.text()
        if try RecordedEvent(decoding: decoded.encoded()) != decoded {
          Issue.record("another record comes back from \(bytes)")
        }
      }
    }
  }

  @Test func `random bytes never trap`() {
    var random = SeededGenerator(seed: freshSeed())
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...60, using: &random)
      let bytes = (0..<count).map { _ in
        // Small bytes make plausible tags and lengths.
        UInt8.random(in: 0...(Bool.random(using: &random) ? 0x3f : 0xff), using: &random)
      }
      _ = try? RecordedEvent(decoding: bytes)
      _ = try? Fact(decoding: bytes)
      _ = try? CatalogRevision(decoding: bytes)
    }
  }

  @Test func `an event that stands behind its provenance keeps it`() throws {
    var generator = EventGenerator(seed: 7, extent: .whole)
    let record = generator.record()
    let fields = try WireFields(record.encoded())
    let reversed = Array(fields.all.reversed().joined())
    #expect(try RecordedEvent(decoding: reversed) == record)
  }

  @Test func `fields in any order mean the same`() throws {
    var generator = EventGenerator(seed: freshSeed())
    for fact in Fact.Body.known {
      let event = generator.event(of: [fact.name])
      var fields = try WireFields(event.encoded())
      fields.shuffle(using: &generator.random)
      var decoded = try Event(decoding: fields.bytes)
      decoded.provenance = event.provenance
      #expect(decoded == event)
    }
  }
}
