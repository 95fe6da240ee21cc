// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .strictMemorySafety(),
  .treatWarning("ExplicitSendable", as: .warning),
]

let package = Package(
  name: "membership-ledger",
  products: [
    .library(name: "MembershipLedger", targets: ["MembershipLedger"]),
    .library(name: "MembershipProviders", targets: ["MembershipProviders"]),
    .executable(name: "ledger", targets: ["LedgerCommand"]),
  ],
  targets: [
    // C libraries of the system
    .systemLibrary(
      name: "CLedgerLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"])]),
    .systemLibrary(
      name: "CLedgerCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(
      name: "CLedgerCompression", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
    .systemLibrary(
      name: "CLedgerHash", pkgConfig: "libxxhash", providers: [.apt(["libxxhash-dev"])]),

    // The library, from the bottom up
    .target(name: "LedgerCrypto", dependencies: ["CLedgerCrypto"], swiftSettings: settings),
    .target(
      name: "LedgerStorage", dependencies: ["CLedgerLMDB", "CLedgerCompression", "CLedgerHash"],
      swiftSettings: settings + [.enableExperimentalFeature("Lifetimes")]),
    .target(name: "MembershipModel", exclude: ["ledger.proto"], swiftSettings: settings),
    .target(
      name: "MembershipLedger", dependencies: ["LedgerCrypto", "LedgerStorage", "MembershipModel"],
      swiftSettings: settings),
    .target(
      name: "MembershipProviders", dependencies: ["LedgerCrypto", "MembershipModel"],
      swiftSettings: settings),

    // Programs
    .executableTarget(
      name: "LedgerCommand",
      dependencies: [
        "LedgerCrypto", "LedgerStorage", "MembershipLedger", "MembershipModel",
        "MembershipProviders",
      ],
      path: "Tools/ledger", swiftSettings: settings),
    .target(
      name: "CBaseline", dependencies: ["CLedgerCrypto", "CLedgerLMDB"],
      path: "Benchmarks/CBaseline"),
    .executableTarget(
      name: "LedgerBenchmarks",
      dependencies: [
        "CBaseline", "LedgerCrypto", "LedgerStorage", "MembershipLedger", "MembershipModel",
        "MembershipProviders",
      ],
      path: "Benchmarks/LedgerBenchmarks", swiftSettings: settings),

    // Tests
    .target(
      name: "LedgerTestSupport", dependencies: ["MembershipModel"],
      path: "Tests/LedgerTestSupport", swiftSettings: settings),
    .testTarget(
      name: "LedgerCryptoTests", dependencies: ["LedgerCrypto", "LedgerTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "LedgerStorageTests", dependencies: ["LedgerStorage", "LedgerTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "MembershipModelTests", dependencies: ["MembershipModel", "LedgerTestSupport"],
      exclude: ["Golden"], swiftSettings: settings),
    .testTarget(
      name: "MembershipLedgerTests",
      dependencies: [
        "LedgerCrypto", "LedgerStorage", "LedgerTestSupport", "MembershipLedger",
        "MembershipModel", "MembershipProviders",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "MembershipProvidersTests",
      dependencies: ["MembershipProviders", "LedgerTestSupport"],
      exclude: ["AppStoreDocuments"], swiftSettings: settings),
    .testTarget(
      name: "LedgerCommandTests",
      dependencies: [
        "LedgerCommand", "LedgerCrypto", "LedgerTestSupport", "MembershipLedger", "MembershipModel",
        "MembershipProviders",
      ],
      exclude: ["Snapshots"], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)

// Built and linked by Tools/fuzz alone: its entry point is libFuzzer's.
if Context.environment["LEDGER_FUZZING"] != nil {
  package.targets.append(
    .target(
      name: "LedgerFuzzing", dependencies: ["MembershipModel", "MembershipProviders"],
      path: "Tools/fuzzing", swiftSettings: settings))
}
