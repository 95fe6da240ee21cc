internal import LedgerStorage

/// The tables that are folded from the log.
///
/// They lie in one of two generations: a rebuild fills the other one, and makes it current and
/// drops this one in one commit.
enum ProjectionTable: String, CaseIterable, Hashable, Sendable {
  /// State of each thing, followed by the positions of the events about it.
  case entities
  /// What the hot path reads, by name.
  case access
  /// Whose access each event changed, by position.
  case changes
  /// The number of each entitlement.
  case entitlements
  /// The feed of changes, by number.
  case feed
  /// By name: how far the feed is with it, and the numbers of its changes.
  case customerFeeds
  /// When time alone makes a name's next change, in the order of time.
  case deadlines

  func name(_ generation: Int) -> String { "\(rawValue).\(generation)" }
}

/// The projection tables of one generation.
final class ProjectionTables: Sendable {
  let entities: Table
  let access: Table
  let changes: Table
  let entitlements: Table
  let feed: Table
  let customerFeeds: Table
  let deadlines: Table

  init(_ table: (ProjectionTable) throws(StorageError) -> Table) throws(StorageError) {
    entities = try table(.entities)
    access = try table(.access)
    changes = try table(.changes)
    entitlements = try table(.entitlements)
    feed = try table(.feed)
    customerFeeds = try table(.customerFeeds)
    deadlines = try table(.deadlines)
  }

  subscript(table: ProjectionTable) -> Table {
    switch table {
    case .entities: entities
    case .access: access
    case .changes: changes
    case .entitlements: entitlements
    case .feed: feed
    case .customerFeeds: customerFeeds
    case .deadlines: deadlines
    }
  }
}
