/// The folder of the ledger that a command works on.
func ledgerPath(option: String?, environment: [String: String]) -> String {
  if let option { return option }
  if let path = environment["LEDGER_PATH"], !path.isEmpty { return path }
  return "./membership.ledger"
}
