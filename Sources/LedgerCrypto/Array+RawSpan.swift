extension Array<UInt8> {
  /// Calls `body` with the array's bytes in place.
  package func withRawSpan<Result, Failure: Error>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // Safe: `bytes` is unsafe only for elements with padding, and bytes have none.
    unsafe try body(span.bytes)
  }
}
