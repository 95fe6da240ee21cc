internal import MembershipLedger
internal import MembershipModel
internal import MembershipProviders

/// Takes in a provider's documents, input by input.
struct Ingestion {
  let adapter: any ProviderAdapter
  /// The headers of the one document that there is; nil where none were given.
  let headers: [String: String]?
  let context: CommandContext
  var recorder: Recorder
  /// Whether it is a history that is taken over, whatever the documents say of how they came.
  private let isImport: Bool
  private var readableCount = 0
  /// Where the first document that cannot be read stands, and why.
  private var firstFault: (source: String, rule: String)?
  private var lacksProof = false

  init(
    adapter: any ProviderAdapter, headers: [String: String]?, context: CommandContext,
    recorder: Recorder, isImport: Bool = false
  ) {
    self.isImport = isImport
    self.adapter = adapter
    self.headers = headers
    self.context = context
    self.recorder = recorder
  }

  mutating func take(_ input: InputFile) throws {
    if headers != nil {
      // What is signed is the whole, to the last byte.
      try take(InputDocument(whole: context.read(input), source: input.name))
      return
    }
    if isImport {
      try takeHistory(input)
      return
    }
    var documents = try DocumentReader(input, in: context)
    var count = 0
    while let document = try documents.next() {
      try take(document)
      count += 1
      // Without a readable document nothing is recorded or told, as long as one may come.
      if readableCount > 0, try documents.hasToWait() { try recorder.flush() }
    }
    if count == 0 { readableCount += 1 }
  }

  /// Takes a whole export: a table, or documents.
  private mutating func takeHistory(_ input: InputFile) throws {
    let bytes = try context.read(input)
    guard var table = DelimitedTable(bytes, source: input.name) else {
      for document in InputDocument.all(in: bytes, source: input.name) { try take(document) }
      return
    }
    while let row = table.next() { try take(row) }
  }

  private mutating func take(_ document: InputDocument) throws {
    switch adapter.read(
      document, headers: headers, observedAt: nil, now: context.surroundings.clock())
    {
    case .events(let events):
      readableCount += 1
      for var event in events {
        if isImport { event.provenance.origin = .import }
        try recorder.add(
          AppendRequest(event, document: Array(document.bytes)), from: document.source)
      }
    case .refused(let refusal):
      try refuse(document, refusal)
    }
  }

  private mutating func refuse(_ document: InputDocument, _ refusal: Refusal) throws {
    if refusal.code == .unreadable {
      firstFault = firstFault ?? (document.source, refusal.message)
    } else {
      readableCount += 1
    }
    if refusal.lacksProof { lacksProof = true }
    try recorder.refuse(
      Recorder.Refused(
        reason: refusal.description, isWorthRetrying: refusal.isWorthRetrying),
      from: document.source)
  }

  /// Records the rest, and says how it went as a whole.
  mutating func finish() throws -> ExitCode {
    if readableCount == 0 {
      let fault = firstFault ?? ("-", "there is no input")
      throw CommandFailure(
        .badData,
        "\(printable(fault.source)): there is no readable document: \(printable(fault.rule))",
        hint: "Nothing is recorded. Hand over JSON: a document, an array, or one document a line.")
    }
    try recorder.finish()
    if lacksProof { try context.sayWhatProves() }
    return recorder.refusalCount == 0 ? .done : .no
  }
}
