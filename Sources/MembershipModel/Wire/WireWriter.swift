/// Writes the protobuf wire format.
package struct WireWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  init(capacity: Int) {
    bytes.reserveCapacity(capacity)
  }

  mutating func varint(_ value: UInt64) {
    if value < 0x80 { return bytes.append(UInt8(value)) }
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

  /// Writes what the body writes behind its length, in place: most lengths take one byte, and only
  /// longer content is moved.
  mutating func lengthDelimited(_ body: (inout WireWriter) -> Void) {
    let start = bytes.count
    bytes.append(0)
    body(&self)
    let length = bytes.count - start - 1
    if length < 0x80 {
      bytes[start] = UInt8(length)
    } else {
      var prefix = WireWriter()
      prefix.varint(UInt64(length))
      bytes.replaceSubrange(start...start, with: prefix.bytes)
    }
  }
}

/// The wire types of protobuf that exist outside of groups.
enum WireType: UInt8 {
  case varint = 0
  case fixed64 = 1
  case lengthDelimited = 2
  case fixed32 = 5
}
