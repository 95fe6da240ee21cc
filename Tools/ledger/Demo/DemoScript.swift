/// One step of the tour.
enum DemoStep {
  /// A chapter begins, at a time of the tour.
  case chapter(String, at: String)
  case tell(String)
  /// A webhook arrives now.
  case deliver(DemoWebhook)
  /// A command line, with the status that it must end with.
  case run(String, status: ExitCode = .done)
  /// The answers of the two ledgers of the tour are compared.
  case compareLedgers
}

/// What the tour shows: the life of one membership.
enum DemoScript {
  static let steps: [DemoStep] =
    terms + trial + firstMonth + changeOfMind + failure + recovery + repetition + dispute + end
    + disorder + gift + stores + feed + audit

  private static let check = "check user_42 premium_tier"

  private static let terms: [DemoStep] = [
    .chapter("A ledger, and what is sold", at: "01-01 09:00"),
    .tell(
      """
      A music service sells one product, Sound Pro, in two stores. Its catalog says what the \
      product gives; its policy gives three days of grace where a payment fails.
      """),
    .run("init"),
    .run("catalog apply catalog.json"),
    .run("policy apply policy.json"),
  ]

  private static let trial: [DemoStep] = [
    .chapter("A customer begins a trial", at: "01-05 10:00:05"),
    .tell(
      """
      Two signed webhooks come in. The second one says who Stripe's customer is in the service's \
      own words: user_42.
      """),
    .deliver(DemoWebhooks.subscribed),
    .deliver(DemoWebhooks.signedUp),
    .run(check),
  ]

  private static let firstMonth: [DemoStep] = [
    .chapter("The trial turns into a paid month", at: "01-12 10:00:05"),
    .tell(
      """
      Stripe calls the subscription active an hour before it collects the money. Until a payment \
      is seen, the answer says that it rests on the store's word.
      """),
    .deliver(DemoWebhooks.trialOver),
    .run(check),
    .chapter("The money arrives", at: "01-12 11:00:05"),
    .deliver(DemoWebhooks.firstPayment),
    .run(check),
  ]

  private static let changeOfMind: [DemoStep] = [
    .chapter("A cancellation, and a change of mind", at: "01-20 18:30:05"),
    .tell("Asked for is not in effect: access goes on until the end of what was paid."),
    .deliver(DemoWebhooks.cancelled),
    .run("memberships user_42"),
    .run("\(check) --at 2026-02-13", status: .no),
    .chapter("The cancellation is withdrawn", at: "01-22 08:15:05"),
    .deliver(DemoWebhooks.kept),
    .run("memberships user_42"),
  ]

  private static let failure: [DemoStep] = [
    .chapter("A payment fails", at: "02-12 11:00:05"),
    .tell(
      """
      The card is declined. The policy's grace keeps access for three days from the start of the \
      unpaid period, and no job has to run for it to end.
      """),
    .deliver(DemoWebhooks.overdue),
    .deliver(DemoWebhooks.unpaid),
    .run(check),
    .run("\(check) --at 2026-02-15T18:00:00Z", status: .no),
  ]

  private static let recovery: [DemoStep] = [
    .chapter("The second attempt succeeds", at: "02-16 09:00:05"),
    .deliver(DemoWebhooks.secondPayment),
    .deliver(DemoWebhooks.secondPaymentLink),
    .deliver(DemoWebhooks.recovered),
    .tell(
      """
      The month is paid, from its first day on. What was known before the payment is still \
      answered as it was known.
      """),
    .run("\(check) --at 2026-02-15T18:00:00Z"),
    .run("\(check) --at 2026-02-15T18:00:00Z --known-at 2026-02-16T08:00:00Z", status: .no),
  ]

  private static let repetition: [DemoStep] = [
    .chapter("Twice, and five days late", at: "02-17 12:00"),
    .tell(
      """
      Webhooks are repeated and overtake each other. A repeated one gets its first receipt back. \
      One that was held up, from before the payment failed, is recorded and changes nothing.
      """),
    .deliver(DemoWebhooks.firstPayment),
    .deliver(DemoWebhooks.renewing),
    .run("memberships user_42"),
  ]

  private static let dispute: [DemoStep] = [
    .chapter("The bank asks back", at: "02-20 14:00:05"),
    .tell("An open dispute holds what its payment gave; nothing else."),
    .deliver(DemoWebhooks.disputed),
    .run("\(check) --explain", status: .no),
    .chapter("The dispute is won", at: "03-02 16:00:05"),
    .deliver(DemoWebhooks.disputeWon),
    .run(check),
  ]

  private static let end: [DemoStep] = [
    .chapter("A third month, a refund, and the end", at: "03-12 11:00:05"),
    .deliver(DemoWebhooks.thirdPayment),
    .deliver(DemoWebhooks.thirdPaymentLink),
    .run(check),
    .chapter("The money goes back", at: "03-20 15:05:05"),
    .tell("A full refund ends what its payment gave, at its instant. The other months stand."),
    .deliver(DemoWebhooks.refunded),
    .deliver(DemoWebhooks.deleted),
    .run(check, status: .no),
    .run("memberships user_42"),
    .run("timeline user_42"),
  ]

  private static let disorder: [DemoStep] = [
    .chapter("All of it once more, backwards", at: "03-21 09:00"),
    .tell(
      """
      A second ledger gets the same terms, as facts of our own, and every webhook from the last to \
      the first. It comes to the same answers.
      """),
    .run("--ledger backwards.ledger init"),
    .run("--ledger backwards.ledger append terms.jsonl"),
    .run("--ledger backwards.ledger ingest stripe backwards.jsonl --trust-unsigned"),
    .run("--ledger backwards.ledger memberships user_42"),
    .compareLedgers,
  ]

  private static let gift: [DemoStep] = [
    .chapter("A gift by hand", at: "03-22 10:00"),
    .tell("Access is the union of all that gives it: a gift needs no membership."),
    .run("grant user_42 premium_tier --reason goodwill --until 2026-04-30"),
    .run(check),
    .run("entitlements user_42"),
  ]

  private static let feed: [DemoStep] = [
    .chapter("The gift runs out, and who hears of it", at: "05-01 08:00"),
    .tell(
      """
      A service that must act on each gain and loss follows the feed of changes. What events change \
      is in it at once; what time alone changes comes in by settling, in the order of time. A month \
      whose payment is told of only after it began shows as a loss and a gain: nothing was known in \
      between.
      """),
    .run("settle"),
    .run("changes --customer user_42"),
  ]

  private static let audit: [DemoStep] = [
    .chapter("The books are checked", at: "05-31 23:00"),
    .tell(
      """
      Replay folds the log from nothing and compares every stored byte; verify reads every record \
      and recomputes every hash; all documents that were kept still say what was recorded of them.
      """),
    .run("events --after 24"),
    .run("replay"),
    .run("verify"),
    .run("reinterpret --dry-run"),
  ]
}
