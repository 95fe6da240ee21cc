internal import Foundation
internal import MembershipModel

extension RecordedEvent {
  /// A document as it was sent: as text, or in base64 where it is none.
  static func documentFields(_ document: [UInt8]?) -> [JSONValue.Field] {
    let text = document.flatMap { String(validating: $0, as: UTF8.self) }
    let encoded = text == nil ? document.map { Data($0).base64EncodedString() } : nil
    return [
      JSONValue.Field("documentText", .text(text)),
      JSONValue.Field("documentBase64", .text(encoded)),
    ]
  }

  /// The lines of the event's document, below the event's own.
  func documentLines(_ document: [UInt8]?, style: TextStyle) -> [String] {
    guard let document else {
      if event.provenance.document.isEmpty { return [] }
      return [Self.indentation + style.paint("its document was removed", .faint)]
    }
    guard let text = String(validating: document, as: UTF8.self) else {
      return [Self.indentation + style.paint("\(document.count) bytes that are no text", .faint)]
    }
    return text.split(whereSeparator: \.isNewline).map { Self.indentation + printable(String($0)) }
  }

  /// The width of a position and the gap after it.
  private static let indentation = String(repeating: " ", count: 8)
}
