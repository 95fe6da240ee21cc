import MembershipModel
import Testing

@Suite struct `The published schema` {
  private let code: SchemaVisitor
  private let file: SchemaFile

  init() throws {
    var visitor = SchemaVisitor()
    visitor.collect(RecordedEvent.self)
    code = visitor
    file = try SchemaFile()
  }

  @Test func `names every message and field as the code has them`() {
    var messages = code.messages.mapValues { fields in
      Set(
        fields.map { field in
          SchemaField(
            number: field.number, name: field.name.inSnakeCase, type: field.type,
            label: field.label)
        })
    }
    #expect(Set(messages.keys) == Set(file.messages.keys))
    for (name, fields) in file.messages {
      #expect(messages.removeValue(forKey: name) == fields, "message \(name)")
    }
  }

  @Test func `names every value of every enumeration as the code has them`() {
    #expect(Set(code.enumerations.keys) == Set(file.enumerations.keys))
    for (name, values) in code.enumerations {
      let prefix = name.inSnakeCase.uppercased() + "_"
      var expected = values.mapValues { prefix + $0.inSnakeCase.uppercased() }
      expected[0] = prefix + "UNSPECIFIED"
      #expect(file.enumerations[name] == expected, "enum \(name)")
    }
  }

  @Test func `explains every message, field and value`() {
    #expect(file.uncommented == [])
  }

  @Test func `gives each field number once`() {
    for (name, fields) in code.messages {
      #expect(Set(fields.map(\.number)).count == fields.count, "message \(name)")
      #expect(Set(fields.map(\.name)).count == fields.count, "message \(name)")
      #expect(fields.allSatisfy { $0.number < 64 || $0.label == "oneof" }, "message \(name)")
    }
  }

  @Test func `leaves no field of a fact hidden behind another in JSON`() throws {
    let own = Set(try #require(code.messages["Fact"]).filter { $0.label != "oneof" }.map(\.name))
    for field in try #require(code.messages["Fact"]) where field.label == "oneof" {
      let names = Set(try #require(code.messages[field.type]).map(\.name))
      #expect(names.isDisjoint(with: own.union(["type"])), "fact \(field.name)")
    }
  }

  @Test func `a blank message holds defaults alone and has an empty wire form`() {
    #expect(code.filledBlanks == [])
    for (name, blank) in code.blanks {
      #expect(blank.encoded() == [], "message \(name)")
    }
  }
}
