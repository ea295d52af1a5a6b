import assert from 'node:assert/strict';
import { candleColumns, createCandles, sliceCandles, type Candles } from '../../../compute/model/candles.js';
import { createRandom } from '../../../compute/model/random.js';
import { ScratchBuffers } from '../../../compute/model/scratch-buffers.js';
import { scanPatterns, sentimentOf } from '../../../compute/model/pattern.js';
import { patterns } from '../../../compute/patterns/index.js';
import { copyOf, flatCandles } from '../../support/candles/odd-candles.js';
import { readPatternFixture } from '../../support/candles/pattern-fixture.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { assertSameBits } from '../../support/numbers/same-bits.js';

const prices = ['open', 'high', 'low', 'close'] as const;

/** The longest series of the fixture, on which most patterns occur, at another scale if so wanted. */
function candlesWithPatterns(scale = 1): Candles {
  const { candles: found } = readPatternFixture().series[0];
  const candles = createCandles(found.close.length);
  for (const column of prices) candles[column].set(found[column].map((price) => price * scale));
  return candles;
}

type Scan = Record<string, Int16Array>;

function assertSameScan(actual: Scan, expected: Scan, what: string): void {
  for (const name of Object.keys(expected)) assertSameBits(actual[name], expected[name], `${what}: ${name}`);
}

describe('the registry of candlestick patterns', () => {
  it('is in alphabetical order, and a name stands once', () => {
    const names = patterns.map(({ name }) => name);
    assert.deepEqual(names, [...new Set(names)].toSorted());
  });

  it('describes every pattern in words, with a title of its own', () => {
    assert.ok(patterns.every(({ title, reference }) => title && reference));
    for (const key of ['name', 'talib', 'title'] as const)
      assert.equal(new Set(patterns.map((pattern) => pattern[key])).size, patterns.length);
  });

  it('leaves no pattern without the candles it covers, and no colour without a candle', () => {
    for (const { candles, warmup, colours = [] } of patterns) {
      assert.ok(candles >= 1 && warmup >= candles - 1);
      for (const each of colours) assert.match(each, new RegExp(`^[WB.]{${candles}}$`));
    }
  });
});

describe('a scan for candlestick patterns', () => {
  const candles = candlesWithPatterns();
  const whole = scanPatterns(patterns, candles);

  it('answers for every pattern and every candle', () => {
    assert.deepEqual(
      Object.entries(whole).map(([name, values]) => [name, values.length]),
      patterns.map(({ name }) => [name, candles.close.length]),
    );
  });

  it('gives the same prefix for a prefix of the candles', () => {
    const { uint32 } = createRandom(3);
    const cuts = [...Array(40).keys(), ...Array.from({ length: 40 }, () => uint32() % candles.close.length)];
    for (const cut of cuts) {
      const part = scanPatterns(patterns, sliceCandles(candles, 0, cut));
      for (const { name } of patterns)
        assertSameBits(part[name], whole[name].subarray(0, cut), `${name} cut at ${cut}`);
    }
  });

  it('finds nothing before the warm-up', () => {
    for (const { name, warmup } of patterns)
      assert.ok(whole[name].subarray(0, warmup).every((value) => value === 0));
  });

  it('leaves its input as it is', () => {
    const given = copyOf(candles);
    scanPatterns(patterns, given);
    for (const column of candleColumns) assertSameBits(given[column], candles[column], column);
  });

  it('gives the same in used memory as in fresh', () => {
    const scratch = new ScratchBuffers();
    scanPatterns(patterns, randomCandles(2000, { seed: 8, price: 3e6 }), scratch);
    scratch.clear();
    assertSameScan(scanPatterns(patterns, candles, scratch), whole, 'used memory');
  });

  it('finds the same at any scale: prices of 1e-8 and of 1e8, by powers of two without rounding', () => {
    for (const power of [-34, -27, -1, 1, 20, 27])
      assertSameScan(scanPatterns(patterns, candlesWithPatterns(2 ** power)), whole, `scale 2^${power}`);
  });

  it('finds the patterns of a candle without reach, and no others, where the price never moves', () => {
    const found = scanPatterns(patterns, flatCandles(60));
    const firing = patterns.filter(({ name }) => found[name].some((value) => value !== 0));
    // TA-Lib 0.8.2 on 60 candles at 100: a doji from its first value on; the others ask for a length.
    assert.deepEqual(
      firing.map(({ talib }) => talib),
      ['DOJI'],
    );
    assert.ok(found.doji.subarray(10).every((value) => value === 100));
  });
});

describe('the sentiment of a candlestick pattern', () => {
  it('follows the sign, but for patterns of an undecided market', () => {
    const named = (name: string) => patterns.find((pattern) => pattern.name === name)!;
    assert.equal(sentimentOf(named('engulfing'), 80), 'bullish');
    assert.equal(sentimentOf(named('hikkake'), -200), 'bearish');
    for (const name of ['doji', 'spinningTop', 'highWave', 'longLeggedDoji', 'rickshawMan'])
      assert.equal(sentimentOf(named(name), 100), 'neutral');
  });
});
