import MembershipModel

/// The object as it was before: `previous_attributes` laid over the object as it is.
enum StripePrevious {
  /// The object before the change, or nil where the document does not say.
  ///
  /// What is unusable in it is no fault of the document's own statement and is not noted.
  static func object(before object: DocumentObject, changed attributes: JSONValue?)
    -> DocumentObject?
  {
    guard let attributes, attributes.fields != nil else { return nil }
    let faults = DocumentFaults(.stripe)
    let laid = lay(withItems(attributes, of: object.value), over: object.value)
    return DocumentObject(laid, faults: faults)
  }

  /// Former values replace present ones; objects are laid over each other field by field as long
  /// as they are the same object, since only the fields that changed are given.
  private static func lay(_ former: JSONValue, over present: JSONValue) -> JSONValue {
    switch (former, present) {
    case (.object(let formerFields), .object(let presentFields)):
      if let id = former["id"], let presentID = present["id"], id != presentID { return former }
      return lay(formerFields, over: presentFields)
    case (.array(let formerElements), .array(let presentElements)):
      return .array(lay(formerElements, over: presentElements))
    default:
      return former
    }
  }

  private static func lay(
    _ former: [JSONValue.Field], over present: [JSONValue.Field]
  ) -> JSONValue {
    let values = Dictionary(present.map { ($0.key, $0.value) }) { first, _ in first }
    let formerKeys = Set(former.map(\.key))
    let changed = former.map { field in
      JSONValue.Field(
        field.key, values[field.key].map { lay(field.value, over: $0) } ?? field.value)
    }
    return .object(changed + present.filter { !formerKeys.contains($0.key) })
  }

  /// Arrays come whole; their elements are matched by id.
  private static func lay(_ former: [JSONValue], over present: [JSONValue]) -> [JSONValue] {
    let byID = Dictionary(
      present.compactMap { element in element["id"].map { ($0, element) } }
    ) { first, _ in first }
    return former.map { element in
      element["id"].flatMap { byID[$0] }.map { lay(element, over: $0) } ?? element
    }
  }

  /// Old API versions name a former plan or quantity beside the items: it is that of the one item.
  private static func withItems(_ attributes: JSONValue, of object: JSONValue) -> JSONValue {
    guard attributes["items"] == nil, let items = object["items"]?["data"]?.array,
      let item = items.first, items.count == 1, let fields = attributes.fields
    else { return attributes }
    var changes: [JSONValue.Field] = []
    if let plan = attributes["plan"] {
      changes += [JSONValue.Field("plan", plan), JSONValue.Field("price", .null)]
    }
    if let quantity = attributes["quantity"] { changes.append(.init("quantity", quantity)) }
    guard !changes.isEmpty, let itemFields = item.fields else { return attributes }
    let former = lay(changes, over: itemFields)
    return .object(fields + [.init("items", .object([.init("data", .array([former]))]))])
  }
}
