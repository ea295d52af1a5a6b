/** Runs work with a signal that is aborted after `ms`. */
export async function withTimeLimit<T>(ms: number, work: (limit: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), Math.max(0, ms));
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}
