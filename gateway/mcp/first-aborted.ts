/**
 * Answers a signal that is aborted with the first of several. It is made when it is first asked for: most calls end before
 * anything has to wait, and combining signals costs more than the look-up that answers them.
 */
<<<<<<<< HEAD:gateway/mcp/first-signal.ts
export function firstSignal(...signals: (() => AbortSignal)[]): () => AbortSignal {
========
export function firstAborted(...signals: (() => AbortSignal)[]): () => AbortSignal {
>>>>>>>> w-audit13:gateway/mcp/first-aborted.ts
  let first: AbortSignal | undefined;
  return () => (first ??= AbortSignal.any(signals.map((signal) => signal())));
}
