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

  static let definitions = [roots.definition, bundle.definition, app.definition]

  private let roots: [InputFile]
  private let bundle: String?
  private let app: Count?

  init(_ values: ParsedValues) {
    roots = values[Self.roots]
    bundle = values[Self.bundle]
    app = values[Self.app]
  }

  func adapter(
    _ environment: Environment?, trustsUnsigned: Bool, _ settings: MerchantSettings,
    in context: CommandContext
  ) throws -> AppStoreAdapter {
    if bundle == nil {
      try context.say(
        "warning: without --bundle-id, what any app of the App Store sold is taken for this one's")
    }
    return AppStoreAdapter(
      bundleID: bundle, appAppleID: app.map { Int64(clamping: $0.value) },
      roots: try roots.map { try root($0, context) },
      environment: environment, trustsUnsigned: trustsUnsigned,
      nonRenewingDurations: settings.nonRenewingDurations)
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
