import { candlesOf, faultOf, type CandleRow } from '../../storage/candles/candle-row.js';
import type { Candles } from '../../compute/model/candles.js';
import { intervalMs } from '../../compute/model/interval.js';

/** The candles in the rows of an exchange's answer. */
export interface RowsRead {
  /** Closed candles, ascending, each time once. */
  candles: Candles;
  /** Numbers of refused rows by reason. */
  refused: Map<string, number>;
}

/**
 * The candles that open from `fromMs` up to, not including, `toMs`. Rows outside of that range are ignored, such as the hour
 * that is not closed. Invalid rows are refused with a reason. Of two rows for one hour the first is kept.
 */
export function readRows(rows: readonly unknown[], fromMs: number, toMs: number): RowsRead {
  const byTime = new Map<number, CandleRow>();
  const refused = new Map<string, number>();
  for (const row of rows) {
    if (!isRow(row)) {
      count(refused, 'a value is not a number');
      continue;
    }
    const [time] = row;
    if (time < fromMs || time >= toMs) continue;
    const kept = byTime.get(time);
    const fault =
      faultOf(row, Infinity) ??
      (kept && !sameRow(row, kept) ? 'differs from an earlier row for that hour' : null);
    if (fault !== null) count(refused, fault);
    else if (!kept) byTime.set(time, row);
  }
  const ascending = [...byTime.values()].sort(([left], [right]) => left - right);
  return { candles: candlesOf(ascending), refused };
}

/** The number of hours from `fromMs` up to, not including, `toMs`. */
export const hoursBetween = (fromMs: number, toMs: number): number =>
  Math.max(0, Math.round((toMs - fromMs) / intervalMs('1h')));

const isRow = (row: unknown): row is CandleRow =>
  Array.isArray(row) && row.length >= 6 && row.slice(0, 6).every((value) => Number.isFinite(value));

const sameRow = (left: CandleRow, right: CandleRow) => left.every((value, i) => value === right[i]);

const count = (counts: Map<string, number>, reason: string) =>
  counts.set(reason, (counts.get(reason) ?? 0) + 1);
