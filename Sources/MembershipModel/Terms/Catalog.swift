/// What is sold and which entitlements it gives: one whole revision.
public struct Catalog: Hashable, Sendable {
  /// The entitlements that exist.
  public var entitlements: [Entitlement]
  /// The products with the entitlements they give.
  public var products: [Product]
  /// The plans on which products are sold.
  public var plans: [Plan]
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes a catalog; `check()` tells whether its parts fit together.
  ///
  /// - Parameters:
  ///   - entitlements: The entitlements that exist.
  ///   - products: The products with the entitlements they give.
  ///   - plans: The plans on which products are sold.
  public init(entitlements: [Entitlement], products: [Product], plans: [Plan] = []) {
    self.entitlements = entitlements
    self.products = products
    self.plans = plans
  }

  /// A named feature that products give.
  public struct Entitlement: Hashable, Sendable {
    /// The key by which services ask.
    public var key: EntitlementKey
    /// The name for people.
    public var name: String
    /// Fields of newer schema versions.
    public var unknownFields = UnknownFields()

    /// Makes an entitlement.
    ///
    /// - Parameters:
    ///   - key: The key by which services ask.
    ///   - name: The name for people.
    public init(key: EntitlementKey, name: String = "") {
      self.key = key
      self.name = name
    }
  }

  /// What is sold.
  public struct Product: Hashable, Sendable {
    /// The product's id in this catalog.
    public var id: ProductID
    /// The name for people.
    public var name: String
    /// The keys of the entitlements that it gives.
    public var entitlements: [EntitlementKey]
    /// Under which names the stores sell it.
    public var stores: [StoreReference]
    /// Whether it is sold by the seat: what it gives goes to those who claim a seat of the
    /// membership, as many as were bought, and not to the buyer as such.
    public var isPerSeat: Bool
    /// Fields of newer schema versions.
    public var unknownFields = UnknownFields()

    /// Makes a product.
    ///
    /// - Parameters:
    ///   - id: The product's id in this catalog.
    ///   - name: The name for people.
    ///   - entitlements: The keys of the entitlements that it gives.
    ///   - stores: Under which names the stores sell it.
    ///   - isPerSeat: Whether it is sold by the seat.
    public init(
      id: ProductID, name: String = "", entitlements: [EntitlementKey],
      stores: [StoreReference] = [], isPerSeat: Bool = false
    ) {
      self.id = id
      self.name = name
      self.entitlements = entitlements
      self.stores = stores
      self.isPerSeat = isPerSeat
    }
  }

  /// The terms on which a product is sold.
  public struct Plan: Hashable, Sendable {
    /// The plan's id in this catalog.
    public var id: PlanID
    /// The product sold.
    public var product: ProductID
    /// The title for people.
    public var title: String
    /// The description for people.
    public var details: String
    /// Whether it renews or is bought once.
    public var type: PlanType
    /// The ISO 8601 duration of a period, such as `P1M`; empty for one bought once.
    public var period: String
    /// The price of a period.
    public var price: Money?
    /// The ISO 8601 duration of the trial, such as `P7D`; empty where there is none.
    public var trial: String
    /// Under which names the stores sell it.
    public var stores: [StoreReference]
    /// Fields of newer schema versions.
    public var unknownFields = UnknownFields()

    /// Makes a plan.
    ///
    /// - Parameters:
    ///   - id: The plan's id in this catalog.
    ///   - product: The product sold.
    ///   - title: The title for people.
    ///   - details: The description for people.
    ///   - type: Whether it renews or is bought once.
    ///   - period: The ISO 8601 duration of a period; empty for one bought once.
    ///   - price: The price of a period.
    ///   - trial: The ISO 8601 duration of the trial; empty where there is none.
    ///   - stores: Under which names the stores sell it.
    public init(
      id: PlanID, product: ProductID, title: String = "", details: String = "",
      type: PlanType = .renewal, period: String = "", price: Money? = nil, trial: String = "",
      stores: [StoreReference] = []
    ) {
      self.id = id
      self.product = product
      self.title = title
      self.details = details
      self.type = type
      self.period = period
      self.price = price
      self.trial = trial
      self.stores = stores
    }
  }

  /// How a plan is sold.
  @nonexhaustive public enum PlanType: Hashable, Sendable {
    /// It renews period by period.
    case renewal
    /// It is bought once.
    case oneTime
    /// A value of a newer version, by its number.
    case unrecognized(Int64)
  }

  /// The name under which a store sells a product or a plan.
  public struct StoreReference: Hashable, Sendable {
    /// The store.
    public var provider: Provider
    /// The store's product; empty where only the price matters.
    public var product: String
    /// The store's price, base plan or offer; empty where the product alone matters.
    public var price: String
    /// Fields of newer schema versions.
    public var unknownFields = UnknownFields()

    /// Makes a reference; at least one of product and price is given.
    ///
    /// - Parameters:
    ///   - provider: The store.
    ///   - product: The store's product.
    ///   - price: The store's price, base plan or offer.
    public init(provider: Provider, product: String = "", price: String = "") {
      self.provider = provider
      self.product = product
      self.price = price
    }
  }
}

/// Whom a revision of the catalog touches.
@nonexhaustive public enum Cohort: Hashable, Sendable {
  /// Memberships first bought at or after the revision's start.
  case newPurchases
  /// Transactions made at or after the revision's start.
  case nextRenewal
  /// Everyone's access from the revision's start on.
  case everyone
  /// A value of a newer version, by its number; it touches nobody.
  case unrecognized(Int64)
}

/// One revision of the catalog with the cohort that it touches.
public struct CatalogRevision: Hashable, Sendable {
  /// The whole catalog from now on.
  public var catalog: Catalog
  /// Whom it touches.
  public var appliesTo: Cohort
  /// From when on; nil for the event's effective time.
  public var from: Timestamp?
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes a revision.
  ///
  /// - Parameters:
  ///   - catalog: The whole catalog from now on.
  ///   - appliesTo: Whom it touches.
  ///   - from: From when on; nil for the event's effective time.
  public init(catalog: Catalog, appliesTo: Cohort = .newPurchases, from: Timestamp? = nil) {
    self.catalog = catalog
    self.appliesTo = appliesTo
    self.from = from
  }
}
