/// The tour's documents from those who report what another store sold: Voidhash and RevenueCat.
enum DemoResellers {
  // MARK: - Voidhash

  static let started = action(
    "startSubscription", at: "2026-04-10T09:00:00.000Z", by: "person_1",
    #""startsAt":"2026-04-10T09:00:00.000Z","expiresAt":"2026-05-10T09:00:00.000Z""#)

  static let transferred = """
    {"action":"transferSubscription","subscriptionId":"sub_V","fromPersonId":"person_1",\
    "toPersonId":"person_2","transferMode":"transfer_to_new_owner",\
    "providerId":"apple-app-store","occurredAt":"2026-04-12T12:00:00.000Z","source":"sdk",\
    "triggerReason":"appstore_restore","result":{"personId":"person_2"}}
    """

  private static func action(
    _ name: String, at time: String, by person: String, _ period: String
  ) -> String {
    """
    {"action":"\(name)","idempotencyKey":"apple:900:\(name)","source":"webhook",\
    "providerId":"apple-app-store","providerEnvironment":"production","projectId":"proj_1",\
    "organizationId":"org_1","personId":"\(person)","productId":"prod_Void",\
    "subscriptionId":"sub_V","providerTransactionId":"900","providerSubscriptionId":"900",\
    "occurredAt":"\(time)","receivedAt":"\(time)",\(period)}
    """
  }

  // MARK: - RevenueCat

  /// The purchase that the app handed over itself, once more.
  static let repeated = """
    {"api_version":"1.0","event":{"type":"INITIAL_PURCHASE","id":"rc_1","app_id":"app_1",\
    "event_timestamp_ms":1775088005000,"app_user_id":"user_88","original_app_user_id":"user_88",\
    "aliases":["user_88"],"product_id":"sound.pro.monthly","period_type":"NORMAL",\
    "purchased_at_ms":1775088000000,"expiration_at_ms":1777680000000,"store":"APP_STORE",\
    "environment":"PRODUCTION","price_in_purchased_currency":9.99,"currency":"USD",\
    "transaction_id":"88","original_transaction_id":"88","is_family_share":false}}
    """
}
