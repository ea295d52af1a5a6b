import assert from 'node:assert/strict';
import type { Run, Trade } from '../../../compute/backtest/engine.js';
import {
  benchmarkOf,
  figuresOf,
  noteNulls,
  reportEquity,
  reportTrades,
} from '../../../compute/backtest/report.js';
import { assertClose } from '../../support/numbers/close-to.js';
import { tradeOf } from '../../support/candles/trade-of.js';

const trade = (returnRate: number, gain: number) => tradeOf({ returnRate, gain });

const runOf = (equity: number[], trades: Trade[] = [], candlesHeld = 0, lowest = equity): Run => ({
  equity: Float64Array.from(equity),
  lowestEquity: Float64Array.from(lowest),
  trades,
  candlesHeld,
});

describe('figuresOf', () => {
  it('measures a run, worked out by hand', () => {
    const trades = [trade(-0.01, -1), trade(0.2, 22)];
    const figures = figuresOf(runOf([100, 110, 99, 121], trades, 3, [100, 98, 88, 95]), 365);
    const returns = [0.1, -0.1, 121 / 99 - 1];
    const mean = (returns[0] + returns[1] + returns[2]) / 3;
    const deviation = Math.sqrt(returns.reduce((sum, each) => sum + (each - mean) ** 2, 0) / 2);
    const expected = {
      totalReturn: 21,
      winRate: 50,
      sharpe: (mean / deviation) * Math.sqrt(365),
      maxDrawdown: -10,
      // From the close at 110 to the low at 88.
      maxDrawdownIntrabarPercent: -20,
      tradeCount: 2,
      profitFactor: 22,
      sortino: (mean / Math.sqrt(0.01 / 3)) * Math.sqrt(365),
      calmar: (1.21 ** (365 / 3) - 1) / 0.1,
      expectancy: 9.5,
      exposure: 75,
    };
    assert.deepEqual(Object.keys(figures).sort(), Object.keys(expected).sort());
    for (const [name, value] of Object.entries(expected))
      assertClose(figures[name as keyof typeof expected], value, name);
  });

  it('measures a benchmark the same way', () => {
    const run = runOf([100, 110, 99, 121], [], 0, [100, 98, 88, 95]);
    const { totalReturn, maxDrawdown, maxDrawdownIntrabarPercent, sharpe } = figuresOf(run, 365);
    const expected = { totalReturn, maxDrawdown, maxDrawdownIntrabarPercent, sharpe };
    assert.deepEqual(benchmarkOf(run, 365), expected);
  });
});

describe('noteNulls', () => {
  it('says why each ratio is null when nothing was traded', () => {
    const notes = noteNulls(figuresOf(runOf([100, 100, 100]), 365));
    assert.match(notes[2], /^sharpe is null: .*vary/);
    assert.deepEqual(notes.toSpliced(2, 1), [
      'winRate, expectancy are null: no trade was closed in the window',
      'profitFactor is null: no trade was closed in the window',
      'sortino is null: equity never falls from one candle to the next',
      'calmar is null: equity never falls below its highest value',
    ]);
  });

  it('says of a run of gains alone that nothing was lost', () => {
    assert.deepEqual(noteNulls(figuresOf(runOf([100, 110, 130], [trade(0.3, 30)]), 365)), [
      'profitFactor is null: no trade lost',
      'sortino is null: equity never falls from one candle to the next',
      'calmar is null: equity never falls below its highest value',
    ]);
  });

  it('is silent where every figure has a meaning', () => {
    const run = runOf([100, 110, 99, 121], [trade(-0.01, -1), trade(0.2, 22)], 3);
    assert.deepEqual(noteNulls(figuresOf(run, 365)), []);
  });

  it('does not say that equity stands still where it moved but once', () => {
    const note = noteNulls(figuresOf(runOf([100, 90]), 365)).find((each) => each.startsWith('sharpe'));
    assert.notEqual(note, 'sharpe is null: equity does not vary from candle to candle');
  });

  it('names every figure that is null, each once', () => {
    for (const equity of [[100], [100, 100], [100, 90], [100, 110, 110]]) {
      const figures = figuresOf(runOf(equity), 365);
      const said = noteNulls(figures).flatMap((note) => note.split(/ (?:is|are) null: /)[0].split(', '));
      const nulls = Object.entries(figures).flatMap(([name, value]) => (value === null ? [name] : []));
      assert.deepEqual(said.sort(), nulls.sort());
    }
  });
});

describe('reportTrades', () => {
  it('gives the days of the fills and the return in percent', () => {
    const time = Float64Array.of(Date.UTC(2024, 1, 28, 23), Date.UTC(2024, 1, 29));
    assert.deepEqual(reportTrades([trade(-0.25, -25)], time), [
      {
        entryPrice: 100.05,
        exitPrice: 99.95,
        entryDate: '2024-02-28',
        exitDate: '2024-02-29',
        entryTime: '2024-02-28T23:00:00.000Z',
        exitTime: '2024-02-29T00:00:00.000Z',
        return: -25,
        exitReason: 'signal',
      },
    ]);
  });
});

describe('reportEquity', () => {
  it('gives at most 500 points in hundredths against seconds', () => {
    const equity = Float64Array.from({ length: 2_000 }, (_, i) => 10_000 + Math.sin(i) * 7.123456);
    const points = reportEquity(
      equity.map((_, i) => i * 3_600_000),
      equity,
    );
    assert.ok(points.length > 400 && points.length <= 500);
    for (const { time, value } of points) assert.equal(value, Math.round(equity[time / 3_600] * 100) / 100);
  });
});
