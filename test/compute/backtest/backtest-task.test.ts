import assert from 'node:assert/strict';
import { AppError } from '../../../compute/model/errors.js';
import { intervalMs, type Interval, type Period } from '../../../compute/model/interval.js';
import { ScratchBuffers } from '../../../compute/model/scratch-buffers.js';
import { sliceCandles, type Candles } from '../../../compute/model/candles.js';
import type { StrategyName } from '../../../compute/strategies/index.js';
import { decidedBacktest } from '../../support/jobs/decided-backtest.js';
import type { BacktestTaskInput } from '../../../compute/backtest/backtest-task.js';
import { demoCandles } from '../../support/candles/demo-candles.js';
import { randomCandles } from '../../support/candles/random-candles.js';

const run = (
  candles: Candles,
  period: Period,
  given: Partial<BacktestTaskInput> = {},
  scratch?: ScratchBuffers,
) =>
  decidedBacktest(
    {
      candles,
      interval: '1d',
      period,
      strategy: 'buy_and_hold',
      params: {},
      costs: { feeRate: 0.001, slippageRate: 0.0005 },
      ...given,
    },
    scratch,
  );

/** Candles without a gap, the first opening at `from`, the last closing at `to`. */
function between(from: string, to: string, interval: Interval = '1d'): Candles {
  const [startMs, endMs, stepMs] = [Date.parse(from), Date.parse(to), intervalMs(interval)];
  return randomCandles((endMs - startMs) / stepMs, { startMs, stepMs });
}

const day = (text: string) => `${text}T00:00:00.000Z`;

describe('the window of a backtest', () => {
  const examples: [last: string, period: Period, from: string][] = [
    ['2024-07-15', '3M', '2024-04-15'],
    ['2024-08-31', '6M', '2024-02-29'],
    ['2023-08-31', '6M', '2023-02-28'],
    ['2024-05-31', '3M', '2024-02-29'],
    ['2024-02-29', '1y', '2023-02-28'],
    ['2025-02-28', '1y', '2024-02-28'],
  ];
  for (const [last, period, from] of examples)
    it(`of ${period} that ends ${last} begins ${from}`, () => {
      const { window, candles, notes, equity } = run(between('2022-01-01', last), period);
      assert.deepEqual(window, { from: day(from), to: day(last) });
      assert.equal(candles, (Date.parse(last) - Date.parse(from)) / 86_400_000);
      assert.deepEqual([equity[0].time, equity.length], [Date.parse(from) / 1_000, candles]);
      assert.ok(!notes.some((note) => note.startsWith('history')));
    });

  it('is counted from the close of the last candle, not from its open', () => {
    const { window } = run(between('2024-01-01', '2024-09-30T04:00Z', '4h'), '3M', { interval: '4h' });
    assert.deepEqual(window, { from: '2024-06-30T04:00:00.000Z', to: '2024-09-30T04:00:00.000Z' });
  });

  it('begins with the first candle after a gap that holds its start', () => {
    const candles = between('2023-01-01', '2024-07-15');
    const index = candles.time.indexOf(Date.parse('2024-04-10'));
    for (let i = 0; i < index; i++) candles.time[i] -= 86_400_000 * 30;
    candles.time.set(
      candles.time.subarray(index).map((time) => time + 86_400_000 * 20),
      index,
    );
    // Ends 2024-08-04, starts 2024-05-04; the gap reaches from 2024-03-10 to 2024-04-30.
    assert.equal(run(candles, '3M').window.from, day('2024-05-04'));
    candles.time.set(candles.time.subarray(index + 10), index);
    const cut = sliceCandles(candles, 0, candles.time.length - 10);
    assert.equal(cut.time[index], Date.parse('2024-05-10'));
    assert.equal(run(cut, '3M').window.from, day('2024-05-10'));
  });

  it('needs no note when history begins on its very first candle, and one when it begins a candle later', () => {
    assert.deepEqual(
      run(between('2024-04-15', '2024-07-15'), '3M').notes.filter((note) => note.startsWith('history')),
      [],
    );
    const late = run(between('2024-04-16', '2024-07-15'), '3M');
    assert.equal(late.notes[0], 'history is shorter than 3M: the window starts 2024-04-16T00:00:00.000Z');
    assert.equal(late.window.from, day('2024-04-16'));
  });

  it('begins where the strategy is ready when history is short, and says so', () => {
    const candles = between('2024-01-01', '2024-05-01');
    const cases: [StrategyName, Record<string, number>, number][] = [
      ['trend_state', {}, 60],
      ['ema_cross', { fast: 20, slow: 50 }, 49],
      ['ema_cross', { fast: 40, slow: 30 }, 39],
      ['buy_and_hold', {}, 0],
    ];
    for (const [strategy, params, ready] of cases) {
      const from = new Date(candles.time[ready]).toISOString();
      const result = run(candles, '1y', { strategy, params });
      assert.deepEqual([result.window.from, result.candles], [from, 121 - ready]);
      assert.equal(result.notes[0], `history is shorter than 1y: the window starts ${from}`);
    }
  });

  it('begins where the strategy is ready, with a note, when history reaches back but not far enough to decide', () => {
    const candles = between('2024-04-01', '2024-07-15');
    const { window, notes } = run(candles, '3M', { strategy: 'trend_state' });
    assert.equal(window.from, new Date(candles.time[60]).toISOString());
    assert.equal(notes[0], `history is shorter than 3M: the window starts ${window.from}`);
  });

  it('may be a single candle', () => {
    const { candles, tradeCount, totalReturn, sharpe, lookAheadCheck, equity } = run(
      between('2024-01-01', '2024-03-02'),
      '3M',
      { strategy: 'trend_state' },
    );
    assert.deepEqual([candles, tradeCount, totalReturn, sharpe], [1, 0, 0, null]);
    assert.deepEqual(lookAheadCheck, { candles: 1, differences: 0 });
    assert.deepEqual(equity, [
      { time: Date.parse('2024-03-01') / 1_000, value: 10_000, benchmark: 10_000, drawdownPercent: 0 },
    ]);
  });
});

describe('backtest task', () => {
  it('throws not_enough_history when the strategy is never ready', () => {
    const short = between('2024-01-01', '2024-03-01');
    for (const [count, strategy, needed] of [
      [60, 'trend_state', 61],
      [0, 'trend_state', 61],
      [0, 'buy_and_hold', 1],
    ] as const)
      assert.throws(
        () => run(sliceCandles(short, 0, count), '3M', { strategy }),
        (error: AppError) => {
          assert.ok(error instanceof AppError);
          assert.deepEqual([error.code, error.details], ['not_enough_history', { needed, found: count }]);
          assert.equal(error.message, `${strategy} needs ${needed} closed 1d candles, found ${count}`);
          return true;
        },
      );
  });

  it('gives the same bytes for the same input, in fresh memory and in used', () => {
    const scratch = new ScratchBuffers();
    const candles = demoCandles('SOL_USDT', '4h');
    const given = { interval: '4h', strategy: 'trend_state' } as const;
    const bytes = JSON.stringify(run(candles, '1y', given));
    run(
      demoCandles('BTC_USDT', '1d'),
      '1y',
      { strategy: 'ema_cross', params: { fast: 20, slow: 50 } },
      scratch,
    );
    for (let n = 0; n < 3; n++) {
      scratch.clear();
      assert.equal(JSON.stringify(run(candles, '1y', given, scratch)), bytes);
    }
    assert.equal(JSON.stringify(run(candles, '1y', { ...given })), bytes);
  });

  it('has no number in its result that JSON lacks', () => {
    for (const count of [61, 62, 63, 90, 300]) {
      const candles = randomCandles(count, { stepMs: 86_400_000 });
      const result = run(candles, '6M', { strategy: 'trend_state' });
      assert.deepEqual(JSON.parse(JSON.stringify(result)), result);
    }
  });

  it('measures a benchmark that buys and holds the same window at the same costs', () => {
    const candles = demoCandles('SOL_USDT', '1d');
    const held = run(candles, '6M');
    const { benchmark } = run(candles, '6M', { strategy: 'trend_state' });
    const { totalReturn, maxDrawdown, maxDrawdownIntrabarPercent, sharpe, trades } = held;
    assert.deepEqual(benchmark, { totalReturn, maxDrawdown, maxDrawdownIntrabarPercent, sharpe });
    assert.deepEqual(
      trades.map(({ exitReason }) => exitReason),
      ['end'],
    );
  });

  it('states what it assumed', () => {
    const costs = { feeRate: 0.002, slippageRate: 0 };
    assert.deepEqual(run(demoCandles('SOL_USDT', '1d'), '3M', { costs }).assumptions, {
      feePercent: 0.2,
      feeReason: 'as given in feePercent',
      slippagePercent: 0,
      initialEquity: 10_000,
      fill: 'open of the next candle',
      riskFreePercent: 0,
      candlesPerYear: 365,
    });
  });
});
