import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Candles } from '../../../compute/model/candles.js';
import type { Pair } from '../../../storage/candles/series.js';
import { assertClose } from '../../support/numbers/close-to.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { describeWithSharedData, sharedCandles } from '../../support/candles/shared-data.js';
import { hourMs, pickCandles, resampledByWords, withoutCandles } from './candle-parts.js';
import { freshPair, temporaryStorage } from '../../support/servers/temporary-storage.js';

const derived = ['4h', '1d'] as const;
const hour = (...[day, h]: [number, number]) => Date.UTC(2024, 0, day, h);

describe('4h and 1d candles', () => {
  const context = temporaryStorage();
  const add = (pair: Pair, candles: Candles) => context.storage.candles.add(pair, candles);
  const load = (pair: Pair, interval: (typeof derived)[number]) =>
    context.storage.candles.load({ ...pair, interval });
  const times = async (pair: Pair, interval: (typeof derived)[number]) =>
    Array.from((await load(pair, interval))?.candles.time ?? []);

  it('are made of the hours of a UTC bucket', async () => {
    const pair = freshPair();
    const candles = randomCandles(24);
    await add(pair, candles);
    const { time, open, high, low, close, volume } = (await load(pair, '1d'))!.candles;
    assert.deepEqual(
      [time, open, high, low, close].map((column) => Array.from(column)),
      [
        [hour(1, 0)],
        [candles.open[0]],
        [Math.max(...candles.high)],
        [Math.min(...candles.low)],
        [candles.close[23]],
      ],
    );
    assertClose(
      volume[0],
      candles.volume.reduce((sum, value) => sum + value),
      'volume',
    );
  });

  it('count once their time is over', async () => {
    const pair = freshPair();
    const candles = randomCandles(25);
    await add(pair, pickCandles(candles, [0, 1, 2]));
    assert.deepEqual(await times(pair, '4h'), []);
    await add(pair, pickCandles(candles, [3]));
    assert.deepEqual(await times(pair, '4h'), [hour(1, 0)]);
    // The hours from 4 to 22 are there but 23 is not: the day is not over.
    await add(
      pair,
      pickCandles(
        candles,
        Array.from({ length: 19 }, (_, i) => i + 4),
      ),
    );
    assert.deepEqual(await times(pair, '1d'), []);
    await add(pair, pickCandles(candles, [24]));
    assert.deepEqual(await times(pair, '1d'), [hour(1, 0)]);
  });

  it('do not begin before the first stored hour', async () => {
    const pair = freshPair();
    await add(pair, randomCandles(47, { startMs: hour(1, 1) }));
    assert.deepEqual((await times(pair, '4h'))[0], hour(1, 4));
    assert.deepEqual(await times(pair, '1d'), [hour(2, 0)]);
    await add(pair, randomCandles(1, { startMs: hour(1, 0), seed: 2 }));
    assert.deepEqual((await times(pair, '4h'))[0], hour(1, 0));
    assert.deepEqual(await times(pair, '1d'), [hour(1, 0), hour(2, 0)]);
  });

  it('are made of the rows present, and missing where there is none', async () => {
    const pair = freshPair();
    // Gone: the first hour of 04:00, all of 08:00, the last hours of 12:00.
    const candles = withoutCandles(randomCandles(24), [4, 8, 9, 10, 11, 14, 15]);
    await add(pair, candles);
    const { candles: found, series } = (await load(pair, '4h'))!;
    assert.deepEqual(found, resampledByWords(candles, '4h'));
    assert.deepEqual(
      Array.from(found.time, (time) => new Date(time).getUTCHours()),
      [0, 4, 12, 16, 20],
    );
    assert.deepEqual(series.gaps, [{ after: hour(1, 4), next: hour(1, 12), missing: 1 }]);
  });

  it('are right after each of many single hours, over the end of a month', async () => {
    const pair = freshPair();
    const all = randomCandles(34, { startMs: Date.UTC(2024, 0, 30, 22) });
    const candles = withoutCandles(all, [7, 23, 24, 25]);
    for (let i = 0; i < candles.time.length; i++) {
      await add(pair, pickCandles(candles, [i]));
      const soFar = pickCandles(
        candles,
        Array.from({ length: i + 1 }, (_, k) => k),
      );
      for (const interval of derived) {
        const expected = resampledByWords(soFar, interval);
        const found = (await load(pair, interval))?.candles ?? resampledByWords(randomCandles(1), interval);
        assert.deepEqual(found, expected, `${interval} after ${i + 1} hours`);
      }
    }
  });

  it('are closed by a later month where the last hours of a month are missing', async () => {
    const pair = freshPair();
    // The series begins in an earlier month than the one to be closed.
    await add(pair, randomCandles(1, { startMs: Date.UTC(2023, 11, 15, 1) }));
    const all = randomCandles(48, { startMs: Date.UTC(2024, 0, 31) });
    const candles = withoutCandles(all, [21, 22, 23]);
    await add(
      pair,
      pickCandles(
        candles,
        Array.from({ length: 21 }, (_, i) => i),
      ),
    );
    assert.deepEqual(await times(pair, '1d'), []);
    await add(pair, pickCandles(candles, [21]));
    assert.deepEqual(await times(pair, '1d'), [Date.UTC(2024, 0, 31)]);
    assert.deepEqual((await times(pair, '4h')).at(-1), Date.UTC(2024, 0, 31, 20));
  });

  it('are the same for every way to split the hours and every order of the parts', async () => {
    const hours = 24 * 65;
    const check = async (
      seed: number,
      startHour: number,
      gaps: [from: number, length: number][],
      cuts: number[],
      ranks: number[],
    ) => {
      const all = randomCandles(hours, { seed, startMs: Date.UTC(2023, 11, 20) + startHour * hourMs });
      const isGone = (i: number) => gaps.some(([from, length]) => i >= from && i < from + length);
      const present = Array.from({ length: hours }, (_, i) => i).filter((i) => !isGone(i));
      const candles = pickCandles(all, present);
      const bounds = [0, ...[...cuts].sort((a, b) => a - b), hours + 1];
      const parts = bounds
        .slice(1)
        .map((to, k) =>
          pickCandles(
            all,
            present.filter((i) => i >= bounds[k] && i < to),
          ),
        )
        .map((part, k) => ({ part, rank: ranks[k] }))
        .sort((left, right) => left.rank - right.rank);
      const pair = freshPair();
      for (const { part } of parts) await add(pair, part);
      const loaded = await context.storage.candles.load({ ...pair, interval: '1h' });
      assert.deepEqual(loaded?.candles, candles);
      for (const interval of derived) {
        assert.deepEqual((await load(pair, interval))?.candles, resampledByWords(candles, interval));
      }
      const atOnce = freshPair();
      await add(atOnce, candles);
      for (const interval of derived) {
        assert.equal(
          (await load(pair, interval))?.series.digest,
          (await load(atOnce, interval))?.series.digest,
        );
      }
    };
    await fc.assert(
      fc.asyncProperty(
        fc.integer(),
        fc.nat(24 * 20),
        fc.array(fc.tuple(fc.nat(hours), fc.integer({ min: 1, max: 60 })), { maxLength: 6 }),
        fc.array(fc.nat(hours), { minLength: 1, maxLength: 4 }),
        fc.array(fc.nat(), { minLength: 5, maxLength: 5 }),
        check,
      ),
      { numRuns: 6 },
    );
  });
});

describeWithSharedData('4h and 1d candles of real hours', function () {
  this.timeout(60_000);

  const context = temporaryStorage();

  // ETH and XRP have the hours and gaps of SOL.
  for (const name of ['BTC_USDT', 'SOL_USDT', 'PEPE_USDT'] as const) {
    it(`of ${name} equal the exchange's own`, async () => {
      const pair = { market: 'csv', base: name.split('_')[0], quote: 'USDT' } as const;
      await context.storage.candles.add(pair, sharedCandles(name, '1h'));
      for (const interval of derived) {
        const { candles } = (await context.storage.candles.load({ ...pair, interval }))!;
        const expected = sharedCandles(name, interval);
        for (const column of ['time', 'open', 'high', 'low', 'close'] as const) {
          assert.deepEqual(
            Array.from(candles[column]),
            Array.from(expected[column]),
            `${interval} ${column}`,
          );
        }
        expected.volume.forEach((volume, i) =>
          assertClose(candles.volume[i], volume, `${interval} volume ${i}`),
        );
      }
    });
  }
});
