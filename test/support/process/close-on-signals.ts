import { constants } from 'node:os';

/**
 * The same `close`, called once at most: by whoever has the answer, or when the process is told to end, which it then does
 * with the exit code of the signal. A second signal ends it at once.
 */
export function closeOnSignals(
  close: () => Promise<void>,
  signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM'],
): () => Promise<void> {
  let closing: Promise<void> | undefined;
  const closeOnce = () => (closing ??= close());
  const end = (signal: NodeJS.Signals) =>
    void closeOnce().finally(() => process.exit(128 + constants.signals[signal]));
  for (const signal of signals) process.once(signal, end);
  return async () => {
    await closeOnce();
    for (const signal of signals) process.off(signal, end);
  };
}
