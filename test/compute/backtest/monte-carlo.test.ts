import assert from 'node:assert/strict';
import fc from 'fast-check';
import { bandsOf, bootstrapPaths, checkpointsOf } from '../../../compute/backtest/bootstrap.js';
import { runBacktest } from '../../../compute/backtest/engine.js';
import { resampleRun } from '../../../compute/backtest/monte-carlo.js';
import { fillsOf, randomReturns } from '../../../compute/backtest/random-entries.js';
import { mean } from '../../../compute/metrics/returns.js';
import { standardDeviation } from '../../../compute/metrics/moments.js';
import { createRandom } from '../../../compute/model/random.js';
import { arbitraryRun } from '../../support/candles/arbitrary-run.js';
import { assertNear } from '../../support/numbers/assert-near.js';
import { assertClose } from '../../support/numbers/close-to.js';
import { randomCandles } from '../../support/candles/random-candles.js';

/** All ways to lay trades of these holding times, in any order, into so many fills with at least one fill between two. */
function everyPlacement(fills: number, held: readonly number[]): [number, number][][] {
  if (held.length === 0) return [[]];
  const orders = held.length === 1 ? [held] : permutations(held);
  return orders.flatMap((order) => place(fills, order, 0));
}

const permutations = (values: readonly number[]): number[][] =>
  values.length <= 1
    ? [[...values]]
    : values.flatMap((value, n) => permutations(values.toSpliced(n, 1)).map((rest) => [value, ...rest]));

function place(fills: number, [first, ...rest]: readonly number[], from: number): [number, number][][] {
  const placements: [number, number][][] = [];
  for (let entry = from; entry + first < fills; entry++) {
    const here: [number, number] = [entry, entry + first];
    if (rest.length === 0) placements.push([here]);
    else for (const later of place(fills, rest, entry + first + 1)) placements.push([here, ...later]);
  }
  return placements;
}

const costs = { feeRate: 0.001, slippageRate: 0.0005 };
const returnsOf = (count: number, seed = 1) => {
  const { unit } = createRandom(seed);
  return Float64Array.from({ length: count }, () => (unit() - 0.48) * 0.02);
};

/** Fails unless the mean of the values lies within four standard errors of what is expected. */
function assertMean(values: Float64Array, expected: number, what: string): void {
  const error = standardDeviation(values) / Math.sqrt(values.length);
  const found = mean(values);
  assert.ok(
    Math.abs(found - expected) < 4 * error,
    `${what}: found ${found}, expected ${expected} +/- ${error}`,
  );
}

describe('bootstrapped paths', () => {
  it('grow on average as blocks do: the mean of all blocks to the power of their number', () => {
    for (const blockLength of [1, 5, 12]) {
      const returns = returnsOf(60);
      const { totalReturn } = bootstrapPaths(returns, {
        paths: 20_000,
        blockLength,
        random: createRandom(3),
      });
      const blocks = Array.from(returns, (_, start) => {
        let growth = 1;
        for (let k = 0; k < blockLength; k++) growth *= 1 + returns[(start + k) % 60];
        return growth;
      });
      const usual = blocks.reduce((sum, value) => sum + value, 0) / 60;
      assertMean(totalReturn, (usual ** (60 / blockLength) - 1) * 100, `blocks of ${blockLength}`);
    }
  });

  it('turn the whole of the returns when a block is as long as all of them', () => {
    const returns = returnsOf(30);
    const { totalReturn } = bootstrapPaths(returns, { paths: 50, blockLength: 30, random: createRandom(3) });
    const growth = returns.reduce((product, value) => product * (1 + value), 1);
    for (const value of totalReturn) assertClose(value, (growth - 1) * 100, 'total return');
  });

  it('give each candle the same chance', () => {
    // One return stands out: how often it is met shows in the number of jumps.
    const returns = new Float64Array(40);
    returns[39] = 1;
    const { totalReturn } = bootstrapPaths(returns, {
      paths: 20_000,
      blockLength: 7,
      random: createRandom(9),
    });
    assertMean(
      totalReturn.map((value) => Math.log2(value / 100 + 1)),
      1,
      'times the last return was met',
    );
  });

  it('fall from their own peak, never by more than they lose at worst', () => {
    const law = fc.property(
      fc.array(fc.double({ min: -0.9, max: 2, noNaN: true }), { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 10 }),
      (values, blockLength) => {
        const returns = Float64Array.from(values);
        const checkpoints = checkpointsOf(values.length, 20, values.length);
        const random = createRandom(1);
        const blocks = Math.min(blockLength, values.length);
        const paths = bootstrapPaths(returns, { paths: 20, blockLength: blocks, random }, checkpoints);
        for (let n = 0; n < 20; n++) {
          const path = [1, ...checkpoints.columns.map((column) => column[n])];
          let lowest = 0;
          path.forEach((value, i) => {
            const peak = Math.max(...path.slice(0, i + 1));
            lowest = Math.min(lowest, value / peak - 1);
          });
          // In percent: what is less than 1e-10 of them is rounding.
          assertNear(paths.maxDrawdown[n], lowest * 100, 1e-10, 'drawdown');
          assertNear(paths.totalReturn[n], (path.at(-1)! - 1) * 100, 1e-10, 'return');
        }
      },
    );
    fc.assert(law, { numRuns: 60 });
  });

  it('are looked at where their checkpoints say, the last step included', () => {
    assert.deepEqual(checkpointsOf(3, 1, 50).steps, [1, 2, 3]);
    const { steps } = checkpointsOf(8_783, 1, 50);
    assert.equal(steps.length, 50);
    assert.equal(steps[49], 8_783);
    assert.equal(new Set(steps).size, 50);
  });

  it('are banded by percentiles', () => {
    const values = Float64Array.from({ length: 101 }, (_, n) => (n * 37) % 101);
    assert.deepEqual(bandsOf(values), { p5: 5, p25: 25, p50: 50, p75: 75, p95: 95 });
  });
});

describe('random entries', () => {
  it('choose every placement and order equally often', () => {
    const prices = Float64Array.of(1, 2, 4, 8, 16, 32, 64, 128, 256).map((value, i) => value * (1 + i / 100));
    const held = [1, 3];
    const fills = { prices, held, actual: 0 };
    const paths = 30_000;
    const returns = randomReturns(fills, costs, paths, createRandom(11));
    const counts = new Map<string, number>();
    for (const value of returns)
      counts.set(value.toPrecision(9), (counts.get(value.toPrecision(9)) ?? 0) + 1);

    const kept = ((1 - 0.0005) * (1 - 0.001)) / ((1 + 0.0005) * (1 + 0.001));
    const placements = everyPlacement(prices.length, held).map((placed) =>
      placed.reduce((product, [entry, exit]) => (product * kept * prices[exit]) / prices[entry], 1),
    );
    // Placements that come to the same return count together.
    const expected = new Map<string, number>();
    for (const growth of placements) {
      const name = (growth - 1).toPrecision(9);
      expected.set(name, (expected.get(name) ?? 0) + paths / placements.length);
    }
    assert.deepEqual([...counts.keys()].sort(), [...expected.keys()].sort());
    let chiSquare = 0;
    for (const [name, count] of expected) chiSquare += (counts.get(name)! - count) ** 2 / count;
    const degrees = expected.size - 1;
    assert.ok(
      chiSquare < degrees + 4 * Math.sqrt(2 * degrees),
      `chi square ${chiSquare} at ${degrees} degrees`,
    );
  });

  it('can meet the run itself: its own placement gives its own return', () => {
    const law = fc.property(arbitraryRun(40), ({ candles, targets, from, costs }) => {
      const { trades } = runBacktest(candles, targets, from, costs);
      if (trades.length === 0) return;
      const { prices, held, actual } = fillsOf(candles, from, trades);
      const kept =
        ((1 - costs.slippageRate) * (1 - costs.feeRate)) / ((1 + costs.slippageRate) * (1 + costs.feeRate));
      const growth = trades.reduce((product, { entry }, n) => {
        const at = entry - from - 1;
        return (product * kept * prices[at + held[n]]) / prices[at];
      }, 1);
      assertClose(actual + 1, growth, 'growth');
      const room = prices.length - 1 - held.reduce((sum, steps) => sum + steps, 0) - (held.length - 1);
      assert.ok(room >= 0);
    });
    fc.assert(law, { numRuns: 300 });
  });
});

describe('monteCarlo', () => {
  const candles = randomCandles(2_000, { seed: 4 });
  const { unit } = createRandom(8);
  const targets = Int8Array.from({ length: 2_000 }, () => (unit() < 0.05 ? 1 : unit() < 0.1 ? 0 : 2));
  const run = runBacktest(candles, targets, 100, costs);
  const settings = { costs, paths: 1_000, seed: 42 };

  it('gives the same report for the same seed, another for another', () => {
    const report = resampleRun(candles, run, 100, settings);
    assert.deepEqual(resampleRun(candles, run, 100, settings), report);
    assert.notDeepEqual(resampleRun(candles, run, 100, { ...settings, seed: 43 }).trades, report.trades);
  });

  it('resamples as many trades and candles as there were', () => {
    const { trades, candles: perCandle } = resampleRun(candles, run, 100, settings);
    assert.equal(trades!.steps, run.trades.length);
    assert.equal(perCandle!.steps, run.equity.length - 1);
    assert.equal(perCandle!.equity.length, 50);
    const last = perCandle!.equity.at(-1)!;
    assert.equal(last.time, candles.time[1_999] / 1000);
    assertClose(last.p50, 10_000 * (1 + perCandle!.totalReturn.p50 / 100), 'median at the end');
  });

  it('bands in order, and counts losses', () => {
    const report = resampleRun(candles, run, 100, settings);
    for (const bands of [
      report.trades!.totalReturn,
      report.candles!.maxDrawdown,
      report.randomEntries!.totalReturn,
    ]) {
      const values = [bands.p5, bands.p25, bands.p50, bands.p75, bands.p95];
      assert.deepEqual(
        values,
        values.toSorted((left, right) => left - right),
      );
    }
    const { share, count } = report.candles!.probabilityOfLoss;
    assert.equal(count, 1_000);
    assert.equal(report.candles!.totalReturn.p50 < 0, share! > 0.5);
  });

  it('is sure of a loss when every trade lost', () => {
    const losing = { ...run, trades: run.trades.map((trade) => ({ ...trade, returnRate: -0.01 })) };
    const { trades } = resampleRun(candles, losing, 100, settings);
    assert.equal(trades!.probabilityOfLoss.share, 1);
    const all = (0.99 ** run.trades.length - 1) * 100;
    for (const value of Object.values(trades!.totalReturn)) assertClose(value, all, 'return');
  });

  it('finds skill where entries know the future, and none where they are random', () => {
    const knowing = Int8Array.from(candles.close, (_, i) =>
      i + 2 < 2_000 && candles.open[i + 2] > candles.open[i + 1] * 1.004 ? 1 : 0,
    );
    const skilled = runBacktest(candles, knowing, 0, costs);
    assert.equal(resampleRun(candles, skilled, 0, settings).randomEntries!.pValue, 1 / 1_001);
    const { pValue } = resampleRun(candles, run, 100, settings).randomEntries!;
    assert.ok(pValue > 0.02, `p ${pValue}`);
  });

  it('has p-values that are even between 0 and 1 for strategies without skill', () => {
    const pValues = Array.from({ length: 60 }, (_, n) => {
      const random = createRandom(1_000 + n);
      const drawn = Int8Array.from({ length: 600 }, () => {
        const draw = random.unit();
        return draw < 0.04 ? 1 : draw < 0.1 ? 0 : 2;
      });
      const market = randomCandles(600, { seed: 500 + n });
      const blind = runBacktest(market, drawn, 0, costs);
      return resampleRun(market, blind, 0, { costs, paths: 200, seed: n }).randomEntries!.pValue;
    });
    const ascending = pValues.toSorted((left, right) => left - right);
    // Kolmogorov-Smirnov at 1 %: 1.63 / sqrt(60).
    const furthest = Math.max(...ascending.map((p, n) => Math.max((n + 1) / 60 - p, p - n / 60)));
    assert.ok(furthest < 1.63 / Math.sqrt(60), `furthest ${furthest}`);
  });

  it('says what can not be resampled', () => {
    const none = runBacktest(candles, new Int8Array(2_000), 0, costs);
    const { method, ...report } = resampleRun(candles, none, 0, settings);
    assert.match(method, /Politis and White, 2004/);
    assert.deepEqual(report, {
      paths: 1_000,
      seed: 42,
      trades: null,
      tradesReason: 'needs 10 trades or more, found 0: resampled paths would repeat the past',
      candles: null,
      candlesReason: 'needs 10 candles in the market or more, found 0: resampled paths would repeat the past',
      randomEntries: null,
      randomEntriesReason: 'no trade was closed in the window',
      notes: ['no trade was closed in the window: there is nothing to resample'],
    });
  });

  it('spreads the paths of buy and hold, which has one trade as long as the past', () => {
    const one = runBacktest(candles, new Int8Array(2_000).fill(1), 0, costs);
    const report = resampleRun(candles, one, 0, settings);
    assert.equal(report.trades, null);
    assert.match(report.tradesReason!, /^needs 10 trades or more, found 1:/);
    const { blockLength, totalReturn, probabilityOfLoss } = report.candles!;
    assert.ok(blockLength <= 199, `blocks of ${blockLength}`);
    // Steps of up to 2 % to either side: the log return of 2,000 of them varies by 0.04 / sqrt(12) x sqrt(2,000).
    const spread = Math.log((100 + totalReturn.p95) / (100 + totalReturn.p5)) / (2 * 1.645);
    assert.ok(Math.abs(spread / ((0.04 / Math.sqrt(12)) * Math.sqrt(2_000)) - 1) < 0.15, `spread ${spread}`);
    assert.ok(probabilityOfLoss.share! > 0.01 && probabilityOfLoss.share! < 0.99);
    // Held from the second candle to the end: there is no other place for it.
    assert.equal(report.randomEntries!.pValue, 1);
  });

  it('keeps blocks to a tenth of the candles in the market', () => {
    const brief = new Int8Array(2_000).fill(1, 1_000, 1_025);
    const report = resampleRun(candles, runBacktest(candles, brief, 0, costs), 0, settings);
    assert.ok(report.candles!.blockLength <= 2, `blocks of ${report.candles!.blockLength}`);
    const few = new Int8Array(2_000).fill(1, 1_000, 1_009);
    const { candles: none, candlesReason } = resampleRun(
      candles,
      runBacktest(candles, few, 0, costs),
      0,
      settings,
    );
    assert.equal(none, null);
    assert.match(candlesReason!, /^needs 10 candles in the market or more, found 9:/);
  });
});
