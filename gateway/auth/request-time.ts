/** Allowed difference between the clocks of client and service. */
const toleranceMs = 300_000;

/** Whether a Unix time in seconds (10 digits) or milliseconds (13 digits) is at most 5 minutes away. */
export function isRecent(timestamp: string, nowMs: number): boolean {
  const aheadMs = aheadOf(timestamp, nowMs);
  return aheadMs !== null && Math.abs(aheadMs) <= toleranceMs;
}

/**
 * What is wrong with the clock of the client that sent x-timestamp; null if it is right, or if the header is no Unix time. The text
 * reveals no secret: it depends only on the header and on the clock of the service, which every answer shows in `Date`.
 */
export function clockFault(timestamp: unknown, nowMs: number): string | null {
  const aheadMs = typeof timestamp === 'string' ? aheadOf(timestamp, nowMs) : null;
  if (aheadMs === null || Math.abs(aheadMs) <= toleranceMs) return null;
  const seconds = Math.round(Math.abs(aheadMs) / 1_000).toLocaleString('en-US');
  const side = aheadMs < 0 ? 'behind' : 'ahead of';
  return `x-timestamp is ${seconds} s ${side} the server; at most ${toleranceMs / 1_000} s are accepted`;
}

/** How far a timestamp is ahead of the clock, in ms; negative if it is behind; null for text that is no Unix time. */
function aheadOf(timestamp: string, nowMs: number): number | null {
  if (/^\d{13}$/.test(timestamp)) return Number(timestamp) - nowMs;
  if (!/^\d{10}$/.test(timestamp)) return null;
  // Compared in whole seconds, because the client's timestamp is rounded down, too.
  return (Number(timestamp) - Math.floor(nowMs / 1_000)) * 1_000;
}
