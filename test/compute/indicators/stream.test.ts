import assert from 'node:assert/strict';
import { computeIndicator, paramsOf } from '../../../compute/model/indicator.js';
import type { Candles } from '../../../compute/model/candles.js';
import { allIndicators, type AnyIndicator } from '../../support/candles/indicators-by-name.js';
import { frozenCandles, spikedCandles } from '../../support/candles/odd-candles.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { assertSameBits } from '../../support/numbers/same-bits.js';

const streamed = allIndicators.filter(({ stream }) => stream);

type Candle = Record<AnyIndicator['inputs'][number], number>;

function candleAt({ inputs }: AnyIndicator, candles: Candles, i: number, scale = 1): Candle {
  return Object.fromEntries(inputs.map((name) => [name, candles[name][i] * scale])) as Candle;
}

/** Every output candle by candle; `lookAt` sees the stream before it takes candle `i`. */
function stream(
  indicator: AnyIndicator,
  candles: Candles,
  params: Record<string, number>,
  lookAt?: (stream: ReturnType<NonNullable<AnyIndicator['stream']>>, i: number) => void,
) {
  const live = indicator.stream!(params);
  const columns = indicator.outputs.map((name) => [name, new Float64Array(candles.close.length)] as const);
  for (let i = 0; i < candles.close.length; i++) {
    lookAt?.(live, i);
    const values = live.next(candleAt(indicator, candles, i));
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

  for (const indicator of streamed) {
    it(`${indicator.name} looks at candles without taking them, and sees what it would have taken`, () => {
      const candles = randomCandles(700, { seed: 6 });
      const params = paramsOf(indicator.params);
      const seen = indicator.outputs.map((name) => [name, new Float64Array(700)] as const);
      const live = stream(indicator, candles, params, ({ peek }, i) => {
        const values = peek(candleAt(indicator, candles, i));
        for (const [name, column] of seen) column[i] = values[name];
        for (const scale of [0.5, 3, 0.999]) peek(candleAt(indicator, candles, i, scale));
      });
      const batch = computeIndicator(indicator, candles, params);
      for (const [name, column] of seen) {
        assertSameBits(column, batch[name], `${name} looked at`);
        assertSameBits(live[name], batch[name], `${name} taken`);
      }
    });
  }
});
