/// One line on a terminal's standard error that tells how far long work has come.
///
/// Shown from the second second on, so that quick work stays silent, and erased at the end.
final class ProgressLine {
  private let output: OutputBuffer
  private let isShown: Bool
  private let title: String
  private let start: ContinuousClock.Instant
  private var lastUpdate: ContinuousClock.Instant
  private var isOnScreen = false

  /// A line that is never shown where the user wants quiet or the output is no terminal.
  init(_ title: String, on output: OutputBuffer, isEnabled: Bool) {
    self.title = title
    self.output = output
    isShown = isEnabled && output.isTerminal
    start = .now
    lastUpdate = start
  }

  /// Notes that so much is done, of a total where it is known.
  func update(_ done: Int, of total: Int? = nil, now: ContinuousClock.Instant = .now) throws {
    guard isShown, start.duration(to: now) >= .seconds(1),
      !isOnScreen || lastUpdate.duration(to: now) >= .milliseconds(100)
    else { return }
    lastUpdate = now
    isOnScreen = true
    try output.write("\r\u{1B}[K" + text(done, of: total))
  }

  /// Notes progress from within work that a full or closed standard error must not stop.
  func note(_ done: UInt64, of total: UInt64) {
    try? update(Int(clamping: done), of: Int(clamping: total))
  }

  /// Takes the line off the screen.
  func finish() throws {
    guard isOnScreen else { return }
    isOnScreen = false
    try output.write("\r\u{1B}[K")
  }

  private func text(_ done: Int, of total: Int?) -> String {
    guard let total, total > 0 else { return "\(title): \(grouped(done))" }
    let percent = min(100, done * 100 / total)
    return "\(title): \(grouped(done)) of \(grouped(total)) (\(percent) %)"
  }
}

/// A number with its thousands apart: `12,345`.
func grouped(_ number: Int) -> String {
  let digits = String(number.magnitude)
  var result = ""
  for (index, digit) in digits.enumerated() {
    if index > 0, (digits.count - index).isMultiple(of: 3) { result.append(",") }
    result.append(digit)
  }
  return number < 0 ? "-" + result : result
}
