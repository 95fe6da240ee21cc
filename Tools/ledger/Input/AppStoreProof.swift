internal import MembershipModel
internal import MembershipProviders

/// What the App Store's documents, which are signed in themselves, are held against.
struct AppStoreProof {
  static let roots: Argument<[InputFile]> = .repeatedOption(
    "apple-root", help: "A root certificate to trust besides Apple's own, in DER or PEM; for tests."
  )
  static let bundle: Argument<String?> = .option(
    "bundle-id", help: "Refuse what the App Store sold for another bundle.")
  static let app: Argument<Count?> = .option(
    "app-id", help: "Refuse production notifications of another app of the App Store.")
  static let durations: Argument<[ProductDuration]> = .repeatedOption(
    "non-renewing", help: "How long a non-renewing product of the App Store lasts, as PRODUCT=P1M.")

  static let definitions = [
    roots.definition, bundle.definition, app.definition, durations.definition,
  ]

  private let roots: [InputFile]
  private let bundle: String?
  private let app: Count?
  private let durations: [ProductDuration]

  init(_ values: ParsedValues) {
    roots = values[Self.roots]
    bundle = values[Self.bundle]
    app = values[Self.app]
    durations = values[Self.durations]
  }

  func adapter(
    _ environment: Environment?, trustsUnsigned: Bool, in context: CommandContext
  ) throws -> AppStoreAdapter {
    if bundle == nil {
      try context.say(
        "warning: without --bundle-id, what any app of the App Store sold is taken for this one's")
    }
    return AppStoreAdapter(
      bundleID: bundle, appAppleID: app.map { Int64(clamping: $0.value) },
      roots: try roots.map { try root($0, context) },
      environment: environment, trustsUnsigned: trustsUnsigned,
      nonRenewingDurations: Dictionary(durations.map { ($0.product, $0.duration) }) { $1 })
  }

  private func root(_ file: InputFile, _ context: CommandContext) throws -> AppStoreRoot {
    let bytes = try context.read(file)
    do {
      return try AppStoreRoot(bytes)
    } catch {
      throw CommandFailure(
        .badData, "\(printable(file.name)): there is no certificate in the file",
        hint: "Give one X.509 certificate in DER or PEM.")
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
