import assert from 'node:assert/strict';
import type { AnomaliesParams } from '../../../compute/market/anomalies.js';
import { sliceCandles, type Candles } from '../../../compute/model/candles.js';
import type { PairCandles } from '../../../compute/task.js';
import { anomalies } from '../../../compute/market/anomalies.js';
import { assertClose } from '../../support/numbers/close-to.js';
import { demoCandles } from '../../support/candles/demo-candles.js';
import { naiveReturns } from '../../support/naive/naive-correlation.js';
import { copyOf, flatCandles } from '../../support/candles/odd-candles.js';
import { candlesWhere, pairsOf } from '../../support/candles/pairs.js';
import { randomCandles } from '../../support/candles/random-candles.js';

const hourMs = 3_600_000;
const run = (pairs: readonly PairCandles[], given: Partial<AnomaliesParams> = {}) =>
  anomalies.run({ pairs, interval: '1h', params: { minZ: 3, withinCandles: 1, limit: 100, ...given } });

/** How far the last value lies from the 90 before it, in their standard deviations: by the sums of a pocket calculator. */
function naiveZ(values: readonly number[]): number {
  const history = values.slice(-91, -1);
  const sum = history.reduce((total, value) => total + value, 0);
  const squares = history.reduce((total, value) => total + value * value, 0);
  return (values.at(-1)! - sum / 90) / Math.sqrt((squares - (sum * sum) / 90) / 89);
}

/** A calm market: returns of one percent up and down in turn, volumes of 10 and 20, and at `at` something else. */
function calm(count: number, at: number, { factor = 1, volume = 15 } = {}): Candles {
  const candles = randomCandles(count);
  let price = 100;
  for (let i = 0; i < count; i++) {
    price *= i === at ? factor : i % 2 ? 1.01 : 0.99;
    candles.close[i] = price;
    candles.volume[i] = i === at ? volume : i % 2 ? 10 : 20;
  }
  return candles;
}

/** The share of Student's distribution beyond t on either side, by adding up its density in small steps. */
function studentBeyond(t: number, degrees: number): number {
  const density = (x: number) => (1 + (x * x) / degrees) ** (-(degrees + 1) / 2);
  const step = 1e-3;
  let [within, all] = [0, 0];
  for (let x = step / 2; x < 40; x += step) {
    all += density(x);
    if (x < t) within += density(x);
  }
  return 1 - within / all;
}

describe('anomalies', () => {
  it('measures logarithms of volumes, among candles that have a volume', () => {
    const quiet = (zeros: number) => {
      const candles = calm(150, 149, { volume: 100 });
      candles.volume.fill(0, 149 - zeros, 149);
      return candles;
    };
    const volumeZ = (candles: Candles) => run(pairsOf({ A: candles }), { minZ: 1 }).rows[0]?.volumeZ;
    const [whole, some, few] = [quiet(0), quiet(30), quiet(31)];
    assert.ok(volumeZ(whole)! > 5 && volumeZ(some)! > 5);
    assert.equal(run(pairsOf({ A: few }), { minZ: 0 }).rows[0].volumeZ, null);
    const silent = calm(150, 149, { volume: 0 });
    assert.equal(run(pairsOf({ A: silent }), { minZ: 0 }).rows[0].volumeZ, null);
  });

  it('measures every candle of the window against the 90 before it, computed another way', () => {
    const pairs = pairsOf({ BTC: demoCandles('BTC_USDT', '1h'), SOL: demoCandles('SOL_USDT', '1h') });
    const { rows, found, measured } = run(pairs, { minZ: 0, withinCandles: 48 });
    assert.deepEqual([found, rows.length, measured], [96, 96, 192]);
    for (const { asset, time, returnZ, volumeZ, returnPercent, usualVolume, volume, close } of rows) {
      const { candles } = pairs.find((pair) => pair.asset === asset)!;
      const i = candles.time.indexOf(time);
      const [closes, volumes] = [[...candles.close.slice(0, i + 1)], [...candles.volume.slice(0, i + 1)]];
      const changes = naiveReturns(closes.slice(-92));
      const near = (value: number | null, expected: number) =>
        assert.ok(Math.abs(value! - expected) < 1e-7, `${value} ${expected}`);
      near(returnZ, naiveZ(changes));
      near(volumeZ, naiveZ(volumes.map(Math.log)));
      near(returnPercent, changes.at(-1)! * 100);
      assertClose(usualVolume, volumes.slice(-91, -1).reduce((a, b) => a + b) / 90, 'usual volume');
      assert.deepEqual([volume, close], [volumes.at(-1), closes.at(-1)]);
    }
    const sizes = rows.map(({ returnZ, volumeZ }) => Math.max(Math.abs(returnZ!), Math.abs(volumeZ!)));
    assert.deepEqual(
      sizes,
      [...sizes].sort((a, b) => b - a),
    );
  });

  it('names what is unusual: the return, the volume or both', () => {
    const { rows, found, beyond } = run(
      pairsOf({
        CRASH: calm(150, 149, { factor: 0.9 }),
        BUSY: calm(150, 149, { volume: 100 }),
        BOTH: calm(150, 149, { factor: 1.2, volume: 1000 }),
        CALM: calm(150, 149),
      }),
    );
    assert.deepEqual(
      rows.map(({ asset, unusual }) => [asset, unusual]),
      [
        ['BOTH', ['return', 'volume']],
        ['CRASH', ['return']],
        ['BUSY', ['volume']],
      ],
    );
    assert.deepEqual([found, beyond], [3, 4]);
    assert.ok(rows[1].returnZ! < -9 && Math.abs(rows[1].returnPercent! + 10) < 1e-9);
  });

  it('does not let a candle count in its own history', () => {
    // With the candle among 91 its z-score could not be above sqrt(90) = 9.5.
    assert.ok(run(pairsOf({ A: calm(150, 149, { volume: 1e6 }) })).rows[0].volumeZ! > 30);
  });

  it('takes in the limit itself', () => {
    const [{ volumeZ }] = run(pairsOf({ A: calm(150, 149, { volume: 60 }) })).rows;
    assert.equal(run(pairsOf({ A: calm(150, 149, { volume: 60 }) }), { minZ: volumeZ! }).found, 1);
    assert.equal(run(pairsOf({ A: calm(150, 149, { volume: 60 }) }), { minZ: volumeZ! + 1e-9 }).found, 0);
  });

  it('looks as far back as it is told, in time', () => {
    const old = (age: number) => pairsOf({ A: calm(150, 149 - age, { factor: 0.8 }) });
    const found = (age: number, withinCandles: number) =>
      run(old(age), { withinCandles }).rows.some(({ returnPercent }) => returnPercent! < -19);
    assert.deepEqual(
      [found(0, 1), found(1, 1), found(1, 2), found(5, 5), found(5, 6)],
      [true, false, true, false, true],
    );
    const hollow = candlesWhere(calm(150, 146, { factor: 0.8 }), (i) => i !== 147 && i !== 148);
    assert.equal(run(pairsOf({ A: hollow }), { withinCandles: 2 }).measured, 2);
    const { rows } = run(pairsOf({ A: hollow }), { withinCandles: 4, minZ: 0 });
    assert.deepEqual(
      rows
        .map(({ time, afterGap }) => [time - hollow.time[0], afterGap])
        .sort((a, b) => Number(a[0]) - Number(b[0])),
      [
        [146 * hourMs, false],
        [149 * hourMs, true],
      ],
    );
  });

  it('tells how many there would be by chance', () => {
    const pairs = pairsOf(
      Object.fromEntries(
        Array.from({ length: 20 }, (_, n) => [`A${n}`, randomCandles(200, { seed: n + 1 })]),
      ),
    );
    const { measured, expectedIfNormal, beyond } = run(pairs, { withinCandles: 48, minZ: 2 });
    assert.equal(measured, 20 * 48 * 2);
    // 2 / sqrt(91 / 90) is 1.98898: 4.976 % of Student's distribution with 89 degrees of freedom lie beyond. These returns
    // and volumes are uniform.
    assert.ok(Math.abs(expectedIfNormal - 1920 * studentBeyond(2 / Math.sqrt(91 / 90), 89)) < 0.01);
    assert.ok(Math.abs(expectedIfNormal - 95.54) < 0.1, String(expectedIfNormal));
    assert.ok(beyond < expectedIfNormal);
  });

  it('cannot measure what is young or never moves, and leaves out what is stale', () => {
    const long = randomCandles(200, { seed: 3 });
    const tail = (count: number) => sliceCandles(long, 200 - count, 200);
    const counts = (candles: Candles) => {
      const { measured, skipped } = run(pairsOf({ A: candles }));
      return [measured, skipped];
    };
    assert.deepEqual(
      [counts(tail(1)), counts(tail(90)), counts(tail(91)), counts(tail(92))],
      [
        [0, 1],
        [0, 1],
        [1, 0],
        [2, 0],
      ],
    );
    const still = flatCandles(200);
    still.volume.fill(0);
    assert.deepEqual(counts(still), [0, 1]);
    const woken = copyOf(still);
    woken.close[199] = 120;
    assert.equal(run(pairsOf({ A: woken })).found, 0);
    const { assets, stale, rows } = run(
      pairsOf({ OLD: calm(150, 149, { factor: 0.5 }), NEW: calm(151, 0) }),
      { withinCandles: 10 },
    );
    assert.deepEqual([assets, stale, rows], [1, 1, []]);
    assert.throws(() => run([]), { code: 'not_enough_history' });
  });

  it('names no more than the limit, and finds the same at any price level', () => {
    const pairs = (factor: number) =>
      pairsOf({
        A: {
          ...calm(150, 149, { factor: 0.9 }),
          close: calm(150, 149, { factor: 0.9 }).close.map((price) => price * factor),
        },
      });
    assert.equal(run(pairs(1), { minZ: 0, withinCandles: 48, limit: 5 }).rows.length, 5);
    const [tiny, large] = [1e-10, 1e6].map((factor) => run(pairs(factor)).rows[0].returnZ!);
    assert.ok(Math.abs(tiny / large - 1) < 1e-9);
  });
});
