/// Text on its way to a descriptor, handed over in large pieces.
///
/// A terminal gets each line at once. What cannot be written throws, so that a full disk is not
/// taken for success; a reader that went away ends the process by SIGPIPE, as it does any filter.
final class OutputBuffer {
  let isTerminal: Bool
  private let sink: ([UInt8]) throws -> Void
  private var bytes: [UInt8] = []

  private static let capacity = 1 << 16

  init(isTerminal: Bool, sink: @escaping ([UInt8]) throws -> Void) {
    self.isTerminal = isTerminal
    self.sink = sink
  }

  /// Writes text as it is; text from documents passes through `printable` before.
  func write(_ text: String) throws {
    bytes += text.utf8
    if isTerminal || bytes.count >= Self.capacity { try flush() }
  }

  func line(_ text: String = "") throws {
    try write(text + "\n")
  }

  func lines(_ lines: [String]) throws {
    for text in lines { try line(text) }
  }

  /// Hands over what is left; output is complete only after the last flush.
  func flush() throws {
    guard !bytes.isEmpty else { return }
    let pending = bytes
    bytes.removeAll(keepingCapacity: true)
    try sink(pending)
  }
}
