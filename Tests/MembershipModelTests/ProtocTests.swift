import Foundation
import LedgerTestSupport
import MembershipModel
import Testing

@Suite struct `Records as protoc reads them` {
  @Test func `every fact decodes to the fields that were written`() throws {
    guard let protoc = Self.protoc else {
      print("SKIPPED: no protoc on this machine, so ledger.proto was not checked by it;")
      print("SKIPPED: install protobuf-compiler and run again")
      return
    }
    for (index, fact) in Fact.Body.known.enumerated() {
      for extent in [EventGenerator.Extent.whole, .random] {
        var generator = EventGenerator(seed: UInt64(index), extent: extent)
        var record = generator.record(of: [fact.name])
        var text = ProtoText()
        try record.visit(&text)
        #expect(try decode(record.encoded(), with: protoc) == text.text, "fact \(fact.name)")
      }
    }
  }

  private static let protoc = ["/usr/bin/protoc", "/usr/local/bin/protoc"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  private func decode(_ bytes: [UInt8], with protoc: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: protoc)
    process.arguments = [
      "--decode=membership_ledger.v1.Record", "--proto_path=\(SchemaFile.folder)", "ledger.proto",
    ]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(bytes))
    try input.fileHandleForWriting.close()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return String(decoding: text, as: UTF8.self)
  }
}

/// Writes a message in the text format of protobuf, as `protoc --decode` does.
private struct ProtoText: FieldVisitor {
  private(set) var text = ""
  private var indentation = ""

  mutating func field<Value: FieldValue>(
    _ number: Int, _ name: String, _ value: inout Value
  ) throws(WireError) {
    if value != Value.defaultValue { try write(name, value) }
  }

  mutating func field<Value: FieldValue>(
    _ number: Int, _ name: String, _ value: inout Value?
  ) throws(WireError) {
    if let value { try write(name, value) }
  }

  mutating func field<Value: FieldValue>(
    _ number: Int, _ name: String, _ value: inout [Value]
  ) throws(WireError) {
    for element in value { try write(name, element) }
  }

  mutating func body(_ body: inout Fact.Body) throws(WireError) {
    if let payload = body.payload { try write(body.name, payload) }
  }

  private mutating func write(_ name: String, _ value: any FieldValue) throws(WireError) {
    text += indentation + name.inSnakeCase
    if var message = value as? any Message {
      text += " {\n"
      indentation += "  "
      try message.visit(&self)
      indentation.removeLast(2)
      text += indentation + "}\n"
    } else {
      text += ": " + scalar(value) + "\n"
    }
  }

  private func scalar(_ value: any FieldValue) -> String {
    switch value {
    case let value as any OpenEnum: enumeration(value)
    case let value as Timestamp: String(value.milliseconds)
    case let value as Position: String(value.rawValue)
    case let value as UInt64: String(value)
    case let value as Bytes: quoted(value.content)
    case let value where type(of: value).schemaType == "string":
      quoted(Array((value.json.string ?? "").utf8))
    default: value.json.text()
    }
  }

  private func enumeration(_ value: any OpenEnum) -> String {
    let prefix = type(of: value).schemaType.inSnakeCase
    return "\(prefix)_\(value.name.inSnakeCase)".uppercased()
  }

  private func quoted(_ bytes: [UInt8]) -> String {
    var text = "\""
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\n"): text += "\\n"
      case UInt8(ascii: "\r"): text += "\\r"
      case UInt8(ascii: "\t"): text += "\\t"
      case UInt8(ascii: "\""): text += "\\\""
      case UInt8(ascii: "'"): text += "\\'"
      case UInt8(ascii: "\\"): text += "\\\\"
      case 0x20..<0x7f: text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 8)
        text += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
      }
    }
    return text + "\""
  }
}
