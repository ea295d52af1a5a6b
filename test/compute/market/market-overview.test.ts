import assert from 'node:assert/strict';
import { viewCoreLine } from '../../../compute/core-line/core-line-tasks.js';
import { computeIndicator } from '../../../compute/model/indicator.js';
import { adx } from '../../../compute/indicators/adx.js';
import { rsi } from '../../../compute/indicators/rsi.js';
import { sliceCandles } from '../../../compute/model/candles.js';
import type { Interval } from '../../../compute/model/interval.js';
import { ScratchBuffers } from '../../../compute/model/scratch-buffers.js';
import type { PairCandles } from '../../../compute/task.js';
import { marketOverview } from '../../../compute/market/market-overview.js';
import { demoCandles } from '../../support/candles/demo-candles.js';
import { readDemoRisk } from '../../support/candles/risk-points.js';
import { flatCandles } from '../../support/candles/odd-candles.js';
import { candlesAt, pairsOf } from '../../support/candles/pairs.js';
import { randomCandles } from '../../support/candles/random-candles.js';

const run = (pairs: readonly PairCandles[], interval: Interval = '1d', scratch?: ScratchBuffers) =>
  marketOverview.run({ pairs, interval, params: {} }, scratch);

const dayMs = 86_400_000;
const daily = (seed: number, count = 120, startMs = Date.UTC(2024, 0, 1)) =>
  randomCandles(count, { seed, stepMs: dayMs, startMs });

/** Assets that all end together: twelve of some age, and some that lack the history for one thing or another. */
const endMs = Date.UTC(2024, 3, 30);
const ofAge = (seed: number, count: number) => daily(seed, count, endMs - count * dayMs);
const market = pairsOf({
  ...Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`A${n}`, ofAge(n + 1, 120)])),
  BTC: ofAge(30, 120),
  YOUNG: ofAge(31, 25),
  FRESH: ofAge(32, 10),
  NEW: ofAge(33, 1),
  GONE: daily(34, 20),
});

describe('market-overview', () => {
  const found = run(market);
  const live = market.filter(({ asset }) => asset !== 'GONE');
  const lastOf = (values: Float64Array) => values[values.length - 1];

  it('counts who has the newest candle, and in which state', () => {
    assert.deepEqual([found.asOf, found.assets, found.stale], [endMs, 16, 1]);
    const states = live.map(({ candles }) => viewCoreLine(candles, '1d').state ?? 'none');
    for (const state of ['accumulate', 'wait', 'distribute', 'none'] as const)
      assert.equal(found.states[state], states.filter((each) => each === state).length, state);
    assert.equal(found.states.none, 3);
  });

  it('counts advancers and decliners against the candle before', () => {
    const moves = live.map(({ candles: { close } }) => close.at(-1)! - close.at(-2)!);
    assert.equal(found.advancers, moves.filter((move) => move > 0).length);
    assert.equal(found.decliners, moves.filter((move) => move < 0).length);
    assert.equal(found.advancers + found.decliners + found.unchanged, 15);
    const still = run(pairsOf({ FLAT: flatCandles(50) }), '1h');
    assert.deepEqual([still.advancers, still.decliners, still.unchanged], [0, 0, 1]);
  });

  it('takes medians of those that have a value', () => {
    const middle = (values: number[]) => {
      const sorted = values.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
      const half = sorted.length / 2;
      return {
        median: sorted.length % 2 ? sorted[Math.floor(half)] : (sorted[half - 1] + sorted[half]) / 2,
        assets: sorted.length,
        reason: null,
      };
    };
    assert.deepEqual(
      found.rsi,
      middle(live.map(({ candles }) => lastOf(computeIndicator(rsi, candles).rsi))),
    );
    assert.deepEqual(
      found.adx,
      middle(live.map(({ candles }) => lastOf(computeIndicator(adx, candles).adx))),
    );
    assert.deepEqual([found.rsi.assets, found.adx.assets], [14, 13]);
  });

  it('ranks by the change over 20 candles and names five at either end', () => {
    const ranked = live
      .filter(({ candles }) => candles.close.length > 20)
      .map(({ asset, candles: { close } }) => ({ asset, change: (close.at(-1)! / close.at(-21)! - 1) * 100 }))
      .sort((a, b) => b.change - a.change);
    assert.equal(ranked.length, 14);
    const named = (standings: typeof found.strongest) =>
      standings.map(({ asset, strengthPercent }) => ({ asset, change: strengthPercent }));
    assert.deepEqual(named(found.strongest), ranked.slice(0, 5));
    assert.deepEqual(named(found.weakest), ranked.slice(-5).reverse());
  });

  it('names nobody at both ends, and nobody whose history is too short', () => {
    const three = run(pairsOf({ A: daily(1), B: daily(2), C: daily(3) }));
    assert.deepEqual([three.strongest.length, three.weakest.length], [2, 1]);
    assert.equal(new Set([...three.strongest, ...three.weakest].map(({ asset }) => asset)).size, 3);
    const fresh = run(pairsOf({ NEW: candlesAt([5]) }));
    assert.deepEqual(
      [fresh.strongest, fresh.weakest, fresh.btc, fresh.rsi, fresh.unchanged],
      [[], [], null, { median: null, assets: 0, reason: 'no asset has the history' }, 0],
    );
  });

  it('tells the standing of every asset it names', () => {
    const { asset, price, changePercent, state, adx: strength, rsi: speed } = found.strongest[0];
    const { candles } = market.find((pair) => pair.asset === asset)!;
    assert.deepEqual([price, state], [candles.close.at(-1), viewCoreLine(candles, '1d').state]);
    assert.equal(changePercent, (candles.close.at(-1)! / candles.close.at(-2)! - 1) * 100);
    assert.deepEqual(
      [strength, speed],
      [lastOf(computeIndicator(adx, candles).adx), lastOf(computeIndicator(rsi, candles).rsi)],
    );
  });

  it('reads the trend of BTC, the session and the day as risk assessments do', () => {
    const points = readDemoRisk().filter(({ pair }) => pair === 'BTC_USDT');
    assert.ok(points.length > 3);
    for (const { candles, expected } of points) {
      const btcCandles = sliceCandles(demoCandles('BTC_USDT', '1h'), 0, candles);
      const overview = run(pairsOf({ BTC: btcCandles }), '1h');
      const { psar, marketTrend, marketSession, dayOfWeek } = expected;
      const { picture, ...btc } = overview.btc!;
      assert.deepEqual(btc, { psar, marketTrend: marketTrend.value });
      assert.equal(picture!.structure, viewCoreLine(btcCandles, '1h').state);
      assert.deepEqual([overview.marketSession, overview.dayOfWeek], [marketSession, dayOfWeek]);
    }
  });

  it('has no word on BTC where it is stale or not traded', () => {
    assert.equal(run(pairsOf({ A: daily(1), BTC: daily(2, 100) })).btc, null);
    assert.equal(run(pairsOf({ A: daily(1) })).btc, null);
    assert.throws(() => run([]), { code: 'not_enough_history' });
  });

  it('gives the same in memory used before', () => {
    const scratch = new ScratchBuffers();
    run(pairsOf({ BTC: daily(9, 300) }), '1d', scratch);
    scratch.clear();
    const again = run(market, '1d', scratch);
    scratch.clear();
    scratch.column(500).fill(NaN);
    assert.deepEqual(again, found);
    assert.deepEqual(JSON.parse(JSON.stringify(again)), found);
  });
});
