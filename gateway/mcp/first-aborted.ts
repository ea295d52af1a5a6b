/**
 * Returns a function for a signal that is aborted with the first of several. The signal is made at first use: most calls end
 * before anything has to wait, and combining signals costs more than the look-up that answers such a call.
 */
export function firstAborted(...signals: (() => AbortSignal)[]): () => AbortSignal {
  let first: AbortSignal | undefined;
  return () => (first ??= AbortSignal.any(signals.map((signal) => signal())));
}
