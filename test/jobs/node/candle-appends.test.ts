import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Candles } from '../../../compute/model/candles.js';
import { intervals } from '../../../compute/model/interval.js';
import { CandleCache, type CachedSeries } from '../../../jobs/node/candle-cache.js';
import { openStorage } from '../../../storage/index.js';
import { pickCandles, resampledByWords } from '../../storage/candles/candle-parts.js';
import { repairCandle } from '../../storage/candles/repair-candle.js';
import { freshPair, temporaryStorage } from '../../support/servers/temporary-storage.js';
import { OwnServer } from '../../support/servers/own-server.js';
import { randomCandles } from '../../support/candles/random-candles.js';

const positions = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
/** Hours of five months. */
const allHours = 3_400;
const startMs = Date.UTC(2024, 0, 1);

type Step =
  | { do: 'append'; hours: number; gap: number }
  | { do: 'fill' }
  | { do: 'front'; hours: number }
  | { do: 'repair'; at: number; close: number };

const append = (min: number, max: number, gap: number): fc.Arbitrary<Step> =>
  fc.record({ do: fc.constant('append'), hours: fc.integer({ min, max }), gap: fc.nat(gap) });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: append(1, 40, 2) },
  append(500, 800, 0),
  fc.record({ do: fc.constant('fill') }),
  fc.record({ do: fc.constant('front'), hours: fc.integer({ min: 1, max: 300 }) }),
  fc.record({
    do: fc.constant('repair'),
    at: fc.double({ min: 0, max: 0.999, noNaN: true }),
    close: fc.integer({ min: 1, max: 200 }),
  }),
);

describe('a series that a cache follows', () => {
  const context = temporaryStorage();

  /** Takes a step in storage; `values` are all hours, of which those at `stored` are there. */
  async function take(each: Step, pair: ReturnType<typeof freshPair>, values: Candles, stored: Set<number>) {
    const put = async (indexes: number[]) => {
      for (const index of indexes) stored.add(index);
      await context.storage.candles.add(pair, pickCandles(values, indexes));
    };
    const [first, next] = [Math.min(...stored), Math.max(...stored) + 1];
    switch (each.do) {
      case 'append':
        return put(positions(next + each.gap, next + each.gap + each.hours).filter((i) => i < allHours));
      case 'fill':
        return put(positions(first, next).filter((index) => !stored.has(index)));
      case 'front':
        return put(positions(Math.max(0, first - each.hours), first));
      case 'repair': {
        const index = [...stored][Math.floor(each.at * stored.size)];
        values.close[index] = each.close;
        return repairCandle(context, pair, values.time[index], each.close);
      }
    }
  }

  it('has the candles and the digest of a whole read after each step, and every earlier version stays', async () => {
    const check = async (steps: Step[]) => {
      const pair = freshPair();
      const values = randomCandles(allHours, { startMs });
      const stored = new Set<number>();
      const cache = new CandleCache(context.storage.candles, 2 ** 30);
      const seen: { cached: CachedSeries; copy: Candles }[] = [];
      await context.storage.candles.add(pair, pickCandles(values, positions(600, 700)));
      for (const index of positions(600, 700)) stored.add(index);
      for (const each of steps) {
        await take(each, pair, values, stored);
        const sorted = [...stored].sort((left, right) => left - right);
        const hourly = pickCandles(values, sorted);
        for (const interval of intervals) {
          const key = { ...pair, interval };
          const { digest } = (await context.storage.series.find(key))!;
          const cached = await cache.get(key, digest);
          const whole = await new CandleCache(context.storage.candles, 0).get(key, digest);
          assert.deepEqual(cached.candles, interval === '1h' ? hourly : resampledByWords(hourly, interval));
          assert.deepEqual(cached.candles, whole.candles);
          assert.deepEqual([cached.contentDigest, whole.contentDigest], [digest, digest]);
          seen.push({ cached, copy: structuredClone(whole.candles) });
        }
        for (const { cached, copy } of seen) assert.deepEqual(cached.candles, copy);
      }
      assert.equal(cache.counts.loads.whole, intervals.length);
    };
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 8 }), check), { numRuns: 6 });
  });

  it('is appended to in place, hour by hour over the end of a month', async () => {
    const pair = freshPair();
    const values = randomCandles(30, { startMs: Date.UTC(2024, 0, 31, 4) });
    const cache = new CandleCache(context.storage.candles, 2 ** 30);
    const key = { ...pair, interval: '1h' } as const;
    const buffers = new Set<unknown>();
    for (let count = 10; count <= 30; count++) {
      await context.storage.candles.add(pair, pickCandles(values, positions(0, count)));
      const { candles } = await cache.get(key, (await context.storage.series.find(key))!.digest);
      assert.deepEqual(candles, pickCandles(values, positions(0, count)));
      buffers.add(candles.time.buffer);
    }
    assert.equal(buffers.size, 1);
    assert.deepEqual(cache.counts.loads, { whole: 1, append: 20, change: 0, none: 0 });
  });
});

describe('a cache whose MongoDB goes away', () => {
  let mongodb: OwnServer;
  before(async () => (mongodb = await OwnServer.open('mongodb')));
  after(() => mongodb.close());

  it('keeps what it has, says what is wrong, and goes on once MongoDB is back', async () => {
    const pair = freshPair();
    const key = { ...pair, interval: '1h' } as const;
    const values = randomCandles(200, { startMs });
    const storage = openStorage(mongodb.url, { timeoutMs: 2_000 });
    const writer = openStorage(mongodb.url, { timeoutMs: 20_000 });
    try {
      await writer.candles.add(pair, pickCandles(values, positions(0, 150)));
      const { digest } = (await writer.series.find(key))!;
      const cache = new CandleCache(storage.candles, 2 ** 30);
      const old = await cache.get(key, digest);
      await writer.candles.add(pair, pickCandles(values, positions(150, 160)));
      const newer = (await writer.series.find(key))!;
      await mongodb.kill();
      const asking = Array.from({ length: 5 }, () => cache.get(key, newer.digest));
      for (const { status } of await Promise.allSettled([...asking, cache.renew(`csv:${pair.base}/USDT:1h`)]))
        assert.equal(status, 'rejected');
      assert.equal(await cache.get(key, digest), old);
      assert.deepEqual(old.candles, pickCandles(values, positions(0, 150)));
      await mongodb.start();
      const renewed = await cache.get(key, newer.digest);
      assert.deepEqual(renewed.candles, pickCandles(values, positions(0, 160)));
      assert.equal(renewed.candles.time.buffer, old.candles.time.buffer);
      assert.deepEqual(old.candles, pickCandles(values, positions(0, 150)));
      assert.deepEqual(cache.counts.loads, { whole: 1, append: 1, change: 0, none: 0 });
    } finally {
      await Promise.all([storage.close(), writer.close()]);
    }
  });
});
