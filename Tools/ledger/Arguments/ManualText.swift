/// What the manual page says that no single command does.
enum ManualText {
  static let date = "November 30, 2026"

  static let times = [
    """
    TIME is written as RFC 3339 (2026-12-03T10:00:00Z), as a date (2026-12-03, its first instant \
    in UTC), as now, or as Unix seconds with @ before them (@1796292000).
    """,
    """
    Where a POSITION may stand instead, digits alone are a position of the log: what was known \
    when it had been written.
    """,
  ]

  static let environment: [(term: String, text: String)] = [
    ("LEDGER_PATH", "The ledger's folder where --ledger is not given."),
    ("NO_COLOR", "Text is not colored where this is set to anything and --color is not given."),
    ("TERM", "Text is not colored where this is dumb and --color is not given."),
    ("COLUMNS", "The width of the text where standard output is not a terminal."),
  ]

  static let files: [(term: String, text: String)] = [
    ("./membership.ledger", "The ledger's folder where nothing else is named."),
    ("log/", "In the ledger's folder: events, indexes and projections."),
    ("documents/", "In the ledger's folder: the providers' documents. It may be removed."),
  ]
}
