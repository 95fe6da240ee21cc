internal import MembershipModel
internal import MembershipProviders

/// How a merchant has set up a provider where its documents do not say so: it decides what they mean.
struct MerchantSettings {
  static let durations: Argument<[ProductDuration]> = .repeatedOption(
    "non-renewing", help: "How long a non-renewing product of the App Store lasts, as PRODUCT=P1M.")
  static let keepsPastDue: Argument<Bool> = .flag(
    "keeps-past-due", help: "Whop's dashboard is set to keep access while a payment is past due.")
  static let observer: Argument<Bool> = .flag(
    "observer", help: "Voidhash only observes what another system processes.")
  static let linksDistinctIDs: Argument<Bool> = .flag(
    "link-distinct-ids",
    help: "Voidhash's distinct ids are your own customers' ids: link them by themselves.")

  static let definitions = [
    durations.definition, keepsPastDue.definition, observer.definition, linksDistinctIDs.definition,
  ]

  let nonRenewingDurations: [String: CalendarDuration]
  let keepsPastDue: Bool
  let isObserver: Bool
  let linksDistinctIDs: Bool

  init(_ values: ParsedValues) {
    nonRenewingDurations = Dictionary(
      values[Self.durations].map { ($0.product, $0.duration) }
    ) { $1 }
    keepsPastDue = values[Self.keepsPastDue]
    isObserver = values[Self.observer]
    linksDistinctIDs = values[Self.linksDistinctIDs]
  }

  /// Throws where a setting is given that is not this provider's.
  func check(for provider: IngestProvider) throws(CommandFailure) {
    let given: [(name: String, provider: IngestProvider, isGiven: Bool)] = [
      (Self.durations.definition.label, .appStore, !nonRenewingDurations.isEmpty),
      (Self.keepsPastDue.definition.label, .whop, keepsPastDue),
      (Self.observer.definition.label, .voidhash, isObserver),
      (Self.linksDistinctIDs.definition.label, .voidhash, linksDistinctIDs),
    ]
    for setting in given where setting.isGiven && setting.provider != provider {
      throw CommandFailure(
        .usage,
        "\(setting.name) is a setting of \(setting.provider.rawValue), not of \(provider.rawValue)",
        hint: "Leave it out, or name the provider whose documents these are.")
    }
  }

  /// An adapter for documents that a ledger has kept, whose proof was judged when they came.
  func adapter(
    forKeptDocumentsOf provider: IngestProvider, _ environment: Environment
  ) -> any ProviderAdapter {
    switch provider {
    case .stripe: StripeAdapter()
    case .appStore: AppStoreAdapter(bundleID: nil, nonRenewingDurations: nonRenewingDurations)
    // These two say nowhere, or not always, whether money is real: as it was recorded.
    case .googlePlay: GooglePlayAdapter(environment: environment)
    case .whop: WhopAdapter(environment: environment, keepsPastDue: keepsPastDue)
    case .voidhash: VoidhashAdapter(isObserver: isObserver, linksDistinctIDs: linksDistinctIDs)
    case .revenuecat: RevenueCatAdapter()
    }
  }
}

/// How long a product lasts, written as `PRODUCT=P1M`.
struct ProductDuration: ArgumentValue {
  static var placeholder: String { "PRODUCT=DURATION" }

  let product: String
  let duration: CalendarDuration

  init(argument: String) throws(ArgumentError) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let product = parts.first, !product.isEmpty,
      let duration = parts.last.flatMap({ try? CalendarDuration(parsing: String($0)) })
    else {
      throw ArgumentError(
        "is no product with a duration",
        hint: "Write the product and an ISO 8601 duration, such as com.example.season=P1M.")
    }
    (self.product, self.duration) = (String(product), duration)
  }
}
