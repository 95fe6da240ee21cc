/// Throws where a field that a message cannot do without is missing.
func require<Value: FieldValue>(_ value: Value, _ field: String) throws(WireError) {
  if value == Value.defaultValue { throw .invalid(field: field, rule: "it is required") }
}
