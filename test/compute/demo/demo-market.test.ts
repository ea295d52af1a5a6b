import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  candleColumns,
  firstCandleFrom,
  sliceCandles,
  type Candles,
} from '../../../compute/model/candles.js';
import { demoAssets } from '../../../compute/demo/demo-assets.js';
import { makeDemoHistory } from '../../../compute/demo/make-demo-history.js';
import { DemoMarket, demoStartMs, type DemoPair } from '../../../compute/demo/demo-market.js';
import { hourMs } from '../../storage/candles/candle-parts.js';

const dayMs = 24 * hourMs;
const untilMs = Date.UTC(2026, 11, 1);

const titleOf = ({ base, quote }: DemoPair) => `${base}/${quote}`;

function hourlyReturns({ close }: Candles): number[] {
  return Array.from(close.subarray(1), (value, i) => value / close[i] - 1);
}

function correlation(left: number[], right: number[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [leftMean, rightMean] = [mean(left), mean(right)];
  const product = (a: number[], aMean: number, b: number[], bMean: number) =>
    mean(a.map((value, i) => (value - aMean) * (b[i] - bMean)));
  const deviation = (values: number[], at: number) => Math.sqrt(product(values, at, values, at));
  return product(left, leftMean, right, rightMean) / deviation(left, leftMean) / deviation(right, rightMean);
}

describe('DemoMarket', () => {
  const { pairs } = new DemoMarket();
  /** From the day each pair is listed on. */
  let history: Candles[];

  before(() => {
    history = makeDemoHistory(new DemoMarket(), untilMs).map((candles, i) =>
      sliceCandles(candles, firstCandleFrom(candles.time, pairs[i].firstMs), candles.time.length),
    );
  });

  it('has about 20 pairs, some of them against BTC, each once', () => {
    const titles = pairs.map(titleOf);
    assert.ok(titles.length >= 18 && titles.length <= 24, `${titles.length} pairs`);
    assert.equal(new Set(titles).size, titles.length);
    assert.deepEqual(
      ['BTC/USDT', 'ETH/USDT', 'PEPE/USDT', 'ETH/BTC'].filter((title) => !titles.includes(title)),
      [],
    );
    assert.equal(titles.includes('BTC/BTC'), false);
  });

  it('starts every pair at midnight, UTC', () => {
    assert.deepEqual(
      pairs.filter(({ firstMs }) => firstMs % dayMs !== 0 || firstMs < demoStartMs),
      [],
    );
    assert.equal(demoAssets[0].base, 'BTC');
  });

  it('is the same in two instances, and another one for another seed', () => {
    const make = (seed?: string) => makeDemoHistory(new DemoMarket(seed), demoStartMs + 200 * hourMs);
    assert.deepEqual(make(), make());
    assert.notDeepEqual(make('another')[0].close, make()[0].close);
  });

  it('is the same on every machine', () => {
    // Made on Linux x64 with Node 20.20. They change only with the market itself, and with it every stored demo candle.
    const digestOf = (parts: Candles[]) => {
      const hash = createHash('sha256');
      for (const part of parts) for (const column of candleColumns) hash.update(part[column]);
      return hash.digest('hex').slice(0, 16);
    };
    const digests = pairs.map((pair, i) => [titleOf(pair), digestOf([history[i]])] as const);
    const named = digests.filter(([title]) => ['BTC/USDT', 'PEPE/USDT', 'ETH/BTC'].includes(title));
    assert.deepEqual(Object.fromEntries([...named, ['all', digestOf(history)]]), {
      'BTC/USDT': '8401881941b4130a',
      'PEPE/USDT': 'f077fb7bf5b52d7c',
      'ETH/BTC': '17c8a71ae9b31f5a',
      all: '3247181bf2145ae2',
    });
    const last = candleColumns.map((column) => history[0][column][history[0].time.length - 1]);
    assert.deepEqual(last, [Date.UTC(2026, 10, 30, 23), 31331.77, 31331.77, 31011.74, 31121.41, 3541.37411]);
  });

  it('makes valid candles: prices above 0, between low and high, finite', () => {
    for (const [p, { time, open, high, low, close, volume }] of history.entries()) {
      assert.equal(time[0], pairs[p].firstMs);
      for (let i = 0; i < time.length; i++) {
        const valid =
          time[i] === pairs[p].firstMs + i * hourMs &&
          low[i] > 0 &&
          low[i] <= Math.min(open[i], close[i]) &&
          high[i] >= Math.max(open[i], close[i]) &&
          high[i] < Infinity &&
          volume[i] > 0 &&
          volume[i] < Infinity;
        if (!valid) assert.fail(`${titleOf(pairs[p])} at ${new Date(time[i]).toISOString()}`);
      }
    }
  });

  it('opens where the hour before closed', () => {
    for (const [p, { open, close }] of history.entries()) {
      for (let i = 1; i < open.length; i++) {
        if (open[i] !== close[i - 1]) assert.fail(`${titleOf(pairs[p])}, hour ${i}`);
      }
    }
  });

  it('keeps prices fine enough to move: flat hours are rare', () => {
    for (const [p, { high, low }] of history.entries()) {
      const flat = high.reduce((count, value, i) => (value === low[i] ? count + 1 : count), 0);
      assert.ok(flat / high.length < 0.01, `${titleOf(pairs[p])}: ${flat} of ${high.length} hours are flat`);
    }
  });

  it('moves with Bitcoin', () => {
    const bitcoin = hourlyReturns(history[0]);
    for (const [p, candles] of history.entries()) {
      if (pairs[p].quote === 'BTC') continue;
      const own = hourlyReturns(candles);
      const shared = correlation(own, bitcoin.slice(-own.length));
      assert.ok(shared > 0.3, `${titleOf(pairs[p])}: ${shared}`);
    }
  });

  it('has clustered volatility: a large move makes the next one likely to be large', () => {
    const size = hourlyReturns(history[0]).map(Math.abs);
    assert.ok(correlation(size.slice(1), size.slice(0, -1)) > 0.1);
  });

  it('makes prices against BTC that agree with both prices in USDT', () => {
    for (const [p, pair] of pairs.entries()) {
      if (pair.quote !== 'BTC') continue;
      const inUsdt = history[pairs.findIndex(({ base, quote }) => base === pair.base && quote === 'USDT')];
      const { close } = history[p];
      for (let i = 0; i < close.length; i += 97) {
        const expected = inUsdt.close[i] / history[0].close[i];
        assert.ok(Math.abs(close[i] / expected - 1) < 0.002, `${titleOf(pair)}: ${close[i]} and ${expected}`);
      }
    }
  });
});
