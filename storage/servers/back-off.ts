import { setTimeout as pause } from 'node:timers/promises';

const firstMs = 10;
const longestMs = 300;

/** Waits for a while by chance, longer after more tries in vain: those who got in each other's way once do not go on so. */
export const backOff = (triesInVain: number): Promise<void> =>
  pause(Math.random() * Math.min(longestMs, firstMs * 2 ** triesInVain));
