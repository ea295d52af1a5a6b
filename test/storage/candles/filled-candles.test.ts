import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Candles } from '../../../compute/model/candles.js';
import { intervalMs, type ResearchInterval, type SourceInterval } from '../../../compute/model/interval.js';
import { resampleCandles } from '../../../compute/model/resample.js';
import type { Pair } from '../../../storage/candles/series.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { freshPair, temporaryStorage } from '../../support/servers/temporary-storage.js';
import { pickCandles, withoutCandles } from './candle-parts.js';

const startMs = Date.UTC(2024, 0, 31, 20);

describe('candles of 5m and 15m', () => {
  const context = temporaryStorage();
  const add = (pair: Pair, candles: Candles, interval: SourceInterval) =>
    context.storage.candles.add(pair, candles, interval);
  const load = async (pair: Pair, interval: ResearchInterval) =>
    (await context.storage.candles.load({ ...pair, interval }))?.candles;
  /** What the candles of an interval make on a longer one, by the definition. */
  const madeOf = (candles: Candles, interval: SourceInterval, longer: ResearchInterval): Candles =>
    resampleCandles(candles, {
      bucketMs: intervalMs(longer),
      firstMs: candles.time[0],
      endMs: candles.time[candles.time.length - 1] + intervalMs(interval),
    });
  const five = (count: number, seed = 1) => randomCandles(count, { startMs, stepMs: intervalMs('5m'), seed });

  it('fill 15m and 1h, and those 4h and 1d, to the bit, over the end of a month', async () => {
    const pair = freshPair();
    const candles = withoutCandles(five(12 * 60), [3, 40, 41, 42, 43, 44, 45, 46, 47, 48, 300]);
    const added = await add(pair, candles, '5m');
    assert.equal(added.stored, candles.time.length);
    assert.deepEqual(await load(pair, '5m'), candles);
    for (const longer of ['15m', '1h'] as const)
      assert.deepEqual(await load(pair, longer), madeOf(candles, '5m', longer), longer);
    const hourly = (await load(pair, '1h'))!;
    for (const longer of ['4h', '1d'] as const)
      assert.deepEqual(await load(pair, longer), madeOf(hourly, '1h', longer), longer);
  });

  it('fill the same in parts of any order as at once', async () => {
    const all = five(12 * 8);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 3 }), { minLength: 96, maxLength: 96 }), async (parts) => {
        const [pair, other] = [freshPair(), freshPair()];
        for (const part of [2, 0, 3, 1]) {
          const places = [...all.time.keys()].filter((i) => parts[i] === part);
          if (places.length > 0) await add(pair, pickCandles(all, places), '5m');
        }
        await add(other, all, '5m');
        for (const interval of ['5m', '15m', '1h', '4h'] as const)
          assert.deepEqual(await load(pair, interval), await load(other, interval), interval);
      }),
      { numRuns: 6 },
    );
  });

  it('leave candles of an interval alone that were added as they are', async () => {
    const pair = freshPair();
    const hours = randomCandles(3, { startMs, seed: 9 });
    await add(pair, hours, '1h');
    const candles = five(12 * 6);
    await add(pair, candles, '5m');
    const found = (await load(pair, '1h'))!;
    assert.deepEqual(pickCandles(found, [0, 1, 2]), hours);
    assert.deepEqual(pickCandles(found, [3, 4, 5]), pickCandles(madeOf(candles, '5m', '1h'), [3, 4, 5]));
    assert.deepEqual(await load(pair, '15m'), madeOf(candles, '5m', '15m'));
  });

  it('give way to candles that are added later, which then stay', async () => {
    const pair = freshPair();
    const candles = five(12 * 6);
    await add(pair, candles, '5m');
    const own = pickCandles(madeOf(candles, '5m', '1h'), [0, 1, 2]);
    own.close[1] = own.low[1];
    const { stored, replaced, conflicts } = await add(pair, own, '1h');
    assert.deepEqual([stored, replaced?.count, replaced?.differing, conflicts], [3, 3, 1, []]);
    const before = await load(pair, '1h');
    const again = await add(pair, own, '1h');
    assert.deepEqual([again.stored, again.alreadyThere, again.replaced], [0, 3, undefined]);
    await add(pair, candles, '5m');
    assert.deepEqual(await load(pair, '1h'), before);
    const other = pickCandles(own, [0]);
    other.volume[0] += 1;
    assert.deepEqual((await add(pair, other, '1h')).conflicts, [startMs]);
  });

  it('of 15m make those hours of which one was added as it is', async () => {
    const pair = freshPair();
    const candles = five(12 * 3);
    await add(pair, candles, '5m');
    const quarters = (await load(pair, '15m'))!;
    const own = pickCandles(quarters, [5]);
    own.high[0] *= 2;
    await add(pair, own, '15m');
    const hours = (await load(pair, '1h'))!;
    const expected = madeOf(candles, '5m', '1h');
    assert.equal(hours.high[1], own.high[0]);
    assert.deepEqual(pickCandles(hours, [0, 2]), pickCandles(expected, [0, 2]));
  });

  it('belong to research: lists of series for other uses leave them out', async () => {
    const pair = freshPair();
    await add(pair, five(12), '5m');
    const { series } = context.storage;
    const intervalsIn = (list: { base: string; interval: string }[]) =>
      list.filter(({ base }) => base === pair.base).map(({ interval }) => interval);
    assert.deepEqual(intervalsIn(await series.list(pair.market)), ['1h']);
    assert.deepEqual(intervalsIn(await series.all()), ['15m', '1h', '5m']);
  });
});
