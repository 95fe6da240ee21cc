/// Writes the protobuf wire format.
package struct WireWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func tag(_ number: Int, _ type: WireType) {
    varint(UInt64(number) << 3 | UInt64(type.rawValue))
  }

  mutating func raw(_ raw: [UInt8]) {
    bytes += raw
  }

  /// Writes bytes behind their length.
  mutating func lengthDelimited(_ content: some Collection<UInt8>) {
    varint(UInt64(content.count))
    bytes += content
  }

  /// Writes what the body writes behind its length.
  mutating func lengthDelimited(_ body: (inout WireWriter) -> Void) {
    var inner = WireWriter()
    body(&inner)
    lengthDelimited(inner.bytes)
  }
}

/// The wire types of protobuf that exist outside of groups.
enum WireType: UInt8 {
  case varint = 0
  case fixed64 = 1
  case lengthDelimited = 2
  case fixed32 = 5
}
