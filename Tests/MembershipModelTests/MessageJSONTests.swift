import MembershipModel
import Testing

@Suite struct `An event in JSON` {
  private func parse(_ facts: String, id: String = #""e1""#) throws(InvalidValue) -> Event {
    let text = """
      {"id":\(id),"provider":"manual","environment":"production",
      "effectiveAt":"2026-11-30T12:00:00Z","facts":\(facts)}
      """
    return try Event(json: JSONValue(parsing: Array(text.utf8)))
  }

  @Test func `is read with the defaults for what it leaves out`() throws {
    let event = try parse(
      #"[{"type":"purchased","membership":"m1","id":"t1","kind":"paid","period":null}]"#)
    let expected = Fact(.purchased(Transaction(id: "t1", kind: .paid)), membership: "m1")
    #expect(event.facts == [expected])
    #expect(event.effectiveAt == Timestamp(milliseconds: 1_796_040_000_000))
  }

  @Test func `names the type of a noted document apart from the fact's`() throws {
    let event = try parse(#"[{"type":"noted","documentType":"x.created"}]"#)
    #expect(event.facts == [Fact(.noted(Note(type: "x.created")))])
  }

  @Test(arguments: [
    (#"{}"#, #""{}": facts is a list"#),
    (#"[1]"#, #""1": facts: Fact is an object"#),
    (#"[{}]"#, #""type": facts: a fact names its type"#),
    (
      #"[{"type":"held","cause":"c","membership":"m1"}]"#,
      #""held": facts: a fact's type is one of "#
        + Fact.Body.known.map(\.name).joined(separator: ", ")
    ),
    (
      #"[{"type":"resumed","cause":"c","until":"x"}]"#,
      #""until": facts: Resumption has the fields cause, at"#
    ),
    (
      #"[{"type":"resumed"}]"#, #""Resumption": facts: field cause: it is required"#
    ),
    (#"[{"type":"resumed","cause":1}]"#, #""1": facts: cause: a string is expected"#),
    (
      #"[{"type":"resumed","cause":"c","at":"soon"}]"#,
      #""soon": facts: at: a time is RFC 3339 such as 2026-11-30T12:00:00Z, or a date"#
    ),
    (
      #"[{"type":"disputeOpened","id":"d","kind":"war"}]"#,
      #""war": facts: kind: one of dispute, inquiry is expected"#
    ),
    (
      #"[{"type":"extended","until":"2026-11-30","membership":""}]"#,
      #""": facts: membership: an identifier has at least one byte"#
    ),
  ])
  func `with a fault is refused with its field and rule`(facts: String, expected: String) {
    do {
      _ = try parse(facts)
      Issue.record("\(facts) was read")
    } catch {
      #expect(error.description == expected)
    }
  }

  @Test func `without an id is refused`() {
    #expect(throws: InvalidValue(value: "Event", rule: "field id: it is required")) {
      try parse("[]", id: "null")
    }
  }
}
