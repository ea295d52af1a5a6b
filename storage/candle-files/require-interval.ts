import { intervalMs, sourceIntervals, type SourceInterval } from '../../compute/model/interval.js';

/** Fewer equal steps between candles may be gaps. */
const leastSteps = 10;

/**
 * Throws an `Error` if these times are those of candles of another length: minutes and days begin at full hours as well, and
 * would be stored as hours. Gaps in candles of the interval are no such case.
 */
export function requireInterval(times: readonly number[], interval: SourceInterval): void {
  const ascending = [...new Set(times.filter((time) => Number.isFinite(time)))].sort((a, b) => a - b);
  const steps = new Map<number, number>();
  for (let i = 1; i < ascending.length; i++) {
    const step = ascending[i] - ascending[i - 1];
    steps.set(step, (steps.get(step) ?? 0) + 1);
  }
  const expectedMs = intervalMs(interval);
  const [[step, count] = [expectedMs, 0]] = [...steps].sort(([, left], [, right]) => right - left);
  if (step === expectedMs || count < leastSteps || count * 2 <= ascending.length - 1) return;
  const other = sourceIntervals.find((each) => intervalMs(each) === step);
  const longer = interval === '1h' ? '4h and 1d' : 'longer ones';
  const hint = other === undefined ? `from which ${longer} are made` : `or --interval ${other}`;
  throw new Error(`its candles are ${wordsOf(step)} apart; expected candles of ${interval}, ${hint}`);
}

/** A length of time in its largest whole unit. */
function wordsOf(ms: number): string {
  const units: [unit: string, ms: number][] = [
    ['days', 86_400_000],
    ['hours', 3_600_000],
    ['minutes', 60_000],
    ['seconds', 1_000],
  ];
  const [unit, length] = units.find(([, each]) => ms % each === 0) ?? ['ms', 1];
  return `${ms / length} ${ms === length ? unit.replace(/s$/, '') : unit}`;
}
