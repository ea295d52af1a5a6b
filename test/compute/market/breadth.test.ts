import assert from 'node:assert/strict';
import { computeCoreLine } from '../../../compute/core-line/states.js';
import type { BreadthRow } from '../../../compute/market/breadth.js';
import { sliceCandles } from '../../../compute/model/candles.js';
import { stateName } from '../../../compute/model/core-line.js';
import { ScratchBuffers } from '../../../compute/model/scratch-buffers.js';
import type { PairCandles } from '../../../compute/task.js';
import { breadth } from '../../../compute/market/breadth.js';
import { demoCandles } from '../../support/candles/demo-candles.js';
import { flatCandles } from '../../support/candles/odd-candles.js';
import { candlesAt, candlesWhere, pairsOf } from '../../support/candles/pairs.js';
import { randomCandles } from '../../support/candles/random-candles.js';

const dayMs = 86_400_000;
const run = (pairs: readonly PairCandles[], limit = 90, scratch?: ScratchBuffers) =>
  breadth.run({ pairs, interval: '1d', params: { limit } }, scratch);

/** What an asset shows after the candle at `i`, each in its own words; null where its history is too short. */
function showing({ candles }: PairCandles, i: number) {
  const { close, high, low } = candles;
  const meanOf = (count: number) =>
    i + 1 < count ? null : close.slice(i + 1 - count, i + 1).reduce((a, b) => a + b) / count;
  const before = i < 90 ? null : [Math.max(...high.slice(i - 90, i)), Math.min(...low.slice(i - 90, i))];
  const above = (mean: number | null) => (mean === null ? null : close[i] > mean);
  return {
    sma50: above(meanOf(50)),
    sma200: above(meanOf(200)),
    accumulates:
      i < 60 ? null : stateName(computeCoreLine(sliceCandles(candles, 0, i + 1)).state[i]) === 'accumulate',
    move: i === 0 ? 0 : Math.sign(close[i] - close[i - 1]),
    extreme: before && [high[i] > before[0], low[i] < before[1]],
  };
}

function naiveRows(pairs: readonly PairCandles[], limit: number): BreadthRow[] {
  const times = [...new Set(pairs.flatMap(({ candles }) => [...candles.time]))]
    .sort((a, b) => a - b)
    .slice(-limit);
  let line = 0;
  return times.map((time) => {
    const here = pairs.flatMap((pair) => {
      const i = pair.candles.time.indexOf(time);
      return i < 0 ? [] : [showing(pair, i)];
    });
    const share = (answers: (boolean | null)[]) => {
      const known = answers.filter((each) => each !== null);
      const yes = known.filter(Boolean).length;
      return { percent: known.length > 0 ? (yes / known.length) * 100 : null, of: known.length };
    };
    const [sma50, sma200, state] = [
      share(here.map((x) => x.sma50)),
      share(here.map((x) => x.sma200)),
      share(here.map((x) => x.accumulates)),
    ];
    const extremes = here.flatMap(({ extreme }) => (extreme ? [extreme] : []));
    const [newHighs, newLows] = [0, 1].map((side) => extremes.filter((each) => each[side]).length);
    const moved = (way: number) => here.filter(({ move }) => move === way).length;
    line += moved(1) - moved(-1);
    const lacks = [
      ...(sma50.of === 0 ? ['no asset has 50 candles'] : []),
      ...(sma200.of === 0 ? ['no asset has 200 candles'] : []),
      ...(state.of === 0 ? ['no asset has the candles of a trend state'] : []),
    ];
    return {
      time,
      assets: here.length,
      aboveSma50Percent: sma50.percent,
      sma50Assets: sma50.of,
      aboveSma200Percent: sma200.percent,
      sma200Assets: sma200.of,
      accumulatePercent: state.percent,
      stateAssets: state.of,
      reason: lacks.length > 0 ? lacks.join('; ') : null,
      advancers: moved(1),
      decliners: moved(-1),
      advanceDeclineLine: line,
      newHighs,
      newLows,
      newHighsMinusLows: newHighs - newLows,
      highLowAssets: extremes.length,
    };
  });
}

const daily = (seed: number, count: number, startMs = Date.UTC(2024, 0, 1)) =>
  randomCandles(count, { seed, startMs, stepMs: dayMs });

describe('breadth', () => {
  const young = Date.UTC(2024, 0, 1) + 150 * dayMs;
  const market = pairsOf({
    BTC: demoCandles('BTC_USDT', '1d'),
    SOL: candlesWhere(demoCandles('SOL_USDT', '1d'), (i) => i % 29 !== 0),
    PEPE: demoCandles('PEPE_USDT', '1d'),
  });
  const drawn = pairsOf({
    A: daily(1, 290),
    B: candlesWhere(daily(2, 290), (i) => i % 11 !== 0 && i !== 289),
    YOUNG: daily(3, 140, young),
    GONE: daily(4, 240),
    NEW: daily(5, 1, Date.UTC(2024, 0, 1) + 289 * dayMs),
    NONE: daily(6, 0),
  });

  for (const [name, pairs] of Object.entries({ demo: market, drawn }))
    for (const limit of [1, 90, 200])
      it(`equals a plain count on ${name} assets over ${limit} candles`, () => {
        assert.deepEqual(run(pairs, limit).rows, naiveRows(pairs, limit));
      });

  it('counts every side of every measure', () => {
    const { rows, asOf, stale } = run(drawn, 200);
    assert.equal(asOf, Date.UTC(2024, 0, 1) + 290 * dayMs);
    assert.equal(stale, 3);
    const sum = (name: Exclude<keyof BreadthRow, 'reason'>) =>
      rows.reduce((total, row) => total + (row[name] ?? 0), 0);
    for (const name of [
      'aboveSma50Percent',
      'aboveSma200Percent',
      'accumulatePercent',
      'newHighs',
      'newLows',
      'advancers',
      'decliners',
    ] as const)
      assert.ok(sum(name) > 0, name);
    assert.deepEqual([rows.at(-1)!.assets, rows.at(-1)!.sma50Assets], [3, 2]);
  });

  it('does not change for what is yet to come, but for where the line starts', () => {
    const cut = drawn.map((pair) => ({
      ...pair,
      candles: sliceCandles(pair.candles, 0, firstAfter(pair, 250)),
    }));
    const [full, past] = [run(drawn, 365).rows, run(cut, 365).rows];
    assert.deepEqual(past, full.slice(0, past.length));
    assert.ok(past.length >= 240);
  });

  it('has as many rows as the market has candles, and leaves out times without any', () => {
    assert.equal(run(pairsOf({ A: daily(1, 20) }), 90).rows.length, 20);
    const hollow = candlesWhere(daily(1, 60), (i) => i < 30 || i >= 40);
    assert.deepEqual(
      run(pairsOf({ A: hollow }), 25).rows.map(({ time }) => time),
      [...hollow.time.slice(-25)],
    );
  });

  it('finds nobody above the mean, advancing or at a new high where prices stand still', () => {
    for (const price of [0.1, 1e-8, 1e8]) {
      const [last] = run(pairsOf({ FLAT: flatCandles(300, price) }), 1).rows;
      const { aboveSma50Percent, aboveSma200Percent, advancers, decliners, newHighs, newLows } = last;
      assert.deepEqual(
        [aboveSma50Percent, aboveSma200Percent, advancers, decliners, newHighs, newLows],
        [0, 0, 0, 0, 0, 0],
      );
    }
  });

  it('has no share where no asset has the history for it', () => {
    const [row] = run(pairsOf({ A: candlesAt([1, 2, 3]) }), 1).rows;
    assert.deepEqual(
      [
        row.aboveSma50Percent,
        row.sma50Assets,
        row.aboveSma200Percent,
        row.accumulatePercent,
        row.stateAssets,
        row.highLowAssets,
      ],
      [null, 0, null, null, 0, 0],
    );
    assert.throws(() => run([]), { code: 'not_enough_history' });
  });

  it('gives the same in memory used before, and changes no candle', () => {
    const scratch = new ScratchBuffers();
    const expected = run(market, 300);
    const before = market.map(({ candles }) => [...candles.close]);
    run(drawn, 365, scratch);
    scratch.clear();
    assert.deepEqual(run(market, 300, scratch), expected);
    scratch.clear();
    scratch.column(900).fill(NaN);
    assert.deepEqual(run(market, 300), expected);
    assert.deepEqual(
      market.map(({ candles }) => [...candles.close]),
      before,
    );
  });
});

/** The number of candles of a pair that open before the market's candle `day`. */
const firstAfter = ({ candles }: PairCandles, day: number) =>
  candles.time.filter((time) => time < Date.UTC(2024, 0, 1) + day * dayMs).length;
