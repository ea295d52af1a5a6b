const longestWaitMs = 300;

/** Calls back once nothing else has to be done, and soon in any case; returns what takes it back. */
export function whenIdle(callBack: () => void): () => void {
  const waiting = window.requestIdleCallback?.(callBack, { timeout: longestWaitMs });
  // Safari has no such thing.
  if (waiting === undefined) callBack();
  return () => window.cancelIdleCallback?.(waiting);
}
