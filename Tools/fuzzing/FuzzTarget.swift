import FoundationEssentials
import MembershipModel
import MembershipProviders

/// What inputs are tried on.
///
/// No input may trap, hang or be read in two ways.
enum FuzzTarget: String, CaseIterable {
  case record, event, catalog, policy
  case stripe, whop, voidhash, revenuecat
  case appStore = "app-store"
  case googlePlay = "google-play"
  /// The App Store's documents with their signatures checked under the root of the tests, and read
  /// again as kept ones are, by what stands behind the signatures.
  case appStoreSigned = "app-store-signed"

  /// The one that `LEDGER_FUZZ_TARGET` names.
  static let chosen: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["LEDGER_FUZZ_TARGET"] ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
      fatalError("LEDGER_FUZZ_TARGET is one of \(allCases.map(\.rawValue))")
    }
    return target
  }()

  func attempt(_ input: [UInt8]) {
    switch self {
    case .record: attemptRecord(input)
    case .event: attemptEvent(input)
    case .catalog: _ = try? Catalog(parsing: input)
    case .policy: _ = try? Policy(parsing: input)
    case .stripe: attempt(StripeAdapter(trustsUnsigned: true), on: input)
    case .whop: attempt(WhopAdapter(trustsUnsigned: true), on: input)
    case .voidhash: attempt(VoidhashAdapter(trustsUnsigned: true), on: input)
    case .revenuecat: attempt(RevenueCatAdapter(trustsUnsigned: true), on: input)
    case .appStore: attempt(AppStoreAdapter(bundleID: nil, trustsUnsigned: true), on: input)
    case .appStoreSigned: attemptSigned(input)
    case .googlePlay: attempt(GooglePlayAdapter(trustsUnsigned: true), on: input)
    }
  }

  /// What is decoded is encoded to a record of the same meaning.
  private func attemptRecord(_ input: [UInt8]) {
    guard let record = try? RecordedEvent(decoding: input) else { return }
    let again = try? RecordedEvent(decoding: record.encoded())
    precondition(again == record, "a record that was read is read otherwise when written again")
  }

  /// An event by hand has a wire form of the same meaning, or none.
  private func attemptEvent(_ input: [UInt8]) {
    guard let json = try? JSONValue(parsing: input), let event = try? Event(json: json) else {
      return
    }
    guard (try? event.validate()) != nil else { return }
    let bytes = event.encoded()
    precondition((try? Event(decoding: bytes))?.encoded() == bytes, "an event is read otherwise")
  }

  private static let now = Timestamp(seconds: 1_780_000_000)

  private static let testRoot: AppStoreRoot = {
    let path = "Tests/MembershipProvidersTests/AppStoreDocuments/root.der"
    guard let bytes = try? Data(contentsOf: URL(filePath: path)),
      let root = try? AppStoreRoot(Array(bytes))
    else { fatalError("\(path): run in the folder of the package") }
    return root
  }()

  private func attemptSigned(_ input: [UInt8]) {
    let adapter = AppStoreAdapter(bundleID: nil, roots: [Self.testRoot])
    attempt(adapter, on: input)
    let event = Event(
      id: "app-store:1", provider: .appStore, effectiveAt: Self.now, facts: [],
      provenance: Provenance(origin: .webhook, verification: Verification(.verified)))
    let record = RecordedEvent(position: 1, recordedAt: Self.now, event: event)
    attempt(adapter, on: ProviderDocument(kept: input, of: record, observedAt: nil))
  }

  private func attempt(_ adapter: some ProviderAdapter, on input: [UInt8]) {
    attempt(
      adapter,
      on: ProviderDocument(body: input, receivedAt: Self.now, observedAt: Self.now))
  }

  private func attempt(_ adapter: some ProviderAdapter, on document: ProviderDocument) {
    let reading = adapter.read(document)
    precondition(adapter.read(document) == reading, "one document is read in two ways")
    guard case .events(let events) = reading else { return }
    for event in events {
      let bytes = event.encoded()
      let again = try? Event(decoding: bytes)
      precondition(again?.encoded() == bytes, "an event cannot be recorded")
    }
  }
}

/// What libFuzzer calls for each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  // Safe: libFuzzer hands over `count` bytes that stay as they are until the function returns.
  let input = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  FuzzTarget.chosen.attempt(input)
  return 0
}
