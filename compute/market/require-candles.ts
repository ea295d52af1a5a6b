import { AppError } from '../model/errors.js';
import type { SeriesQuestion } from '../task.js';

/** Throws `not_enough_history` unless the series has the number of closed candles that a reading needs. */
export function requireCandles(reading: string, { candles, interval }: SeriesQuestion, needed: number): void {
  const found = candles.time.length;
  if (found >= needed) return;
  const message = `${reading} needs ${needed} closed ${interval} candles, found ${found}`;
  throw new AppError('not_enough_history', message, { details: { needed, found } });
}
