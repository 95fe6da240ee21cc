internal import Glibc

/// The process's descriptors: what Swift has no safe form of.
///
/// No pointer outlives the call that it is made for.
package enum ProcessStreams {
  /// Writes all bytes, or says with a system error number why not.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemFailure) {
    var written = 0
    while written < bytes.count {
      // Safe: pointer and length come from one live buffer, `written` never exceeds its length,
      // and write(2) only reads.
      let count = unsafe bytes.withUnsafeBytes { buffer in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
        return unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
      }
      if count >= 0 {
        written += count
      } else if errno != EINTR {
        throw SystemFailure(number: errno)
      }
    }
  }

  /// Reads up to `limit` bytes; none at the end.
  package static func read(
    _ limit: Int, from descriptor: Int32
  ) throws(SystemFailure) -> [UInt8] {
    while true {
      var failure: Int32 = 0
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
        // Safe: read(2) fills at most the buffer's length, and `count` says how much it filled.
        let result = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        failure = result < 0 ? errno : 0
        count = max(0, result)
      }
      if failure == 0 { return bytes }
      if failure != EINTR { throw SystemFailure(number: failure) }
    }
  }

  /// Reads a file, a pipe or a device to its end.
  package static func readFile(_ path: String) throws(SystemFailure) -> [UInt8] {
    // Safe: a Swift string is a valid C string for the call.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemFailure(number: errno) }
    defer { close(descriptor) }
    return try readAll(from: descriptor)
  }

  /// Waits, and says whether a read would find something, be it the end, without waiting more.
  package static func hasInput(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // Safe: one entry, which outlives the call.
    return unsafe poll(&entry, 1, milliseconds) > 0
  }

  /// Reads what is left behind a descriptor.
  private static func readAll(from descriptor: Int32) throws(SystemFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let piece = try read(1 << 16, from: descriptor)
      if piece.isEmpty { return bytes }
      bytes += piece
    }
  }

  /// Waits, and says whether whoever reads the pipe or socket behind a descriptor went away
  /// meanwhile.
  package static func loseReader(of descriptor: Int32, within milliseconds: Int32) -> Bool {
    // Without events asked for, poll(2) tells only of the other end's going.
    var entry = pollfd(fd: descriptor, events: 0, revents: 0)
    // Safe: one entry, which outlives the call.
    return unsafe poll(&entry, 1, milliseconds) > 0
      && entry.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0
  }

  /// The width of the terminal behind a descriptor, if it is one and tells.
  package static func terminalColumns(of descriptor: Int32) -> Int? {
    var size = winsize()
    // Safe: TIOCGWINSZ writes one `winsize`, which `size` is and outlives the call.
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return Int(size.ws_col)
  }
}

/// Why a system call failed.
package struct SystemFailure: Error, Equatable, CustomStringConvertible {
  package let number: Int32

  package var description: String {
    // Safe: strerror never returns null, and its text is copied before any other call.
    unsafe String(cString: strerror(number))
  }
}
