import { intervalMs } from '../model/interval.js';

export const buyRhythms = ['day', 'week', 'month'] as const;

export type BuyRhythm = (typeof buyRhythms)[number];

/**
 * The moments of buys in [fromMs, toMs), ms UTC: `fromMs`, then every day or week after it, or every month on the same
 * day and time. In a shorter month it is the last day.
 */
export function buySchedule(fromMs: number, toMs: number, every: BuyRhythm): number[] {
  const moments: number[] = [];
  for (let n = 0, at = fromMs; at < toMs; at = momentAfter(fromMs, ++n, every)) moments.push(at);
  return moments;
}

function momentAfter(fromMs: number, count: number, every: BuyRhythm): number {
  if (every !== 'month') return fromMs + count * (every === 'day' ? 1 : 7) * intervalMs('1d');
  const first = new Date(fromMs);
  const [year, month] = [first.getUTCFullYear(), first.getUTCMonth() + count];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const day = Math.min(first.getUTCDate(), lastDay);
  return Date.UTC(year, month, day) + (fromMs % intervalMs('1d'));
}
