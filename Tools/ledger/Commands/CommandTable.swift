/// The table of all commands: the only place that says which there are.
enum CommandTable {
  static let root = CommandSpec(
    "ledger", group: .help,
    abstract: "Record memberships as events and answer who may use what, and why",
    discussion: [
      """
      A ledger is a folder that holds every purchase, renewal, cancellation and restore as an \
      immutable event, and what follows from them: current memberships and the entitlements that \
      they grant.
      """,
      """
      Results go to standard output, messages and progress to standard error. TIME is RFC 3339, a \
      date, now, or Unix seconds with @ before them.
      """,
    ],
    subcommands: [
      DemoCommand.spec, InitCommand.spec,
      CatalogCommand.spec, PolicyCommand.spec, IngestCommand.spec, ImportCommand.spec,
      AppendCommand.spec,
      GrantCommand.spec, RevokeCommand.spec, LinkCommand.spec, UnlinkCommand.spec,
      TransferCommand.spec, MergeCommand.spec, UnmergeCommand.spec, RestoreCommand.spec,
      ReconcileCommand.spec,
      CheckCommand.spec, EntitlementsCommand.spec, MembershipsCommand.spec, TimelineCommand.spec,
      EventsCommand.spec, ChangesCommand.spec,
      SettleCommand.spec, ReplayCommand.spec, VerifyCommand.spec, RebuildCommand.spec,
      ReinterpretCommand.spec,
      BackupCommand.spec,
      StatsCommand.spec,
      HelpCommand.spec, CompletionCommand.spec, ManualCommand.spec,
    ])
}
