import Glibc

/// Runs `body` in a forked child that ends with it; throws if it failed.
///
/// Swift hides `fork`, rightly; the tests of what storage does over a fork need it. Only for exit
/// tests, whose process is the test's own.
func runForked(_ body: () throws -> Void) throws {
  try finishForked(startForked(body))
}

/// Waits for a forked child's end; throws if it failed.
func finishForked(_ child: Int32) throws {
  var status: Int32 = 0
  unsafe waitpid(child, &status, 0)
  if status != 0 { throw ForkFailure(status: status) }
}

/// Waits until a forked child has stopped itself.
func awaitStop(of child: Int32) throws {
  var status: Int32 = 0
  unsafe waitpid(child, &status, WUNTRACED)
  if status & 0xff != 0x7f { throw ForkFailure(status: status) }
}

/// Runs `body` in a forked child that ends with it; the child's id.
func startForked(_ body: () throws -> Void) -> Int32 {
  typealias Fork = @convention(c) () -> Int32
  let symbol = unsafe dlsym(nil, "fork")
  let fork = unsafe unsafeBitCast(symbol, to: Fork.self)
  let child = fork()
  if child == 0 {
    do {
      try body()
      _exit(0)
    } catch {
      print("in the forked child: \(error)")
      _exit(1)
    }
  }
  return child
}

struct ForkFailure: Error {
  let status: Int32
}
