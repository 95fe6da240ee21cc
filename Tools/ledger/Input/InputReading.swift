internal import Glibc
internal import LedgerStorage

/// The whole of a file, or of a pipe by its name.
func readFile(_ path: String) throws(CommandFailure) -> [UInt8] {
  do throws(SystemFailure) {
    return try ProcessStreams.readFile(path)
  } catch {
    throw failure(error.number, path, "\(error)")
  }
}

/// Refuses a path where there is nothing, or a folder; what cannot be looked at fails when read.
func requireFile(_ path: String) throws(CommandFailure) {
  let status: FileStatus?
  do throws(StorageError) {
    status = try FileSystem.status(of: path)
  } catch {
    return
  }
  guard let status else { throw failure(ENOENT, path, "") }
  if status.isFolder { throw failure(EISDIR, path, "") }
}

private func failure(_ number: Int32, _ path: String, _ text: String) -> CommandFailure {
  switch number {
  case ENOENT, ENOTDIR:
    CommandFailure(.noInput, "\(printable(path)): there is no such file")
  case EISDIR:
    CommandFailure(
      .noInput, "\(printable(path)): a folder, not a file",
      hint: "Name the files in it, as \(printable(path))/*.json.")
  case EACCES:
    CommandFailure(
      .inputOutput, "\(printable(path)): permission denied",
      hint: "Run as a user who may read it, or change its mode.")
  default:
    CommandFailure(.inputOutput, "\(printable(path)): \(text)")
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
