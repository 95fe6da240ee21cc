internal import MembershipLedger
internal import MembershipModel
internal import MembershipProviders

/// The whole of what a store reports, read before anything is decided.
struct StoreReport {
  /// A document that is kept out, and why.
  struct Refused {
    let source: String
    let refusal: Refusal
  }

  private(set) var requests: [AppendRequest] = []
  private(set) var refused: [Refused] = []

  /// Reads all documents of an input.
  ///
  /// - Parameters:
  ///   - input: The input.
  ///   - adapter: What reads a document.
  ///   - headers: The headers of the one document that there is; nil where none were given.
  ///   - observedAt: When the store was asked.
  ///   - context: The command's context.
  /// - Throws: `CommandFailure` where there is no readable document at all.
  init(
    _ input: InputFile, _ adapter: any ProviderAdapter, headers: [String: String]?,
    observedAt: Timestamp, in context: CommandContext
  ) throws {
    let bytes = try context.read(input)
    let documents =
      headers == nil
      ? InputDocument.all(in: bytes, source: input.name)
      : [InputDocument(whole: bytes, source: input.name)]
    for document in documents {
      switch adapter.read(
        document, headers: headers, observedAt: observedAt, now: context.surroundings.clock())
      {
      case .events(let events):
        requests += events.map { AppendRequest($0, document: Array(document.bytes)) }
      case .refused(let refusal):
        refused.append(Refused(source: document.source, refusal: refusal))
      }
    }
    let unreadable = refused.filter { $0.refusal.code == .unreadable }
    if let first = unreadable.first, unreadable.count == documents.count {
      throw CommandFailure(
        .badData,
        "\(printable(first.source)): there is no readable document: "
          + printable(first.refusal.message),
        hint: "Nothing is recorded. Hand over JSON: a document, an array, or one document a line; "
          + "[] where the store reports nothing.")
    }
  }

  /// Whether documents came and none of them may be believed.
  var isRefused: Bool { requests.isEmpty && !refused.isEmpty }

  /// Tells of each document that is kept out.
  func tellRefused(_ context: CommandContext) throws {
    for document in refused {
      try context.say(
        "refused \(printable(document.source)): \(printable(document.refusal.description))")
    }
    if refused.contains(where: \.refusal.lacksProof) { try context.sayWhatProves() }
  }

  /// What is kept out: documents by the adapter, events by the ledger.
  func refusedJSON(_ events: [(event: EventID, error: LedgerError)]) -> JSONValue {
    let documents = refused.map { document in
      JSONValue.fields([
        "source": .string(document.source), "event": .null,
        "reason": .string(document.refusal.description),
        "retry": .bool(document.refusal.isWorthRetrying),
      ])
    }
    return .array(
      documents
        + events.map { event, error in
          .fields([
            "source": .null, "event": .id(event), "reason": .string(error.message),
            "retry": .bool(false),
          ])
        })
  }
}
