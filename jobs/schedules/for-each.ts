/** Does `work` with each item, at most `lanes` at a time. Ends with the first failure, when those under way have ended. */
export async function forEach<T>(
  items: readonly T[],
  lanes: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  let failed = false;
  const lane = async () => {
    for (const item of rest) {
      if (failed) return;
      await work(item).catch((error: unknown) => {
        failed = true;
        throw error;
      });
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: lanes }, lane));
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
}
