/// The files of the tour that are no webhooks.
enum DemoFiles {
  static let catalog = """
    {
      "entitlements": [
        { "key": "premium_tier", "name": "Premium" },
        { "key": "offline_mode", "name": "Offline listening" }
      ],
      "products": [
        { "id": "sound_pro", "name": "Sound Pro",
          "entitlements": ["premium_tier", "offline_mode"],
          "stores": [{ "provider": "stripe", "product": "prod_Sound" },
            { "provider": "google-play", "product": "sound_pro" },
            { "provider": "app-store", "product": "sound.pro.monthly" },
            { "provider": "whop", "product": "prod_Whop" },
            { "provider": "voidhash", "product": "prod_Void" }] }
      ],
      "plans": [
        { "id": "pro_monthly", "product": "sound_pro", "title": "Monthly", "type": "renewal",
          "period": "P1M", "price": { "amount": "9.99", "currency": "USD" }, "trial": "P7D",
          "stores": [{ "provider": "stripe", "price": "price_monthly" }] }
      ]
    }

    """

  static let policy = """
    { "grace": { "stripe": "P3D" } }

    """

  /// The terms once more, as facts of our own: the catalog and the policy of New Year's Day.
  static let terms = """
    {"id":"manual:terms-catalog","effectiveAt":"2026-01-01T09:00:00Z","facts":[{"type":\
    "catalogRevised","catalog":{"entitlements":[{"key":"premium_tier","name":"Premium"},{"key":\
    "offline_mode","name":"Offline listening"}],"products":[{"id":"sound_pro","name":"Sound Pro",\
    "entitlements":["premium_tier","offline_mode"],"stores":[{"provider":"stripe","product":\
    "prod_Sound"}]}],"plans":[{"id":"pro_monthly","product":"sound_pro","title":"Monthly","type":\
    "renewal","period":"P1M","price":{"minorUnits":999,"currency":"USD"},"trial":"P7D","stores":\
    [{"provider":"stripe","price":"price_monthly"}]}]},"appliesTo":"new-purchases"}]}
    {"id":"manual:terms-policy","effectiveAt":"2026-01-01T09:00:02Z","facts":[{"type":\
    "policyRevised","policy":{"providers":[{"provider":"stripe","graceMilliseconds":259200000}]}}]}

    """
}
