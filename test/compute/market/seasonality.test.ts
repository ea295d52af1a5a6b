import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { seasons } from '../../../compute/market/season-calendar.js';
import {
  readSeasonality,
  type SeasonalBucket,
  type Seasonality,
} from '../../../compute/market/seasonality.js';
import { createCandles, sliceCandles, type Candles } from '../../../compute/model/candles.js';
import { assertClose } from '../../support/numbers/close-to.js';
import { demoCandles } from '../../support/candles/demo-candles.js';
import { copyOf, flatCandles } from '../../support/candles/odd-candles.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { dropCandles } from '../../support/candles/drop-candles.js';
import { projectRoot } from '../../support/harness/paths.js';

const fixturePairs = ['BTC_USDT', 'PEPE_USDT'] as const;

/** What make-seasonality.py finds, by `pair by`. */
function readSeasonalityFixture(): Record<string, Pick<Seasonality, 'count' | 'meanPercent' | 'buckets'>> {
  const packed = readFileSync(join(projectRoot, 'test/fixtures/seasonality.json.gz'));
  return JSON.parse(gunzipSync(packed).toString()) as ReturnType<typeof readSeasonalityFixture>;
}

/** The candles it rests on: 1h of the demo market with gaps of two hours. */
const fixtureCandles = (pair: (typeof fixturePairs)[number]): Candles =>
  dropCandles(demoCandles(pair, '1h'), (_, timeMs) => [5, 6].includes((timeMs / 3_600_000) % 97));

const bucketOf = (found: { buckets: SeasonalBucket[] }, name: string) =>
  found.buckets.find(({ bucket }) => bucket === name)!;

/** Hours from a moment on that each close so many percent above the one before, in turn. */
function hoursOf(start: string, percents: readonly number[]): Candles {
  const candles = createCandles(percents.length + 1);
  let close = 100;
  candles.time.forEach((_, i) => {
    close *= 1 + (i === 0 ? 0 : percents[i - 1]) / 100;
    candles.time[i] = Date.parse(start) + i * 3_600_000;
    candles.close[i] = close;
    candles.volume[i] = 1;
  });
  return candles;
}

describe('readSeasonality', () => {
  const expected = readSeasonalityFixture();
  for (const pair of fixturePairs)
    for (const by of seasons)
      it(`finds what pandas and SciPy find, for ${pair} by ${by}`, () => {
        const found = readSeasonality(fixtureCandles(pair), '1h', by);
        const wanted = expected[`${pair} ${by}`];
        assert.equal(found.count, wanted.count);
        assertClose(found.meanPercent, wanted.meanPercent, 'mean of all');
        assert.equal(found.buckets.length, wanted.buckets.length);
        found.buckets.forEach((bucket, i) => {
          for (const [name, value] of Object.entries(wanted.buckets[i])) {
            const own = bucket[name as keyof SeasonalBucket];
            const what = `${bucket.bucket} ${name}`;
            if (typeof value !== 'number' || typeof own !== 'number') assert.equal(own, value, what);
            else {
              // The interval's quantile is an expansion, right to 3e-4 for few degrees of freedom; sums end in 1e-12 noise.
              const isReach = name === 'lowPercent' || name === 'highPercent';
              const tolerance = isReach ? 4e-4 * bucket.volatilityPercent! : 1e-8 * Math.abs(value) + 1e-10;
              assert.ok(Math.abs(own - value) <= tolerance, `${what}: found ${own}, expected ${value}`);
            }
          }
        });
      });

  it('says the same of a day whether it is given hours or days', () => {
    for (const by of ['weekday', 'month'] as const) {
      const hours = readSeasonality(demoCandles('BTC_USDT', '1h'), '1h', by);
      const days = readSeasonality(demoCandles('BTC_USDT', '1d'), '1d', by);
      assert.equal(days.count, hours.count);
      days.buckets.forEach((bucket, i) => {
        assertClose(bucket.meanPercent, hours.buckets[i].meanPercent, `${by} ${bucket.bucket} mean`);
        assertClose(bucket.adjustedP, hours.buckets[i].adjustedP, `${by} ${bucket.bucket} p`);
        assertClose(bucket.meanVolume, hours.buckets[i].meanVolume, `${by} ${bucket.bucket} volume`);
      });
    }
  });

  it('measures a session as a whole, from the last close of the one before', () => {
    // A candle that closes at 08:00, then six hours of Europe, eight of the US, and the first of Asia.
    const percents = [...Array<number>(6).fill(1), ...Array<number>(8).fill(-1), 5];
    const found = readSeasonality(hoursOf('2024-03-12T07:00Z', percents), '1h', 'session');
    assert.equal(found.count, 2);
    assertClose(bucketOf(found, 'Europe').meanPercent, (1.01 ** 6 - 1) * 100, 'Europe');
    assertClose(bucketOf(found, 'US').meanPercent, (0.99 ** 8 - 1) * 100, 'US');
    assert.deepEqual(
      [
        bucketOf(found, 'Europe').meanVolume,
        bucketOf(found, 'US').meanVolume,
        bucketOf(found, 'Asian').count,
      ],
      [6, 8, 0],
    );
    assert.deepEqual(
      [found.from, found.to],
      [Date.parse('2024-03-12T08:00Z'), Date.parse('2024-03-12T22:00Z')],
    );
  });

  it('names weekdays and hours by UTC', () => {
    // Sunday's last hour, then Monday.
    const candles = hoursOf('2024-03-10T23:00Z', Array<number>(24).fill(1));
    const days = readSeasonality(candles, '1h', 'weekday');
    assert.deepEqual(
      days.buckets.filter(({ count }) => count > 0).map(({ bucket }) => bucket),
      ['Monday'],
    );
    const hours = readSeasonality(sliceCandles(candles, 0, 2), '1h', 'hour');
    assert.deepEqual(
      hours.buckets.filter(({ count }) => count > 0).map(({ bucket }) => bucket),
      ['00'],
    );
  });

  it('flags an hour that really differs, and none of a random walk', () => {
    const walk = randomCandles(4_000, { seed: 11 });
    assert.ok(readSeasonality(walk, '1h', 'hour').buckets.every(({ isSignificant }) => !isSignificant));
    const tilted = copyOf(walk);
    let factor = 1;
    tilted.close.forEach((close, i) => {
      if ((tilted.time[i] / 3_600_000) % 24 === 9) factor *= 1.01;
      tilted.close[i] = close * factor;
    });
    const flagged = readSeasonality(tilted, '1h', 'hour').buckets.filter(
      ({ isSignificant }) => isSignificant,
    );
    assert.deepEqual(
      flagged.map(({ bucket }) => bucket),
      ['09'],
    );
  });

  it('has no test where nothing moves', () => {
    const { meanPercent, buckets } = readSeasonality(flatCandles(200, 1e-8), '1h', 'hour');
    assert.equal(meanPercent, 0);
    for (const { volatilityPercent, pValue, adjustedP, isSignificant, upPercent } of buckets)
      assert.deepEqual(
        [volatilityPercent, pValue, adjustedP, isSignificant, upPercent],
        [0, null, null, false, 0],
      );
  });

  it('refuses candles longer than the periods', () => {
    for (const by of ['hour', 'session'] as const)
      assert.throws(() => readSeasonality(randomCandles(100, { stepMs: 4 * 3_600_000 }), '4h', by), {
        code: 'invalid_input',
        details: { field: 'interval', found: '4h' },
      });
  });

  it('refuses a history without one whole period after another', () => {
    for (const [count, by] of [
      [0, 'hour'],
      [1, 'hour'],
      [2, 'session'],
      [24, 'weekday'],
      [700, 'month'],
    ] as const)
      assert.throws(() => readSeasonality(randomCandles(count), '1h', by), {
        code: 'not_enough_history',
        details: { needed: 1, found: 0 },
      });
    assert.equal(readSeasonality(randomCandles(48), '1h', 'weekday').count, 1);
  });

  it('leaves its input as it is', () => {
    const candles = randomCandles(800);
    const before = copyOf(candles);
    for (const by of seasons.filter((season) => season !== 'month')) readSeasonality(candles, '1h', by);
    assert.deepEqual(candles, before);
  });
});
