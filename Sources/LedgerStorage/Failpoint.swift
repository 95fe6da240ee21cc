#if DEBUG
  internal import Glibc
  internal import Synchronization
#endif

/// A named place at which a test makes the program die, stop or fail.
///
/// Storage passes `storage.before-begin`, `storage.put` after each put, `storage.before-commit`,
/// `storage.after-commit`, and puts an error armed at `storage.commit` or `storage.meta-write` in
/// the place of the commit's outcome; the layers above have names of their own. A debug build arms
/// one by `arm`, or by `LEDGER_FAILPOINT=NAME:ACTION:N` (kill, stop or error, at the Nth passage)
/// in its environment. A release build has none of it.
package enum Failpoint {
  package enum Action: Sendable, Equatable {
    /// SIGKILL: no handler, no deinit, no flush.
    case kill
    /// SIGSTOP: all waits where it is until SIGCONT.
    case stop
    /// The step at the failpoint fails with this `errno`.
    case error(Int32)
  }

  /// Dies, stops or throws if `name` is armed and its passage has come.
  @inline(__always)
  package static func pass(_ name: StaticString) throws(StorageError) {
    #if DEBUG
      if let code = injectedCode(at: name) {
        throw StorageError(.failpoint, "failpoint \(name)", "armed with error \(code)")
      }
    #endif
  }
}

#if DEBUG
  extension Failpoint {
    private struct Armed {
      let name: String
      let action: Action
      var passagesLeft: Int
    }

    private static let isArmed = Atomic<Bool>(false)
    private static let armed = Lock<Armed?>(nil)
    private static let armedByEnvironment: Void = armFromEnvironment()

    /// Arms one failpoint of the process: its `passage`th passage acts, once.
    package static func arm(_ name: String, action: Action, passage: Int = 1) {
      precondition(passage > 0, "passages count from 1")
      armed.withLock { $0 = Armed(name: name, action: action, passagesLeft: passage) }
      isArmed.store(true, ordering: .releasing)
    }

    /// Dies, stops or gives the code to fail with, if `name` is armed and its passage has come.
    static func injectedCode(at name: StaticString) -> Int32? {
      _ = armedByEnvironment
      guard isArmed.load(ordering: .acquiring) else { return nil }
      return armed.withLock { (state) -> Int32? in
        guard state?.name == name.description else { return nil }
        state?.passagesLeft -= 1
        guard let current = state, current.passagesLeft == 0 else { return nil }
        state = nil
        isArmed.store(false, ordering: .releasing)
        switch current.action {
        case .kill:
          kill(getpid(), SIGKILL)
          fatalError("SIGKILL is not survived")
        case .stop:
          raise(SIGSTOP)
          return nil
        case .error(let code):
          return code
        }
      }
    }

    private static func armFromEnvironment() {
      // Safe because the string that getenv returns is copied at once; no one calls setenv.
      guard let value = unsafe getenv("LEDGER_FAILPOINT") else { return }
      let parts = unsafe String(cString: value).split(separator: ":")
      let actions: [Substring: Action] = ["kill": .kill, "stop": .stop, "error": .error(EIO)]
      guard parts.count == 3, let passage = Int(parts[2]), passage > 0,
        let action = actions[parts[1]]
      else {
        fatalError("LEDGER_FAILPOINT is NAME:kill|stop|error:PASSAGE")
      }
      arm(String(parts[0]), action: action, passage: passage)
    }
  }
#endif
