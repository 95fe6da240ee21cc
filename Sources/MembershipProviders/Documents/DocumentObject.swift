import MembershipModel

/// Reads the fields of one object of a document and remembers each that is there and cannot be used.
///
/// A field that is missing and one that is null are the same: not given.
struct DocumentObject {
  let value: JSONValue
  let faults: DocumentFaults
  private let path: String

  init(_ value: JSONValue, path: String = "", faults: DocumentFaults) {
    self.value = value
    self.path = path
    self.faults = faults
  }

  func given(_ key: String) -> JSONValue? {
    guard let field = value[key], !field.isNull else { return nil }
    return field
  }

  /// A text of 1 to 511 bytes without control characters.
  func text(_ key: String) -> String? {
    guard let field = given(key), field != .string("") else { return nil }
    guard let text = field.string, MembershipID.fault(in: text) == nil else {
      return fault(key, "no text of at most 511 bytes without control characters")
    }
    return text
  }

  func flag(_ key: String) -> Bool? {
    guard let field = given(key) else { return nil }
    return field.bool ?? fault(key, "neither true nor false")
  }

  func integer(_ key: String) -> Int64? {
    guard let field = given(key) else { return nil }
    return field.integer ?? fault(key, "no whole number")
  }

  /// Seconds since 1970, within the years 1 to 9999.
  func instant(_ key: String) -> Timestamp? {
    guard let field = given(key) else { return nil }
    guard let seconds = field.integer else { return fault(key, "no time in whole seconds") }
    return usable(Timestamp(seconds: seconds), key)
  }

  /// Milliseconds since 1970, within the years 1 to 9999.
  func milliseconds(_ key: String) -> Timestamp? {
    guard let field = given(key) else { return nil }
    guard let milliseconds = field.integer else {
      return fault(key, "no time in whole milliseconds")
    }
    return usable(Timestamp(milliseconds: milliseconds), key)
  }

  /// An RFC 3339 time, within the years 1 to 9999.
  func time(_ key: String) -> Timestamp? {
    guard let field = given(key) else { return nil }
    guard let text = field.string, let instant = try? Timestamp(parsing: text) else {
      return fault(key, "no RFC 3339 time")
    }
    return usable(instant, key)
  }

  private func usable(_ instant: Timestamp, _ key: String) -> Timestamp? {
    guard instant >= .earliest, instant <= .latest else {
      return fault(key, "outside the years 1 to 9999")
    }
    return instant
  }

  func period(from start: String, to end: String) -> Period? {
    guard let from = instant(start), let until = instant(end) else { return nil }
    guard from <= until else { return fault(end, "before \(start)") }
    return Period(start: from, end: until)
  }

  func object(_ key: String) -> DocumentObject? {
    guard let field = given(key) else { return nil }
    guard field.fields != nil else { return fault(key, "no object") }
    return child(field, key)
  }

  /// The object where the field is expanded to one; an id in its place is no fault.
  func expanded(_ key: String) -> DocumentObject? {
    guard let field = given(key), field.fields != nil else { return nil }
    return child(field, key)
  }

  /// More elements than this make more facts than one record holds.
  private static let maximumElements = 1000

  /// The objects of a list, given bare or as the `data` of a list object.
  func list(_ key: String) -> [DocumentObject] {
    guard let field = given(key) else { return [] }
    guard let elements = field.array ?? field["data"]?.array else {
      return fault(key, "no list") ?? []
    }
    if elements.count > Self.maximumElements {
      faults.note("\(path)\(key) has more than \(Self.maximumElements) elements")
    }
    return elements.prefix(Self.maximumElements).compactMap { element in
      element.fields == nil ? fault(key, "a list of other than objects") : child(element, key)
    }
  }

  /// The id that the field holds, bare or as the id of an expanded object.
  func id(_ key: String) -> String? {
    expanded(key).map { $0.text("id") } ?? text(key)
  }

  /// The id that the field holds, with the provider's prefix.
  func identifier<Kind>(_ key: String) -> Identifier<Kind>? {
    id(key).flatMap { Self.identifier($0, faults) }
  }

  /// Joins parts to an identifier with the provider's prefix; one that is too long is a fault.
  static func identifier<Kind>(_ text: String, _ faults: DocumentFaults) -> Identifier<Kind>? {
    do {
      return try Identifier("\(faults.provider.rawValue):\(text)")
    } catch {
      faults.note("\(error)")
      return nil
    }
  }

  private func child(_ field: JSONValue, _ key: String) -> DocumentObject {
    DocumentObject(field, path: "\(path)\(key).", faults: faults)
  }

  private func fault<Value>(_ key: String, _ rule: String) -> Value? {
    faults.note("\(path)\(key) is \(rule)")
    return nil
  }
}

extension DocumentObject {
  /// The fields as text, for a digest.
  func rendered(_ keys: String...) -> [String] {
    keys.map { given($0)?.text() ?? "" }
  }
}
