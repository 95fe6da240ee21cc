internal import MembershipModel

/// The documents of an input, each as soon as it is there.
///
/// What a pipe holds shows only as it comes: one document over many lines is known by its end, JSON
/// Lines by a line that can be read where the lines so far are no beginning of a document. Whether
/// a single line is all that there is, is waited for a little.
struct DocumentReader {
  private enum Form {
    /// Nothing read so far tells; looked at again when there is so much.
    case unknown(nextLook: Int)
    /// Lines, of which none within so many bytes can be read.
    case broken(looked: Int)
    case lines
  }

  private let source: String
  private let surroundings: Surroundings
  private var form = Form.unknown(nextLook: 0)
  /// What is read and not given out yet.
  private var bytes: [UInt8] = []
  private var ready: ArraySlice<InputDocument> = []
  /// The number of the first line in `bytes`.
  private var lineNumber = 1
  private var isAtEnd = false

  /// How long, in milliseconds, a first line waits for a second one, or the end, to tell what it
  /// is.
  private static let patience: Int32 = 500

  init(_ input: InputFile, in context: CommandContext) throws {
    source = input.name
    surroundings = context.surroundings
    if case .path(let path) = input {
      bytes = try context.surroundings.readFile(path)
      finish()
    }
  }

  /// Whether the next document, or the end, may have to be waited for: what is there is no whole
  /// line.
  mutating func hasToWait() throws -> Bool {
    // A piece of a line is taken out of the way, for `next` would wait for the rest.
    if ready.isEmpty, !isAtEnd, surroundings.hasInput(0) { try readOn() }
    return ready.isEmpty && !isAtEnd
  }

  /// The next document; nil at the end.
  mutating func next() throws -> InputDocument? {
    while ready.isEmpty, !isAtEnd { try readOn() }
    return ready.popFirst()
  }

  private mutating func readOn() throws {
    let piece = try surroundings.nextInput()
    if piece.isEmpty {
      finish()
      return
    }
    // Only a new line can tell anything new.
    let hasLine = piece.contains(UInt8(ascii: "\n"))
    bytes += piece
    if hasLine { takeLines() }
  }

  /// Takes the rest as what it is.
  private mutating func finish() {
    isAtEnd = true
    switch form {
    case .lines:
      ready += InputDocument.lines(of: bytes[...], from: lineNumber, source: source)
    case .unknown, .broken:
      ready += InputDocument.all(in: bytes, source: source)
    }
    bytes = []
  }

  private mutating func takeLines() {
    guard let last = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return }
    let lines = bytes[...last]
    if case .unknown(let nextLook) = form, lines.count >= nextLook {
      switch JSONValue.completeness(ofLines: lines) {
      case .broken: form = .broken(looked: 0)
      case .open: form = .unknown(nextLook: 2 * lines.count)
      case .whole where isOneLine(lines) && !surroundings.hasInput(Self.patience): form = .lines
      case .whole: form = .unknown(nextLook: lines.count + 1)
      }
    }
    switch form {
    case .unknown:
      return
    case .broken(let looked):
      let unseen = InputDocument.lines(of: lines[looked...], from: 1, source: source)
      guard unseen.contains(where: { $0.fault == nil }) else {
        form = .broken(looked: lines.count)
        return
      }
      form = .lines
    case .lines:
      break
    }
    ready += InputDocument.lines(of: lines, from: lineNumber, source: source)
    lineNumber += lines.count { $0 == UInt8(ascii: "\n") }
    bytes.removeSubrange(...last)
  }

  /// Whether all but one line is blank.
  private func isOneLine(_ lines: ArraySlice<UInt8>) -> Bool {
    let content = lines.split(separator: UInt8(ascii: "\n"))
      .filter { !$0.allSatisfy(JSONScanner.isSpace) }
    return content.count == 1
  }
}
