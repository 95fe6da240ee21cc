/// The chapters about the other stores, each of which teaches something true of it.
extension DemoScript {
  static let stores = play + appStore + whop + voidhash + revenueCat

  private static let play: [DemoStep] = [
    .chapter("The same product at Google Play", at: "03-25 11:00:05"),
    .tell(
      """
      A push says only that something changed. What the service fetches then says what, and until \
      when the purchase has to be acknowledged.
      """),
    .run("ingest google-play play-pushed.json --trust-unsigned"),
    .run("ingest google-play play-bought.json --trust-unsigned"),
    .run("check user_77 premium_tier"),
    .run("memberships user_77"),
    .chapter("A new token takes the place of the first", at: "03-28 08:00:05"),
    .tell("It names no customer: whoever owned the token before owns it, and one plan counts."),
    .run("ingest google-play play-changed.json --trust-unsigned"),
    .run("memberships user_77"),
  ]

  private static let appStore: [DemoStep] = [
    .chapter("An iPhone app hands over what it sold", at: "04-02 00:00:05"),
    .tell(
      """
      The App Store signs each transaction, with its chain of certificates. A root of the tour's \
      own stands in for Apple's. One changed letter is found; what is accepted is durable before \
      the app finishes the purchase.
      """),
    .run(
      "ingest app-store app-store-forged.jws --bundle-id com.example.sound "
        + "--apple-root app-store.pem", status: .no),
    .run(
      "ingest app-store app-store-sold.jws --bundle-id com.example.sound "
        + "--apple-root app-store.pem"),
    .run("link app-store:88 user_88"),
    .run("check user_88 offline_mode"),
  ]

  private static let whop: [DemoStep] = [
    .chapter("A member joins on Whop", at: "04-05 10:00:05"),
    .tell(
      """
      Whop signs by the Standard Webhooks specification. Its buttons cancel at the end of what is \
      paid: until then access stays.
      """),
    .run("ingest whop whop-joined.json --headers whop-joined.head --secret-file ws"),
    .chapter("And asks to leave", at: "04-08 18:00:05"),
    .run("ingest whop whop-left.json --headers whop-left.head --secret-file ws"),
    .run("memberships user_55"),
    .run("check user_55 premium_tier --at 2026-05-06", status: .no),
  ]

  private static let voidhash: [DemoStep] = [
    .chapter("A subscription that Voidhash processes", at: "04-10 09:00:05"),
    .run("ingest voidhash voidhash-started.json --trust-unsigned"),
    .run("link voidhash:person_1 user_60"),
    .run("link voidhash:person_2 user_61"),
    .chapter("Restored by another person", at: "04-12 12:00:05"),
    .tell("Voidhash moves it to the new owner. It has one holder at each instant, never two."),
    .run("ingest voidhash voidhash-transferred.json --trust-unsigned"),
    .run("check user_60 premium_tier", status: .no),
    .run("check user_61 premium_tier"),
    .run("timeline voidhash:sub_V"),
  ]

  private static let revenueCat: [DemoStep] = [
    .chapter("RevenueCat reports what the app did", at: "04-13 08:00"),
    .tell(
      """
      It names the store's own transaction, so that two routes tell of one purchase: there is no \
      second membership.
      """),
    .run("ingest revenuecat revenuecat-repeated.json --trust-unsigned"),
    .run("memberships user_88"),
  ]
}
