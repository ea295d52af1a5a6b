/**
 * A function that shares the result of `make` between calls: those that come while `make` runs, and those within `ms` of its
 * start. `make` never runs twice at the same time. An error is shared only while `make` runs: the next call tries again.
 */
export function shareFor<T>(ms: number, make: () => Promise<T>): () => Promise<T> {
  let shared: Promise<T> | null = null;
  let isRunning = false;
  let begun = -Infinity;
  return () => {
    if (shared !== null && (isRunning || performance.now() - begun < ms)) return shared;
    begun = performance.now();
    isRunning = true;
    shared = make().finally(() => (isRunning = false));
    shared.catch(() => (begun = -Infinity));
    return shared;
  };
}
