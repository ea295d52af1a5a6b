import { writePercent, writePrice } from './format.js';

/** "a profit of 120 USDT", "a loss of 35 USDT", "neither profit nor loss". */
export function profitWords(amount: number | string, currency: string): string {
  const value = Number(amount);
  if (value === 0) return 'neither profit nor loss';
  return `a ${value > 0 ? 'profit' : 'loss'} of ${writePrice(Math.abs(value))} ${currency}`;
}

/** A percentage, or words where it has no meaning. */
export const percentOr = (value: number | null, otherwise = 'unknown'): string =>
  value === null ? otherwise : writePercent(value);

const periodNames: Readonly<Record<string, string>> = {
  '3M': 'three months',
  '6M': 'six months',
  '1y': 'one year',
};

/** "one year" for 1y. */
export const periodWords = (period: string): string => periodNames[period] ?? period;
