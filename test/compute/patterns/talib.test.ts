import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { Bars, type PriceColumns } from '../../../compute/patterns/rules/bars.js';
import type { Interval } from '../../../compute/model/interval.js';
import { computePattern, scanPatterns } from '../../../compute/model/pattern.js';
import { patterns } from '../../../compute/patterns/index.js';
import { readPatternFixture } from '../../support/candles/pattern-fixture.js';
import {
  describeWithSharedData,
  hasSharedData,
  sharedCandles,
  sharedColumns,
  sharedPath,
} from '../../support/candles/shared-data.js';

/** The candles on which two columns differ, each with both values. */
const differences = (actual: ArrayLike<number>, expected: ArrayLike<number>) =>
  Array.from(expected, (value, i) => ({ i, expected: value, actual: actual[i] })).filter(
    (each) => each.actual !== each.expected,
  );

const fixture = readPatternFixture();

describe(`candlestick patterns on made-up candles, against TA-Lib ${fixture.talib}`, () => {
  const bars = fixture.series.map(({ candles }) => new Bars(candles));

  for (const pattern of patterns) {
    it(`finds ${pattern.title} where TA-Lib does, with any penetration`, () => {
      fixture.series.forEach(({ cases }, n) => {
        for (const { given, values } of cases) {
          // A penetration other than the default concerns only the patterns that have one.
          if (!(pattern.talib in values)) continue;
          const actual = computePattern(pattern, bars[n], given);
          assert.deepEqual(differences(actual, values[pattern.talib]), [], `series ${n}`);
        }
      });
    });

    it(`finds ${pattern.title} with every value it may have, and no other`, () => {
      const found = new Set(bars.flatMap((each) => [...computePattern(pattern, each)]));
      found.delete(0);
      assert.deepEqual(
        [...found].sort((a, b) => a - b),
        pattern.values,
      );
    });

    it(`gives ${pattern.title} its first value where TA-Lib does`, () => {
      assert.equal(pattern.warmup, fixture.lookback[pattern.talib]);
    });
  }

  it('has the same patterns as TA-Lib', () => {
    const names = patterns.map(({ talib }) => talib);
    assert.deepEqual(names.sort(), Object.keys(fixture.lookback).sort());
  });
});

const ending = '.patterns.csv.gz';
const folder = 'reference/talib';
const files = hasSharedData ? readdirSync(sharedPath(folder)).filter((name) => name.endsWith(ending)) : [];

/** The candles a file of reference patterns was computed from: in the file itself or in that of the market. */
function candlesOf(file: string, reference: Record<string, Float64Array>): PriceColumns {
  const { open, high, low, close, time } = reference;
  if (open) return { open, high, low, close };
  const [pair, interval] = file.slice(0, -ending.length).split('-');
  const market = sharedCandles(pair, interval as Interval);
  assert.deepEqual(market.time.subarray(0, time.length), time);
  return market;
}

describeWithSharedData('candlestick patterns on real candles, against TA-Lib', () => {
  it('has reference values of crypto and of a stock', () => {
    assert.ok(files.length >= 4 && files.some((file) => file.includes('stock')));
  });

  for (const file of files) {
    it(`equal every row of ${file}`, () => {
      const reference = sharedColumns(`${folder}/${file}`);
      const found = scanPatterns(patterns, candlesOf(file, reference));
      for (const { name, talib } of patterns) {
        const expected = reference[`cdl${talib.toLowerCase()}`];
        assert.deepEqual(differences(found[name], expected), [], name);
      }
    });
  }
});
