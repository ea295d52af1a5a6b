import { findingsOf, type Finding } from './finding.js';

const warnMs = 1_000;
const unfitMs = 30_000;

/** A reading of another clock: it was read between two times of this process. */
export interface ClockReading {
  sentAtMs: number;
  timeMs: number;
  receivedAtMs: number;
}

/** How far the clock of a server is from that of this process. The time of the round trip counts as no difference. */
export function clockFinding(
  part: 'redis' | 'mongodb',
  { sentAtMs, timeMs, receivedAtMs }: ClockReading,
): Finding {
  const { ok, warning, unfit } = findingsOf(part);
  // Positive where this process is ahead.
  const skewMs = sentAtMs > timeMs ? sentAtMs - timeMs : Math.min(0, receivedAtMs - timeMs);
  const off = Math.abs(skewMs);
  if (off < warnMs) return ok('clock', 'agrees with this process');
  const found = `this process is ${(off / 1_000).toFixed(1)} s ${skewMs > 0 ? 'ahead of' : 'behind'} it`;
  const advice =
    'synchronize the clocks of all machines by NTP: sessions, signatures and candles depend on the time';
  return off < unfitMs ? warning('clock', found, advice) : unfit('clock', found, advice);
}
