import assert from 'node:assert/strict';
import type { Run, Trade } from '../../../compute/backtest/engine.js';
import {
  benchmarkOf,
  figuresOf,
  noteNulls,
  reportEquity,
  reportMonths,
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
    const time = equity.map((_, i) => i * 3_600_000);
    const points = reportEquity({ time, equity, benchmark: equity.map((value, i) => value + i) });
    assert.ok(points.length > 400 && points.length <= 500);
    const hundredths = (value: number) => Math.round(value * 100) / 100;
    for (const { time: at, value, benchmark, drawdownPercent } of points) {
      const i = at / 3_600;
      const peak = Math.max(...equity.subarray(0, i + 1));
      assert.deepEqual(
        [value, benchmark, drawdownPercent],
        [hundredths(equity[i]), hundredths(equity[i] + i), hundredths((equity[i] / peak - 1) * 100)],
      );
    }
  });
});

describe('reportMonths', () => {
  const hourMs = 3_600_000;

  it('chains to the whole return, a month for each that has candles, the first from the start', () => {
    const from = Date.UTC(2023, 11, 31, 22);
    const time = Float64Array.from({ length: 24 * 40 }, (_, i) => from + i * hourMs);
    const equity = time.map((_, i) => 10_000 + Math.sin(i / 50) * 800);
    const benchmark = time.map((_, i) => 9_990 + i);
    const months = reportMonths({ time, equity, benchmark }, 10_000);
    assert.deepEqual(
      months.map(({ month }) => month),
      ['2023-12', '2024-01', '2024-02'],
    );
    // The last candle of January opens on the 31st at 23:00 and closes as February begins.
    const endOf = (month: number) => time.findLastIndex((ms) => ms < Date.UTC(2024, month, 1));
    const change = (curve: Float64Array, from: number | null, to: number) =>
      Math.round((curve[to] / (from === null ? 10_000 : curve[from]) - 1) * 10_000) / 100;
    for (const [n, { returnPercent, benchmarkPercent }] of months.entries()) {
      const places = [n === 0 ? null : endOf(n - 1), endOf(n)] as const;
      assert.deepEqual(
        [returnPercent, benchmarkPercent],
        [change(equity, ...places), change(benchmark, ...places)],
      );
    }
  });

  it('is empty without candles', () => {
    const none = new Float64Array(0);
    assert.deepEqual(reportMonths({ time: none, equity: none, benchmark: none }, 10_000), []);
  });
});
