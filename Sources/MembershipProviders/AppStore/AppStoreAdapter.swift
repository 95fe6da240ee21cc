public import MembershipModel

/// Reads what Apple's App Store signs: server notifications V2, transactions and renewal infos, and
/// the answers of the App Store Server API that hold them.
///
/// Every payload is verified, those within payloads too, and its bundle, app and environment are
/// compared with what is expected. <doc:AppStore> lists what each notification states.
public struct AppStoreAdapter: ProviderAdapter {
  private let settings: AppStoreSettings

  /// Makes an adapter.
  ///
  /// - Parameters:
  ///   - bundleID: The app's bundle id. With nil, what any app sold is taken for what this one sold,
  ///     as long as Apple signed it: leave it out in tests only.
  ///   - appAppleID: The app's Apple id, which production notifications must name; nil takes any.
  ///   - roots: Roots that are trusted besides Apple Root CA - G3.
  ///   - environment: The only environment accepted; nil takes whichever a document says.
  ///   - trustsUnsigned: Whether payloads that are not signed by Apple are taken as they are, and
  ///     marked unverified: those of tests in Xcode, and decoded ones. A signature of any other
  ///     payload that is wrong is refused all the same.
  ///   - nonRenewingDurations: How long each non-renewing subscription lasts, by product; the App
  ///     Store does not say. Without one, such a purchase is recorded and gives nothing.
  public init(
    bundleID: String?, appAppleID: Int64? = nil, roots: [AppStoreRoot] = [],
    environment: Environment? = nil, trustsUnsigned: Bool = false,
    nonRenewingDurations: [String: CalendarDuration] = [:]
  ) {
    settings = AppStoreSettings(
      bundleID: bundleID, appAppleID: appAppleID, roots: roots, environment: environment,
      trustsUnsigned: trustsUnsigned, nonRenewingDurations: nonRenewingDurations)
  }

  /// The App Store.
  public var provider: Provider { .appStore }

  /// Reads a notification, a signed transaction or renewal info, or an answer that holds several.
  ///
  /// - Parameter document: The document as it came: JSON, or one signed payload by itself.
  /// - Returns: Its events, or why it is not accepted.
  public func read(_ document: ProviderDocument) -> Reading {
    do {
      let source = AppStoreSource(settings, document)
      return .events(try source.events())
    } catch {
      return .refused(error)
    }
  }
}

/// What an adapter was set up with.
struct AppStoreSettings {
  let bundleID: String?
  let appAppleID: Int64?
  let roots: [AppStoreRoot]
  let environment: Environment?
  let trustsUnsigned: Bool
  let nonRenewingDurations: [String: CalendarDuration]
}
