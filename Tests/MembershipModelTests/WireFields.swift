@testable import MembershipModel

/// The fields of one message, each with its tag, for tests that put them together otherwise.
struct WireFields {
  var all: [[UInt8]] = []

  init(_ bytes: [UInt8]) throws {
    var reader = WireReader(bytes)
    while let tag = try reader.nextTag() {
      all.append(Array(try reader.skip(tag.type)))
    }
  }

  var bytes: [UInt8] { Array(all.joined()) }

  /// Brings the fields out of order, but keeps the elements of repeated ones in theirs.
  mutating func shuffle(using generator: inout some RandomNumberGenerator) {
    let groups = Dictionary(grouping: all, by: \.first)
    all = groups.values.shuffled(using: &generator).flatMap(\.self)
  }
}

/// A field as protobuf writes it.
func wireField(_ number: Int, text: String) -> [UInt8] {
  wireField(number, content: Array(text.utf8))
}

func wireField(_ number: Int, content: [UInt8]) -> [UInt8] {
  var writer = WireWriter()
  writer.tag(number, .lengthDelimited)
  writer.lengthDelimited(content)
  return writer.bytes
}

func wireField(_ number: Int, varint: UInt64) -> [UInt8] {
  var writer = WireWriter()
  writer.tag(number, .varint)
  writer.varint(varint)
  return writer.bytes
}
