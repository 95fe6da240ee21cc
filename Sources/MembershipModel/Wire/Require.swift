/// Throws where a field that a message cannot do without is missing.
func require(_ value: some FieldValue, _ field: String) throws(WireError) {
  if value == type(of: value).defaultValue {
    throw .invalid(field: field, rule: "it is required")
  }
}
