import assert from 'node:assert/strict';
import { join } from 'node:path';
import { runBacktest, type Costs } from '../../compute/backtest/engine.js';
import { figuresOf } from '../../compute/backtest/report.js';
import { sliceCandles, type Candles } from '../../compute/model/candles.js';
import { ScratchBuffers } from '../../compute/model/scratch-buffers.js';
import { emaCross } from '../../compute/strategies/ema-cross.js';
import { trendState } from '../../compute/strategies/trend-state.js';
import { computeTargets, type Strategy } from '../../compute/model/strategy.js';
import { makeDemoHistory } from '../../compute/demo/make-demo-history.js';
import { DemoMarket, demoStartMs, hourMs } from '../../compute/demo/demo-market.js';
import { backtestMemory } from '../support/jobs/backtest-memory.js';
import { assertClose } from '../support/numbers/close-to.js';
import { projectRoot } from '../support/harness/paths.js';
import { writeColumns } from './columns-file.js';
import { contestantOf, race, type Contestant } from './contestant.js';
import { fetchedPython } from './fetched.js';
import { printTable } from './measure.js';
import { PythonProcess } from './python-process.js';
import { peerPackages } from './rules-peers.js';

/**
 * The EMA cross (20 and 50, TA-Lib's seeds) over the same candles in our engine, in backtesting.py and in vectorbt, each
 * with its figures, in one run and in turns; the trades and the equity at the end must be the same. All fill at the next
 * open, put all equity in, pay a fee of 0.1 % per side and sell what is open at the last close. Slippage is 0, since
 * backtesting.py knows it at the entry alone. Making data frames is not timed; vectorbt is compiled before.
 */
const costs: Costs = { feeRate: 0.001, slippageRate: 0 };
const peers = ['backtesting.py', 'vectorbt'];
const [hoursPerYear, rounds] = [8_760, 31];

interface Result {
  /** Candle of entry and of exit. */
  trades: [number, number][];
  equityEnd: number;
  totalReturn: number;
}

function fill<P extends string>(
  strategy: Strategy<P>,
  params: Record<P, number>,
  candles: Candles,
  scratch: ScratchBuffers,
) {
  scratch.clear();
  const targets = computeTargets(strategy, candles, params, scratch);
  return runBacktest(candles, targets, strategy.ready(params), costs, scratch);
}

function assertSame(found: Result, expected: Result, who: string): void {
  assert.deepEqual(found.trades, expected.trades, `${who}: trades`);
  assertClose(found.equityEnd, expected.equityEnd, `${who}: equity at the end`);
  assertClose(found.totalReturn, expected.totalReturn, `${who}: total return`);
}

async function benchSize(candles: Candles, folder: string): Promise<void> {
  const { open, high, low, close } = candles;
  const columns = writeColumns(`backtest-${close.length}`, [open, high, low, close]);
  const script = join(projectRoot, 'test/bench/backtest-peers.py');
  const python = new PythonProcess(script, [folder, columns, String(costs.feeRate)]);
  const scratch = new ScratchBuffers();
  const crossFills = () => fill(emaCross, { fast: 20, slow: 50 }, candles, scratch);
  const cross = () => figuresOf(crossFills(), hoursPerYear, scratch);
  const trend = () => figuresOf(fill(trendState, {}, candles, scratch), hoursPerYear, scratch);

  const run = crossFills();
  const figures = figuresOf(run, hoursPerYear, scratch);
  const own: Result = {
    trades: run.trades.map(({ entry, exit }) => [entry, exit]),
    equityEnd: run.equity[run.equity.length - 1],
    totalReturn: figures.totalReturn!,
  };
  for (const peer of peers) assertSame(JSON.parse(await python.ask(`result ${peer}`)) as Result, own, peer);

  for (let n = 0; n < 300; n++) {
    cross();
    trend();
  }
  const peer = (title: string, name = title): Contestant => ({
    title,
    time: async (_, calls) => Number(await python.ask(`time ${name} ${calls}`)),
  });
  const contestants = [
    contestantOf('ema_cross, ours', { run: cross }),
    ...peers.map((name) => peer(name)),
    contestantOf('ema_cross, ours, without figures', { run: crossFills }),
    peer('vectorbt, without figures', 'vectorbt-fills'),
    contestantOf('trend_state, ours', { run: trend }),
  ];
  const times = await race(contestants, 'run', rounds);
  python.close();
  const rows = contestants.map(({ title }, n) => [
    title,
    `${(times[n]! / 1e6).toFixed(3)} ms`,
    (times[n]! / times[0]!).toFixed(1),
  ]);
  printTable(
    `backtest with figures, ${close.length.toLocaleString('en')} candles 1h: EMA cross with fee 0.1 %, slippage 0, ` +
      `filled at the next open; ${own.trades.length} trades, total return ${own.totalReturn.toFixed(6)} %, the same in all`,
    [['', 'median', 'times ours'], ...rows],
  );
}

function benchMemory(): void {
  const rows = [['', 'needed at once', 'with garbage']];
  for (const strategy of ['trend_state', 'ema_cross'] as const)
    for (const [kind, title] of [
      ['task', 'the task, window of one year'],
      ['whole', 'engine and figures over all'],
    ] as const) {
      const { needed, allocated } = backtestMemory(kind, strategy, 525_600);
      rows.push([`${strategy}, ${title}`, `${needed.toFixed(1)} MB`, `${allocated.toFixed(1)} MB`]);
    }
  printTable('memory of a backtest beyond its 525,600 candles (25.2 MB)', rows);
}

benchMemory();
const folder = fetchedPython('backtest', peerPackages);
const [history] = makeDemoHistory(new DemoMarket(), demoStartMs + 39_400 * hourMs);
const { length } = history.time;
await benchSize(sliceCandles(history, length - hoursPerYear, length), folder);
await benchSize(history, folder);
