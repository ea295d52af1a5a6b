import type { Slots } from './slots.js';

/** The period of the user's own books that a question means; undefined where it names none. */
export function ledgerPeriodOf({ isToday, isAllTime, period, windowHours }: Slots): string | undefined {
  if (isToday) return 'today';
  if (isAllTime) return 'all';
  if (windowHours !== undefined) return nearestPeriod(windowHours / 24);
  return period === undefined ? undefined : period === '3M' ? '90d' : '1y';
}

/** The shortest period that has so many days. */
function nearestPeriod(days: number): string {
  if (days <= 1) return 'today';
  if (days <= 7) return '7d';
  if (days <= 31) return '30d';
  return days <= 92 ? '90d' : '1y';
}
