internal import MembershipModel
internal import MembershipProviders

/// A provider whose documents this version reads.
enum IngestProvider: String, ChoiceValue {
  case stripe
  case appStore = "app-store"
  case googlePlay = "google-play"
  case whop
  case voidhash
  case revenuecat

  /// The provider whose documents these are; nil where this version reads none of its.
  init?(_ provider: Provider) {
    let found = Self.allCases.first { $0.provider == provider }
    guard let found else { return nil }
    self = found
  }

  var provider: Provider {
    switch self {
    case .stripe: .stripe
    case .appStore: .appStore
    case .googlePlay: .googlePlay
    case .whop: .whop
    case .voidhash: .voidhash
    case .revenuecat: .revenueCat
    }
  }

  /// All of them, for help: `a, b or c`.
  static var list: String {
    let words = allCases.map(\.rawValue)
    let (rest, last) = (words.dropLast().joined(separator: ", "), words.last ?? "")
    return rest.isEmpty ? last : "\(rest) or \(last)"
  }
}

/// What proves a provider's documents, and how they are read: the same for every command that takes
/// some.
struct Proof {
  static let secretFiles: Argument<[InputFile]> = .repeatedOption(
    "secret-file",
    help: "A file that holds a signing secret, or RevenueCat's Authorization header; several are "
      + "tried in turn.")
  static let headers: Argument<InputFile?> = .option(
    "headers", help: "The headers that came with the document, one 'Name: value' a line.")
  static let trustUnsigned: Argument<Bool> = .flag(
    "trust-unsigned", help: "Accept documents that no signature proves.")
  static let packageNames: Argument<[String]> = .repeatedOption(
    "package-name", placeholder: "NAME",
    help: "Refuse documents of other apps at Google Play; several may be given.")

  static let definitions =
    [
      secretFiles.definition, headers.definition, trustUnsigned.definition, packageNames.definition,
    ] + AppStoreProof.definitions + MerchantSettings.definitions

  let secretFiles: [InputFile]
  let headers: InputFile?
  let trustsUnsigned: Bool
  let packageNames: Set<String>
  let appStore: AppStoreProof
  let settings: MerchantSettings

  init(_ values: ParsedValues) {
    secretFiles = values[Self.secretFiles]
    headers = values[Self.headers]
    trustsUnsigned = values[Self.trustUnsigned]
    packageNames = Set(values[Self.packageNames])
    appStore = AppStoreProof(values)
    settings = MerchantSettings(values)
  }

  func adapter(
    for provider: IngestProvider, _ environment: Environment?, in context: CommandContext
  ) throws -> any ProviderAdapter {
    try settings.check(for: provider)
    let secrets = try secretFiles.map { file in
      let secret = String(decoding: try context.read(file), as: UTF8.self).trimmed
      if secret.isEmpty {
        throw CommandFailure(
          .badData, "\(printable(file.name)): there is no secret in the file",
          hint: "Put the endpoint's signing secret into it, whole and alone.")
      }
      return secret
    }
    switch provider {
    case .googlePlay:
      return GooglePlayAdapter(
        secrets: secrets, packageNames: packageNames, trustsUnsigned: trustsUnsigned,
        environment: environment)
    case .stripe:
      return StripeAdapter(
        secrets: secrets, trustsUnsigned: trustsUnsigned, environment: environment)
    case .whop:
      return WhopAdapter(
        secrets: secrets, trustsUnsigned: trustsUnsigned, environment: environment,
        keepsPastDue: settings.keepsPastDue)
    case .voidhash:
      return VoidhashAdapter(
        secrets: secrets, trustsUnsigned: trustsUnsigned, environment: environment,
        isObserver: settings.isObserver, linksDistinctIDs: settings.linksDistinctIDs)
    case .revenuecat:
      return RevenueCatAdapter(
        secrets: secrets, trustsUnsigned: trustsUnsigned, environment: environment)
    case .appStore:
      return try appStore.adapter(
        environment, trustsUnsigned: trustsUnsigned, settings, in: context)
    }
  }

  /// The headers of the one document that there is; nil where none were given.
  func readHeaders(in context: CommandContext) throws -> [String: String]? {
    try headers.map { try HeaderFile.headers(in: context.read($0), named: $0) }
  }
}

extension CommandContext {
  /// Says what would prove documents that nothing proves.
  func sayWhatProves() throws {
    try say(
      "Nothing proves the refused documents: give --headers and --secret-file, or "
        + "--trust-unsigned.")
  }
}

extension Refusal {
  /// Whether nothing came with the document, or is at hand, to prove it.
  var lacksProof: Bool { code == .noSecret || code == .missingSignature }
}

extension ProviderAdapter {
  /// Reads a document as it came, or as one of many.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - headers: The headers that came with it.
  ///   - observedAt: When an object was fetched; nil where that is not known.
  ///   - now: The present instant.
  /// - Returns: Its events, or why it is not accepted.
  func read(
    _ document: InputDocument, headers: [String: String]?, observedAt: Timestamp?, now: Timestamp
  ) -> Reading {
    if let fault = document.fault {
      return .refused(
        Refusal(.unreadable, message: fault, remedy: "hand over the raw body as it came"))
    }
    let reading = read(
      ProviderDocument(
        body: Array(document.bytes), headers: headers ?? [:], receivedAt: now,
        observedAt: observedAt))
    guard case .events(var events) = reading, !document.isWhole else { return reading }
    // One of many was not sent to us just now: it is taken over from a history.
    for index in events.indices where events[index].provenance.origin == .webhook {
      events[index].provenance.origin = .import
    }
    return .events(events)
  }
}
