import { setTimeout as pause } from 'node:timers/promises';

const firstMs = 10;
const longestMs = 300;

/** Waits for a random time, longer after more failed tries (0 for the first), so that processes that collided spread out. */
export const backOff = (failedTries: number): Promise<void> =>
  pause(Math.random() * Math.min(longestMs, firstMs * 2 ** failedTries));
