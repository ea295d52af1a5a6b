import assert from 'node:assert/strict';
import { computeIndicator, paramsOf } from '../../../compute/indicator.js';
import type { Candles } from '../../../compute/model/candles.js';
import { allIndicators, type AnyIndicator } from '../../support/indicators-by-name.js';
import { frozenCandles, spikedCandles } from '../../support/odd-candles.js';
import { randomCandles } from '../../support/random-candles.js';
import { assertSameBits } from '../../support/same-bits.js';

const streamed = allIndicators.filter(({ stream }) => stream);

function stream(indicator: AnyIndicator, candles: Candles, params: Record<string, number>) {
  const { next } = indicator.stream!(params);
  const columns = indicator.outputs.map((name) => [name, new Float64Array(candles.close.length)] as const);
  for (let i = 0; i < candles.close.length; i++) {
    const inputs = indicator.inputs.map((name) => [name, candles[name][i]]);
    const values = next(Object.fromEntries(inputs) as Record<(typeof indicator.inputs)[number], number>);
    for (const [name, column] of columns) column[i] = values[name];
  }
  return Object.fromEntries(columns);
}

const series: [string, Candles][] = [
  ['a walk around 100', randomCandles(3_000, { seed: 3 })],
  ['a walk at 1e-8', randomCandles(1_500, { seed: 4, price: 1e-8 })],
  ['a walk at 1e8', randomCandles(1_500, { seed: 5, price: 1e8 })],
  ['candles that freeze', frozenCandles(1_500, 400)],
  ['candles with a spike', spikedCandles(1_500, 40)],
];

describe('streams of indicators', () => {
  it('are there for what the core line and risk follow', () => {
    const names = streamed.map(({ name }) => name);
    assert.deepEqual(names, ['adx', 'atr', 'ema', 'kama', 'macd', 'psar', 'rsi', 'sma']);
  });

  for (const indicator of streamed) {
    const least = Object.entries(indicator.params).map(([name, { min }]) => [name, min] as const);
    for (const params of [paramsOf(indicator.params), Object.fromEntries(least)]) {
      for (const [title, candles] of series) {
        it(`${indicator.name} ${JSON.stringify(params)} equals the batch bit for bit: ${title}`, () => {
          const batch = computeIndicator(indicator, candles, params);
          const live = stream(indicator, candles, params);
          for (const output of indicator.outputs) assertSameBits(live[output], batch[output], output);
        });
      }
    }
  }
});
