import { setTimeout as pause } from 'node:timers/promises';

/** Waits for `ms`, or until the signal is aborted. Returns false if it is aborted. */
export async function pauseUnlessAborted(ms: number, signal: AbortSignal): Promise<boolean> {
  await pause(ms, undefined, { signal }).catch(() => undefined);
  return !signal.aborted;
}
