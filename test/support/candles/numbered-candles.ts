import { candleColumns, createCandles, type Candles } from '../../../compute/model/candles.js';

const dayMs = 86_400_000;

/** What has been put right: candles by index, and what was added to their values. */
export type Repairs = readonly (readonly [index: number, by: number])[];

/** What a reader is told of candles: how many there are, and which of them have been put right. */
export interface NumberedCandles {
  candles: Candles;
  count: number;
  repairs: Repairs;
}

/** Daily candles each value of which follows from its place, so that a reader can tell whether it is right. */
export function numberedCandles(count: number, repairs: Repairs = []): Candles {
  const candles = createCandles(count);
  for (let i = 0; i < count; i++)
    candleColumns.forEach((column, n) => (candles[column][i] = n === 0 ? i * dayMs : i * 8 + n));
  repair(candles, repairs);
  return candles;
}

export function repair(candles: Candles, repairs: Repairs): void {
  for (const [index, by] of repairs)
    for (const column of candleColumns.slice(1)) candles[column][index] += by;
}

/** The first value that is not what it should be, in words; null if all are right. */
export function firstFault({ candles, count, repairs }: NumberedCandles): string | null {
  const repaired = new Map(repairs);
  for (const [n, column] of candleColumns.entries()) {
    const values = candles[column];
    if (values.length !== count) return `${values.length} values of ${column}, not ${count}`;
    for (let i = 0; i < count; i++) {
      const right = n === 0 ? i * dayMs : i * 8 + n + (repaired.get(i) ?? 0);
      if (values[i] !== right) return `${column}[${i}] of ${count} is ${values[i]}, not ${right}`;
    }
  }
  return null;
}
