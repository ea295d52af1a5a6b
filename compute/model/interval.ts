const hourMs = 3_600_000;

/** The length of each interval, and the number of its candles in a year of 365 days. */
const table = {
  '1h': { ms: hourMs, perYear: 8760 },
  '4h': { ms: 4 * hourMs, perYear: 2190 },
  '1d': { ms: 24 * hourMs, perYear: 365 },
} as const;

export type Interval = keyof typeof table;

/** All intervals, the shortest first. 4h and 1d are resampled from 1h. */
export const intervals = Object.keys(table) as Interval[];

export const intervalMs = (interval: Interval): number => table[interval].ms;

export const candlesPerYear = (interval: Interval): number => table[interval].perYear;

export const periods = ['3M', '6M', '1y'] as const;

export type Period = (typeof periods)[number];

const months: Record<Period, number> = { '3M': 3, '6M': 6, '1y': 12 };

/** `endMs` moved back by the calendar months of `period`, UTC; a day that the month lacks becomes its last day. */
export function periodStart(endMs: number, period: Period): number {
  const end = new Date(endMs);
  const start = new Date(endMs);
  start.setUTCDate(1);
  start.setUTCMonth(start.getUTCMonth() - months[period]);
  const lastDay = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 0)).getUTCDate();
  start.setUTCDate(Math.min(end.getUTCDate(), lastDay));
  return start.getTime();
}
