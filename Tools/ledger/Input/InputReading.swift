internal import Glibc
internal import LedgerStorage

/// The whole of a file, or of a pipe by its name.
func readFile(_ path: String) throws(CommandFailure) -> [UInt8] {
  do throws(SystemFailure) {
    return try ProcessStreams.readFile(path)
  } catch {
    switch error.number {
    case ENOENT, ENOTDIR:
      throw CommandFailure(.noInput, "\(printable(path)): there is no such file")
    case EACCES:
      throw CommandFailure(
        .inputOutput, "\(printable(path)): permission denied",
        hint: "Run as a user who may read it, or change its mode.")
    default:
      throw CommandFailure(.inputOutput, "\(printable(path)): \(error)")
    }
  }
}

/// The next piece of standard input; empty at its end.
func nextStandardInput() throws(CommandFailure) -> [UInt8] {
  do throws(SystemFailure) {
    return try ProcessStreams.read(1 << 16, from: STDIN_FILENO)
  } catch {
    throw CommandFailure(.inputOutput, "standard input: \(error)")
  }
}
