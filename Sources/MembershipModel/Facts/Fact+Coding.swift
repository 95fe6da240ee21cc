extension Fact.Body {
  /// The field number and the name of each fact; the name is the `type` of its JSON form.
  package static let known: [(number: Int, name: String)] = [
    (10, "purchased"),
    (11, "renewed"),
    (12, "extended"),
    (20, "cancellationScheduled"),
    (21, "cancellationWithdrawn"),
    (22, "ended"),
    (23, "paymentFailed"),
    (24, "paused"),
    (25, "resumed"),
    (26, "accessRevoked"),
    (27, "holdPlaced"),
    (28, "holdReleased"),
    (29, "observed"),
    (40, "planChangeScheduled"),
    (41, "planChangeWithdrawn"),
    (42, "planChanged"),
    (50, "refunded"),
    (51, "refundReversed"),
    (52, "disputeOpened"),
    (53, "disputeClosed"),
    (54, "paymentLinked"),
    (55, "invoiced"),
    (60, "restored"),
    (61, "transferred"),
    (62, "accountLinked"),
    (63, "accountUnlinked"),
    (64, "customersMerged"),
    (65, "mergeUndone"),
    (66, "customerErased"),
    (70, "granted"),
    (71, "grantRevoked"),
    (80, "catalogRevised"),
    (81, "policyRevised"),
    (82, "settled"),
    (90, "checkoutOpened"),
    (91, "checkoutClosed"),
    (92, "seatAssigned"),
    (93, "seatClaimed"),
    (94, "seatReleased"),
    (100, "noted"),
    (101, "claimed"),
    (102, "corrected"),
  ]

  private static let numbers = known.reduce(into: UInt128(0)) { $0 |= 1 << UInt128($1.number) }

  static func isKnown(_ number: Int) -> Bool {
    number < 128 && numbers & (1 << UInt128(number)) != 0
  }

  /// The fact's name, such as `purchased`.
  public var name: String {
    let number = number
    return Self.known.first { $0.number == number }?.name ?? "unrecognized"
  }

  /// The field number in the published schema; 0 for an unrecognized fact.
  package var number: Int {
    switch self {
    case .purchased: 10
    case .renewed: 11
    case .extended: 12
    case .cancellationScheduled: 20
    case .cancellationWithdrawn: 21
    case .ended: 22
    case .paymentFailed: 23
    case .paused: 24
    case .resumed: 25
    case .accessRevoked: 26
    case .holdPlaced: 27
    case .holdReleased: 28
    case .observed: 29
    case .planChangeScheduled: 40
    case .planChangeWithdrawn: 41
    case .planChanged: 42
    case .refunded: 50
    case .refundReversed: 51
    case .disputeOpened: 52
    case .disputeClosed: 53
    case .paymentLinked: 54
    case .invoiced: 55
    case .restored: 60
    case .transferred: 61
    case .accountLinked: 62
    case .accountUnlinked: 63
    case .customersMerged: 64
    case .mergeUndone: 65
    case .customerErased: 66
    case .granted: 70
    case .grantRevoked: 71
    case .catalogRevised: 80
    case .policyRevised: 81
    case .settled: 82
    case .checkoutOpened: 90
    case .checkoutClosed: 91
    case .seatAssigned: 92
    case .seatClaimed: 93
    case .seatReleased: 94
    case .noted: 100
    case .claimed: 101
    case .corrected: 102
    case .unrecognized: 0
    }
  }

  /// What the fact carries; nil for an unrecognized one.
  package var payload: (any Message)? {
    switch self {
    case .purchased(let payload): payload
    case .renewed(let payload): payload
    case .extended(let payload): payload
    case .cancellationScheduled(let payload): payload
    case .cancellationWithdrawn(let payload): payload
    case .ended(let payload): payload
    case .paymentFailed(let payload): payload
    case .paused(let payload): payload
    case .resumed(let payload): payload
    case .accessRevoked(let payload): payload
    case .holdPlaced(let payload): payload
    case .holdReleased(let payload): payload
    case .observed(let payload): payload
    case .planChangeScheduled(let payload): payload
    case .planChangeWithdrawn(let payload): payload
    case .planChanged(let payload): payload
    case .refunded(let payload): payload
    case .refundReversed(let payload): payload
    case .disputeOpened(let payload): payload
    case .disputeClosed(let payload): payload
    case .paymentLinked(let payload): payload
    case .invoiced(let payload): payload
    case .restored(let payload): payload
    case .transferred(let payload): payload
    case .accountLinked(let payload): payload
    case .accountUnlinked(let payload): payload
    case .customersMerged(let payload): payload
    case .mergeUndone(let payload): payload
    case .customerErased(let payload): payload
    case .granted(let payload): payload
    case .grantRevoked(let payload): payload
    case .catalogRevised(let payload): payload
    case .policyRevised(let payload): payload
    case .settled(let payload): payload
    case .checkoutOpened(let payload): payload
    case .checkoutClosed(let payload): payload
    case .seatAssigned(let payload): payload
    case .seatClaimed(let payload): payload
    case .seatReleased(let payload): payload
    case .noted(let payload): payload
    case .claimed(let payload): payload
    case .corrected(let payload): payload
    case .unrecognized: nil
    }
  }

  func encode(to writer: inout WireWriter) {
    guard let payload else { return }
    writer.tag(number, .lengthDelimited)
    payload.encode(to: &writer)
  }

  init(
    decodingField number: Int, from bytes: ArraySlice<UInt8>, depth: Int
  ) throws(WireError) {
    var source = WirePayload(bytes: bytes, depth: depth)
    self = try Self.make(number: number, from: &source)
  }

  init(named name: String, jsonFields fields: [JSONValue.Field]) throws(InvalidValue) {
    guard let number = Self.known.first(where: { $0.name == name })?.number else {
      let names = Self.known.map(\.name).joined(separator: ", ")
      throw InvalidValue(value: name, rule: "a fact's type is one of \(names)")
    }
    var source = JSONPayload(fields: fields)
    self = try Self.make(number: number, from: &source)
  }

  var jsonFields: [JSONValue.Field] {
    payload?.jsonFields ?? []
  }

  /// The fact of this number with the payload that the source makes; unrecognized for a number
  /// that is no fact's.
  package static func make<Source: PayloadSource>(
    number: Int, from source: inout Source
  ) throws(Source.Failure) -> Fact.Body {
    switch number {
    case 10: .purchased(try source.payload())
    case 11: .renewed(try source.payload())
    case 12: .extended(try source.payload())
    case 20: .cancellationScheduled(try source.payload())
    case 21: .cancellationWithdrawn(try source.payload())
    case 22: .ended(try source.payload())
    case 23: .paymentFailed(try source.payload())
    case 24: .paused(try source.payload())
    case 25: .resumed(try source.payload())
    case 26: .accessRevoked(try source.payload())
    case 27: .holdPlaced(try source.payload())
    case 28: .holdReleased(try source.payload())
    case 29: .observed(try source.payload())
    case 40: .planChangeScheduled(try source.payload())
    case 41: .planChangeWithdrawn(try source.payload())
    case 42: .planChanged(try source.payload())
    case 50: .refunded(try source.payload())
    case 51: .refundReversed(try source.payload())
    case 52: .disputeOpened(try source.payload())
    case 53: .disputeClosed(try source.payload())
    case 54: .paymentLinked(try source.payload())
    case 55: .invoiced(try source.payload())
    case 60: .restored(try source.payload())
    case 61: .transferred(try source.payload())
    case 62: .accountLinked(try source.payload())
    case 63: .accountUnlinked(try source.payload())
    case 64: .customersMerged(try source.payload())
    case 65: .mergeUndone(try source.payload())
    case 66: .customerErased(try source.payload())
    case 70: .granted(try source.payload())
    case 71: .grantRevoked(try source.payload())
    case 80: .catalogRevised(try source.payload())
    case 81: .policyRevised(try source.payload())
    case 82: .settled(try source.payload())
    case 90: .checkoutOpened(try source.payload())
    case 91: .checkoutClosed(try source.payload())
    case 92: .seatAssigned(try source.payload())
    case 93: .seatClaimed(try source.payload())
    case 94: .seatReleased(try source.payload())
    case 100: .noted(try source.payload())
    case 101: .claimed(try source.payload())
    case 102: .corrected(try source.payload())
    default: .unrecognized
    }
  }
}

/// Where a payload comes from: its type follows from the fact's number.
package protocol PayloadSource {
  associatedtype Failure: Error
  mutating func payload<Payload: Message>() throws(Failure) -> Payload
}

private struct WirePayload: PayloadSource {
  let bytes: ArraySlice<UInt8>
  let depth: Int

  func payload<Payload: Message>() throws(WireError) -> Payload {
    try Payload(decoding: bytes, depth: depth)
  }
}

private struct JSONPayload: PayloadSource {
  let fields: [JSONValue.Field]

  func payload<Payload: Message>() throws(InvalidValue) -> Payload {
    try Payload(jsonFields: fields)
  }
}
