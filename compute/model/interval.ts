const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** The length of each interval, and the number of its candles in a year of 365 days. */
const table = {
  '5m': { ms: 5 * minuteMs, perYear: 105_120 },
  '15m': { ms: 15 * minuteMs, perYear: 35_040 },
  '1h': { ms: hourMs, perYear: 8760 },
  '4h': { ms: 4 * hourMs, perYear: 2190 },
  '1d': { ms: 24 * hourMs, perYear: 365 },
} as const;

/** An interval of research, candles and import. */
export type ResearchInterval = keyof typeof table;

export type Interval = Exclude<ResearchInterval, '5m' | '15m'>;

/** An interval whose candles are stored as they come; the others are made of these. */
export type SourceInterval = Exclude<ResearchInterval, '4h' | '1d'>;

export const sourceIntervals: readonly SourceInterval[] = ['5m', '15m', '1h'];

/** All intervals that research offers, the shortest first. */
export const researchIntervals = Object.keys(table) as ResearchInterval[];

/** The intervals of everything else, the shortest first. 4h and 1d are resampled from 1h. */
export const intervals = researchIntervals.filter(
  (interval): interval is Interval => interval !== '5m' && interval !== '15m',
);

export const intervalMs = (interval: ResearchInterval): number => table[interval].ms;

export const candlesPerYear = (interval: ResearchInterval): number => table[interval].perYear;

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
