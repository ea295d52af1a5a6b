const longestMs = 60_000;

/**
 * How long (ms) to wait before the next connection, after a number of connections in a row that failed: twice as long each
 * time, and spread by half, so that processes which lost theirs at one moment do not come back at one moment.
 * `firstMs`: the longest first delay; `random`: 0 to 1.
 */
export const reconnectDelayMs = (failures: number, firstMs: number, random: number): number =>
  Math.min(longestMs, firstMs * 2 ** Math.min(failures, 20)) * (0.5 + random / 2);
