/**
 * A function whose result serves all calls while it is being made and until `ms` after it was begun. `make` never runs twice
 * at the same time; an error is shared, too.
 */
export function shareFor<T>(ms: number, make: () => Promise<T>): () => Promise<T> {
  let shared: Promise<T> | null = null;
  let isMade = false;
  let begun = -Infinity;
  return () => {
    if (shared !== null && (!isMade || performance.now() - begun < ms)) return shared;
    begun = performance.now();
    isMade = false;
    shared = make().finally(() => (isMade = true));
    return shared;
  };
}
