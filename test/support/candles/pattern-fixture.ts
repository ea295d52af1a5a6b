import type { PriceColumns } from '../../../compute/patterns/rules/bars.js';
import { readFixture } from './fixture.js';

const columns = ['open', 'high', 'low', 'close'] as const;

/** Index and value of each candle that has one, one after the other, by TA-Lib's name of the pattern. */
type SparseValues = Record<string, number[]>;

interface StoredSeries extends Record<(typeof columns)[number], number[]> {
  tick: number;
  values: SparseValues;
  penetration: Record<string, SparseValues>;
}

export interface PatternSeries {
  candles: PriceColumns;
  /** The default parameters, and those with a penetration other than the default. */
  cases: { given: { penetration?: number }; values: Record<string, Int16Array> }[];
}

export interface PatternFixture {
  talib: string;
  lookback: Record<string, number>;
  series: PatternSeries[];
}

/** Made-up candles on which every pattern occurs and what TA-Lib finds there; see test/fixtures/make-patterns.py. */
export function readPatternFixture(): PatternFixture {
  const stored = readFixture('patterns.json.gz') as PatternFixture & { series: StoredSeries[] };
  return { ...stored, series: stored.series.map(unpack) };
}

function unpack(stored: StoredSeries): PatternSeries {
  const { tick, values, penetration } = stored;
  const prices = columns.map((name) => [name, Float64Array.from(stored[name], (ticks) => ticks * tick)]);
  const shares = Object.entries(penetration).map(([share, found]) => ({
    given: { penetration: Number(share) },
    values: dense(found, stored.open.length),
  }));
  return {
    candles: Object.fromEntries(prices) as Record<(typeof columns)[number], Float64Array>,
    cases: [{ given: {}, values: dense(values, stored.open.length) }, ...shares],
  };
}

const dense = (values: SparseValues, length: number): Record<string, Int16Array> =>
  Object.fromEntries(
    Object.entries(values).map(([name, pairs]) => {
      const column = new Int16Array(length);
      for (let k = 0; k < pairs.length; k += 2) column[pairs[k]] = pairs[k + 1];
      return [name, column];
    }),
  );
