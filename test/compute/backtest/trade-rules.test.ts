import assert from 'node:assert/strict';
import fc from 'fast-check';
import { AppError } from '../../../compute/model/errors.js';
import { sliceCandles, type Candles } from '../../../compute/model/candles.js';
import type { RuleSettings } from '../../../compute/backtest/trade-rules-task.js';
import { naiveRules } from '../../support/naive/naive-rules.js';
import { anyCandles } from '../../support/rules/any-candles.js';
import { anyStrategy } from '../../support/rules/any-strategy.js';
import { runRules } from '../../support/rules/run-rules.js';

const hourMs = 3_600_000;

const anySettings = fc.record({
  costs: fc.record({
    feeRate: fc.constantFrom(0, 0.001, 0.02),
    slippageRate: fc.constantFrom(0, 0.0005, 0.01),
  }),
  shortCostPercentPerDay: fc.constantFrom(-1, 0, 0.05, 5),
  initialEquity: fc.constantFrom(100, 10_000, 1e9),
});

/** A run, or null where the history is too short for a window. */
function tryRun(
  strategy: object,
  candles: Readonly<Record<string, Candles>>,
  settings: Partial<RuleSettings>,
): ReturnType<typeof runRules> | null {
  try {
    return runRules(strategy, candles, '1h', settings);
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_enough_history') return null;
    throw error;
  }
}

const assetNames = ['A', 'B', 'C', 'D'];
const named = (all: readonly Candles[]) => Object.fromEntries(all.map((each, n) => [assetNames[n], each]));

function naive({ settings, strategy, assets, fromMs }: ReturnType<typeof runRules>) {
  const { costs, shortCostPercentPerDay, initialEquity, maxPositions, rankBy } = settings;
  return naiveRules({
    ...{
      strategy,
      interval: '1h',
      fromMs,
      ...costs,
      shortCostPercentPerDay,
      initialEquity,
      maxPositions,
      rankBy,
    },
    assets: assets.map(({ asset, candles }) => ({ name: asset, candles })),
  });
}

function assertSame(result: ReturnType<typeof runRules>): void {
  const { run, assets } = result;
  const slow = naive(result);
  const near = (found: number, expected: number, what: string) =>
    assert.ok(
      Math.abs(found - expected) <= 1e-8 * (Math.abs(expected) + result.settings.initialEquity * 1e-6),
      `${what}: found ${found}, expected ${expected}`,
    );
  assert.deepEqual(
    run.trades.map(({ asset, way, entry, exit, candles, exitReason }) => [
      asset,
      way,
      entry,
      exit,
      candles,
      exitReason,
    ]),
    slow.trades.map(({ asset, side, entry, exit, candles, exitReason }) => [
      assets.findIndex((each) => each.asset === asset),
      side === 'long' ? 1 : -1,
      ...[entry, exit, candles, exitReason],
    ]),
  );
  run.trades.forEach((trade, n) => {
    for (const key of ['entryPrice', 'exitPrice', 'gain'] as const)
      near(trade[key], slow.trades[n][key], key);
    assert.ok(Math.abs(trade.quantity / slow.trades[n].quantity - 1) < 1e-8);
  });
  assert.deepEqual(run.entries, slow.entries);
  assert.equal(run.candlesHeld, slow.candlesHeld);
  assert.deepEqual([...run.time], slow.time);
  run.equity.forEach((value, n) => near(value, slow.equity[n], `equity ${n}`));
  run.lowestEquity.forEach((value, n) => near(value, slow.lowest[n], `lowest ${n}`));
}

describe('tradeRules', () => {
  it('trades one asset as a slow and plain implementation does', () => {
    fc.assert(
      fc.property(anyStrategy, anyCandles, anySettings, (strategy, candles, settings) => {
        const result = tryRun(strategy, { A: candles }, settings);
        if (result) assertSame(result);
      }),
      { numRuns: 300 },
    );
  });

  it('trades several assets in one account as a slow and plain implementation does', () => {
    const portfolio = fc.record({
      maxPositions: fc.integer({ min: 1, max: 4 }),
      rankBy: fc.constantFrom(null, 'rsi_4', '-change_2', 'close * -1'),
    });
    fc.assert(
      fc.property(
        ...[anyStrategy, fc.array(anyCandles, { minLength: 2, maxLength: 4 }), anySettings, portfolio],
        (strategy, all, settings, more) => {
          const result = tryRun(strategy, named(all), { ...settings, ...more });
          if (result) assertSame(result);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('never has negative cash or equity, and its trades add up to its equity', () => {
    fc.assert(
      fc.property(
        ...[anyStrategy, fc.array(anyCandles, { minLength: 1, maxLength: 3 }), anySettings],
        (strategy, all, settings) => {
          const result = tryRun(strategy, named(all), settings);
          if (!result) return;
          const { run } = result;
          assert.ok(run.lowestEquity.every((value, n) => value >= 0 && value <= run.equity[n]));
          const gains = run.trades.reduce((sum, { gain }) => sum + gain, 0);
          const last = run.equity[run.equity.length - 1];
          assert.ok(
            Math.abs(settings.initialEquity + gains - last) <= 1e-7 * Math.max(last, settings.initialEquity),
          );
        },
      ),
      { numRuns: 200 },
    );
  });

  it('changes no trade by later candles', () => {
    fc.assert(
      fc.property(anyStrategy, anyCandles, anySettings, fc.nat(), (strategy, candles, settings, at) => {
        const whole = tryRun(strategy, { A: candles }, settings);
        const end = 1 + (at % candles.time.length);
        const cut = tryRun(strategy, { A: sliceCandles(candles, 0, end) }, settings);
        if (!whole || !cut) return;
        const before = ({ run }: typeof whole) => run.trades.filter(({ exit }) => exit < end - 1);
        assert.deepEqual(before(cut), before(whole));
      }),
      { numRuns: 200 },
    );
  });

  it('makes no more with higher costs, where every trade is the same', () => {
    const held = { long: { entry: { left: 'close', op: '>', right: 0 }, maxCandles: 5 } };
    fc.assert(
      fc.property(
        anyCandles,
        fc.double({ min: 0, max: 0.05, noNaN: true }),
        fc.double({ min: 0, max: 0.05, noNaN: true }),
        (candles, a, b) => {
          const [low, high] = [Math.min(a, b), Math.max(a, b)];
          const final = (feeRate: number, slippageRate: number) => {
            const { equity } = runRules(held, { A: candles }, '1h', { costs: { feeRate, slippageRate } }).run;
            return equity[equity.length - 1];
          };
          assert.ok(final(high, 0.001) <= final(low, 0.001) * (1 + 1e-12));
          assert.ok(final(0.001, high) <= final(0.001, low) * (1 + 1e-12));
        },
      ),
    );
  });

  it('loses exactly the risk at a stop that fills at its level', () => {
    const level = { left: 'close', op: '>', right: 0 };
    const sides = fc.constantFrom('long', 'short');
    fc.assert(
      fc.property(
        anyCandles,
        sides,
        fc.constantFrom(0.5, 1, 3),
        anySettings,
        (candles, side, riskPercent, settings) => {
          const strategy = { [side]: { entry: level, stopLoss: { percent: 4 } }, size: { riskPercent } };
          const { run, account } = runRules(strategy, { A: candles }, '1h', {
            ...settings,
            shortCostPercentPerDay: 0,
          });
          const { slippageRate } = account.costs;
          let worth = settings.initialEquity;
          for (const { exitReason, exitPrice, entryPrice, way, gain, quantity } of run.trades) {
            const stop = entryPrice * (1 - way * 0.04) * (1 - way * slippageRate);
            const risked = (worth * riskPercent) / 100;
            const isWhole = quantity * entryPrice * (1 + account.costs.feeRate) < worth * (1 - 1e-9);
            if (exitReason === 'stopLoss' && isWhole && Math.abs(exitPrice / stop - 1) < 1e-12)
              assert.ok(Math.abs(gain / risked + 1) < 1e-9, `lost ${gain}, risked ${risked}`);
            worth += gain;
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  // SOL of the demo market, 28 November 2022: in units of 1e-14 backtesting.py rounds this level below the low, and leaves a candle later.
  it('leaves at a stop that a low meets exactly', () => {
    const count = 400;
    const flat = () => new Float64Array(count).fill(111);
    const low = flat();
    low[350] = 107.67;
    const series: Candles = {
      ...{ time: Float64Array.from(low, (_, n) => n * hourMs), open: flat(), high: flat(), low },
      ...{ close: flat(), volume: flat() },
    };
    const strategy = { long: { entry: { left: 'close', op: '>', right: 0 }, stopLoss: { percent: 3 } } };
    const { run } = runRules(strategy, { A: series }, '1h', { costs: { feeRate: 0, slippageRate: 0 } });
    const [{ exit, exitPrice }] = run.trades;
    assert.deepEqual({ exit, exitPrice }, { exit: 350, exitPrice: 107.67 });
  });

  it('decides the same in an account of one asset, wherever the window begins', () => {
    fc.assert(
      fc.property(anyStrategy, anyCandles, fc.integer({ min: 0, max: 100 }), (strategy, candles, hours) => {
        const fromMs = candles.time[0] + hours * hourMs;
        const result = tryRun(strategy, { A: candles }, { fromMs });
        if (!result) return;
        assert.ok(result.run.time[0] >= fromMs);
        assertSame(result);
      }),
    );
  });
});
