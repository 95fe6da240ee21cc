internal import FoundationEssentials
internal import Glibc
internal import LedgerStorage

/// The whole of a file.
func readFile(_ path: String) throws(CommandFailure) -> [UInt8] {
  do {
    return [UInt8](try Data(contentsOf: URL(filePath: path)))
  } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
    throw CommandFailure(.noInput, "\(printable(path)): there is no such file")
  } catch let error as CocoaError where error.code == .fileReadNoPermission {
    throw CommandFailure(
      .inputOutput, "\(printable(path)): permission denied",
      hint: "Run as a user who may read it, or change its mode.")
  } catch {
    throw CommandFailure(.inputOutput, "\(printable(path)): cannot be read: \(error)")
  }
}

/// What is left on standard input.
func readStandardInput() throws(CommandFailure) -> [UInt8] {
  var bytes: [UInt8] = []
  do throws(SystemFailure) {
    while true {
      let piece = try ProcessStreams.read(1 << 16, from: STDIN_FILENO)
      if piece.isEmpty { return bytes }
      bytes += piece
    }
  } catch {
    throw CommandFailure(.inputOutput, "standard input: \(error)")
  }
}
