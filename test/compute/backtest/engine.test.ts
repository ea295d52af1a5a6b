import assert from 'node:assert/strict';
import fc from 'fast-check';
import { initialEquity, runBacktest } from '../../../compute/backtest/engine.js';
import { figuresOf } from '../../../compute/backtest/report.js';
import { copyCandles, createCandles, sliceCandles, type Candles } from '../../../compute/model/candles.js';
import { arbitraryRun, type RunInput } from '../../support/candles/arbitrary-run.js';
import { assertClose } from '../../support/numbers/close-to.js';
import { naiveBacktest } from '../../support/naive/naive-backtest.js';

const run = ({ candles, targets, from, costs }: RunInput) => runBacktest(candles, targets, from, costs);

const holds = (property: (input: RunInput) => void) =>
  fc.assert(fc.property(arbitraryRun(), property), { numRuns: 500, seed: 3 });

const free = { feeRate: 0, slippageRate: 0 };

/** Candles of the given opens and closes. */
function barsOf(...rows: [open: number, close: number][]): Candles {
  const candles = createCandles(rows.length);
  rows.forEach(([open, close], i) => {
    candles.open[i] = open;
    candles.close[i] = close;
    candles.low[i] = Math.min(open, close);
  });
  return candles;
}

describe('runBacktest', () => {
  it('agrees with a naive implementation on equity and trades', () => {
    holds((input) => {
      const { candles, targets, from, costs } = input;
      const { equity, trades } = run(input);
      const naive = naiveBacktest(candles, targets, from, costs);
      assert.equal(equity.length, naive.equity.length);
      equity.forEach((value, i) => assertClose(value, naive.equity[i], `equity ${i}`));
      assert.deepEqual(
        trades.map(({ entry, exit, exitReason }) => [entry, exit, exitReason]),
        naive.trades.map(({ exitReason }, n) => [naive.entries[n], naive.exits[n], exitReason]),
      );
      trades.forEach((trade, n) => {
        for (const name of ['entryPrice', 'exitPrice'] as const)
          assertClose(trade[name], naive.trades[n][name], `${name} of trade ${n}`);
        const slack = 1e-9 * Math.max(1, trade.returnRate);
        assert.ok(Math.abs(trade.returnRate - naive.trades[n].returnRate) <= slack);
        assert.ok(Math.abs(trade.gain - naive.trades[n].gain) <= 1e-9 * (equity.at(-1)! + initialEquity));
      });
    });
  });

  it('draws down to the lows as a naive implementation does, and never less than on closes', () => {
    let deeper = 0;
    holds((input) => {
      const { candles, targets, from, costs } = input;
      const { maxDrawdown, maxDrawdownIntrabarPercent: actual } = figuresOf(run(input), 365);
      if (maxDrawdown === null) return assert.equal(actual, null);
      const { intrabarDrawdown } = naiveBacktest(candles, targets, from, costs);
      assert.ok(Math.abs(actual! - intrabarDrawdown) < 1e-9, `${actual} against ${intrabarDrawdown}`);
      assert.ok(actual! <= maxDrawdown && actual! > -100);
      deeper += Number(actual! < maxDrawdown - 1);
    });
    assert.ok(deeper > 40, `${deeper} of 500 runs fall deeper within candles`);
  });

  it('knows no low of a candle at whose open it has sold, or before whose open it has bought', () => {
    const candles = barsOf([100, 100], [100, 100], [100, 100], [100, 100]);
    candles.low.set([1, 90, 1, 1]);
    const { maxDrawdown, maxDrawdownIntrabarPercent } = figuresOf(
      runBacktest(candles, Int8Array.of(1, 0, 2, 2), 0, free),
      365,
    );
    assert.equal(maxDrawdown, 0);
    assertClose(maxDrawdownIntrabarPercent, -10, 'drawdown');
  });

  it('keeps equity constant and returns 0 % without a trade', () => {
    holds((input) => {
      input.targets.fill(0);
      const result = run(input);
      assert.deepEqual([result.trades.length, result.candlesHeld], [0, 0]);
      assert.ok(result.equity.every((value) => value === initialEquity));
      if (result.equity.length > 0) assert.equal(figuresOf(result, 365).totalReturn, 0);
    });
  });

  it('changes equity by the sum of the gains, and by the product of the returns', () => {
    holds((input) => {
      const { equity, trades } = run(input);
      const end = equity.at(-1) ?? initialEquity;
      const gains = trades.reduce((sum, { gain }) => sum + gain, 0);
      const growth = trades.reduce((product, { returnRate }) => product * (1 + returnRate), 1);
      assert.ok(Math.abs(initialEquity + gains - end) <= 1e-9 * (end + initialEquity));
      assertClose(initialEquity * growth, end, 'growth');
    });
  });

  it('never draws down above 0 nor below -100 %, and has a profit factor of its trades', () => {
    holds((input) => {
      const result = run(input);
      if (result.equity.length === 0) return;
      const { maxDrawdown, profitFactor } = figuresOf(result, 365);
      assert.ok(maxDrawdown! <= 0 && maxDrawdown! > -100);
      const sum = (sign: number) =>
        result.trades.reduce((total, { gain }) => total + Math.max(0, sign * gain), 0);
      assertClose(profitFactor, sum(-1) === 0 ? null : sum(1) / sum(-1), 'profitFactor');
    });
  });

  it('never fills on the candle of the signal: each fill follows a target of its side on the candle before', () => {
    holds((input) => {
      for (const { entry, exit, exitReason } of run(input).trades) {
        assert.ok(entry > input.from && exit >= entry);
        assert.equal(input.targets[entry - 1], 1);
        if (exitReason === 'end') assert.equal(exit, input.targets.length - 1);
        else assert.ok(exit > entry && input.targets[exit - 1] === 0);
      }
    });
  });

  it('ignores the target of the last candle, and those before the window', () => {
    holds((input) => {
      const before = run(input);
      input.targets.fill(1, 0, input.from);
      if (input.targets.length > input.from) input.targets[input.targets.length - 1] = 0;
      assert.deepEqual(run(input), before);
    });
  });

  it('marks a prefix of the candles as it marks the whole, but for the forced sale at its end', () => {
    holds((input) => {
      const cut = Math.max(input.from, Math.floor(input.targets.length * 0.7));
      const part = run({
        ...input,
        candles: sliceCandles(input.candles, 0, cut),
        targets: input.targets.slice(0, cut),
      });
      const whole = run(input).equity.slice(0, part.equity.length);
      assert.deepEqual(part.equity.slice(0, -1), whole.slice(0, -1));
    });
  });

  it('counts a candle as held when a position is open at its close, the one closed at the end included', () => {
    holds((input) => {
      const { trades, candlesHeld } = run(input);
      const held = trades.map(({ entry, exit, exitReason }) => exit - entry + (exitReason === 'end' ? 1 : 0));
      assert.equal(
        candlesHeld,
        held.reduce((sum, candles) => sum + candles, 0),
      );
    });
  });

  it('leaves candles and targets as they are', () => {
    holds((input) => {
      const candles = createCandles(input.candles.time.length);
      copyCandles(input.candles, candles, 0);
      const targets = input.targets.slice();
      run(input);
      assert.deepEqual([input.candles, input.targets], [candles, targets]);
    });
  });

  it('has no equity and no trade in an empty window', () => {
    const none = new Float64Array(0);
    const empty = { equity: none, lowestEquity: none, trades: [], candlesHeld: 0 };
    assert.deepEqual(runBacktest(barsOf(), new Int8Array(0), 0, free), empty);
    assert.deepEqual(runBacktest(barsOf([1, 2], [2, 3]), Int8Array.of(1, 1), 2, free), empty);
  });

  it('does not trade in a window of one candle', () => {
    const result = runBacktest(barsOf([1, 2], [2, 3]), Int8Array.of(1, 1), 1, free);
    const still = Float64Array.of(initialEquity);
    assert.deepEqual(result, { equity: still, lowestEquity: still, trades: [], candlesHeld: 0 });
  });

  it('buys at the next open and sells at the open after the signal, worked out by hand', () => {
    const candles = barsOf([1, 1], [100, 110], [120, 130], [150, 140], [160, 170]);
    const { equity, trades, candlesHeld } = runBacktest(candles, Int8Array.of(1, 2, 0, 2, 2), 0, free);
    assert.deepEqual(Array.from(equity), [10_000, 11_000, 13_000, 15_000, 15_000]);
    assert.deepEqual(trades, [
      {
        entry: 1,
        exit: 3,
        entryPrice: 100,
        exitPrice: 150,
        gain: 5_000,
        returnRate: 0.5,
        exitReason: 'signal',
      },
    ]);
    assert.equal(candlesHeld, 2);
  });

  it('takes fee and slippage on each side, and sells what is left at the last close', () => {
    const candles = barsOf([1, 1], [100, 105], [107, 110]);
    const costs = { feeRate: 0.001, slippageRate: 0.0005 };
    const { equity, trades } = runBacktest(candles, Int8Array.of(1, 1, 1), 0, costs);
    const [{ entryPrice, exitPrice, returnRate, exitReason }] = trades;
    assertClose(entryPrice, 100.05, 'entryPrice');
    assertClose(exitPrice, 109.945, 'exitPrice');
    assertClose(returnRate, (109.945 * 0.999) / (100.05 * 1.001) - 1, 'returnRate');
    assertClose(
      equity[1],
      (10_000 / (100.05 * 1.001)) * 105,
      'equity marked at the close, without cost of selling',
    );
    assertClose(equity[2], 10_000 * (1 + returnRate), 'last equity');
    assert.equal(exitReason, 'end');
  });
});
