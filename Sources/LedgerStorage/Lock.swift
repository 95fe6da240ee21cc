internal import Glibc

/// A lock that owns the state it guards, with a condition to wait for.
///
/// A pthread mutex rather than `Synchronization.Mutex`: ThreadSanitizer follows pthread calls, but
/// the slow path of `Mutex` lies in an uninstrumented library and shows up as a race. It is not
/// recursive: taking it again on the same thread never returns.
@safe package struct Lock<State>: ~Copyable, @unchecked Sendable {
  // Sendable is safe because the state is touched only between lock and unlock of the mutex, and
  // the three pointers themselves never change.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  private let state: UnsafeMutablePointer<State>

  package init(_ initial: consuming sending State) {
    // Safe because each pointer is allocated and initialized here, owned by this value alone and
    // freed in deinit. Mutex and condition need addresses that never change, hence the heap.
    unsafe mutex = .allocate(capacity: 1)
    unsafe changed = .allocate(capacity: 1)
    unsafe state = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe changed.initialize(to: pthread_cond_t())
    unsafe state.initialize(to: initial)
    precondition(unsafe pthread_mutex_init(mutex, nil) == 0, "no memory for a mutex")
    precondition(unsafe pthread_cond_init(changed, nil) == 0, "no memory for a condition")
  }

  deinit {
    // Safe because deinit of a value without copies runs once, when no borrow is left.
    unsafe pthread_cond_destroy(changed)
    unsafe pthread_mutex_destroy(mutex)
    unsafe state.deinitialize(count: 1)
    unsafe changed.deallocate()
    unsafe mutex.deallocate()
    unsafe state.deallocate()
  }

  /// Runs `body` with the state, alone.
  package borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // Safe because the mutex is valid as long as self and the state is reached under it.
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try unsafe body(&state.pointee)
  }

  /// Runs `body` with the state, alone, unless another thread has it: then it gives nil at once.
  package borrowing func withLockIfFree<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    // Safe as above.
    guard unsafe pthread_mutex_trylock(mutex) == 0 else { return nil }
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try unsafe body(&state.pointee)
  }

  /// Waits until `condition` holds, then runs `body` with the state, alone.
  ///
  /// The condition is evaluated at once and after each `wakeAll`.
  package borrowing func withLock<Result: ~Copyable, Failure: Error>(
    when condition: (State) -> Bool,
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // Safe as above; pthread_cond_wait gives the mutex up only while it sleeps.
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while unsafe !condition(state.pointee) {
      unsafe pthread_cond_wait(changed, mutex)
    }
    return try unsafe body(&state.pointee)
  }

  /// Lets all that wait look at their condition again.
  package borrowing func wakeAll() {
    // Safe because the condition is valid as long as self.
    unsafe pthread_cond_broadcast(changed)
  }
}
