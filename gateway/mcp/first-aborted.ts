/**
 * Answers a signal that is aborted with the first of several. It is made when it is first asked for: most calls end before
 * anything has to wait, and combining signals costs more than the look-up that answers them.
 */
export function firstAborted(...signals: (() => AbortSignal)[]): () => AbortSignal {
  let first: AbortSignal | undefined;
  return () => (first ??= AbortSignal.any(signals.map((signal) => signal())));
}
