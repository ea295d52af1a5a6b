import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { computeIndicator } from '../../../compute/model/indicator.js';
import { candleColumns, createCandles, type CandleColumn } from '../../../compute/model/candles.js';
import { assertNear } from '../../support/numbers/assert-near.js';
import { allIndicators, indicatorByName } from '../../support/candles/indicators-by-name.js';
import { projectRoot } from '../../support/harness/paths.js';

interface Expected {
  indicator: string;
  params: Record<string, number>;
  source: 'talib' | 'plain';
  outputs: Record<string, { first: number; values: (number | null)[] }>;
}

interface Fixture {
  talib: string;
  every: number;
  series: { name: string; candles: Record<CandleColumn, number[]>; expected: Expected[] }[];
}

// Made by test/fixtures/make-indicators.py.
const path = join(projectRoot, 'test/fixtures/indicators.json.gz');
const fixture = JSON.parse(gunzipSync(readFileSync(path)).toString()) as Fixture;

/**
 * How far a value may lie off where 1e-9 of it is less: TA-Lib's running sums leave rounding where the value is 0 or
 * next to it, below 1e-11 in percent and below 2e-13 of the price in quote units. The kernels leave none.
 */
function floorOf(indicator: string, price: number): number {
  if (['linear_regression_slope', 'standard_deviation'].includes(indicator)) return 2e-13 * price;
  return ['mfi', 'stoch_rsi', 'stochastic'].includes(indicator) ? 1e-11 : 0;
}

describe(`indicators on made series, against TA-Lib ${fixture.talib} and plain formulas`, () => {
  it('leave none out', () => {
    const known = new Set(fixture.series[0].expected.map(({ indicator }) => indicator));
    assert.deepEqual(
      [...known].sort(),
      allIndicators.map(({ name }) => name),
    );
  });

  for (const { name, candles, expected } of fixture.series) {
    describe(name, () => {
      const given = createCandles(candles.time.length);
      for (const column of candleColumns) given[column].set(candles[column]);
      const price = Math.max(...candles.close);

      for (const { indicator, params, source, outputs } of expected) {
        it(`${indicator} ${JSON.stringify(params)} (${source})`, () => {
          const found = indicatorByName(indicator);
          const actual = computeIndicator(found, given, params);
          assert.deepEqual(Object.keys(outputs).sort(), [...found.outputs].sort());
          const floor = floorOf(indicator, price);
          for (const [output, { first, values }] of Object.entries(outputs)) {
            assert.equal(found.warmup(params, output), first, `first ${output}`);
            values.forEach((value, k) => {
              const index = k * fixture.every;
              assertNear(actual[output][index], value, floor, `${output} at ${index}`);
            });
          }
        });
      }
    });
  }
});
