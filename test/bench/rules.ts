import { figuresOf } from '../../compute/backtest/report.js';
import { reportRules } from '../../compute/backtest/rules-report.js';
import { accountOf } from '../../compute/backtest/trade-rules-task.js';
import { tradeRules } from '../../compute/backtest/trade-rules.js';
import { DemoMarket, demoStartMs, hourMs } from '../../compute/demo/demo-market.js';
import { writeColumns } from './columns-file.js';
import { fetchedPython } from './fetched.js';
import { PythonProcess } from './python-process.js';
import { peerPackages, peerStrategy } from './rules-peers.js';
import { join } from 'node:path';
import { projectRoot } from '../support/harness/paths.js';
import { sweepRulesTask } from '../../compute/backtest/sweep-rules-task.js';
import { makeDemoHistory } from '../../compute/demo/make-demo-history.js';
import { sliceCandles, type Candles } from '../../compute/model/candles.js';
import { ScratchBuffers } from '../../compute/model/scratch-buffers.js';
import { decideRulesAlone } from '../../compute/rules/decide-rules.js';
import { parseStrategy } from '../../compute/rules/parse-strategy.js';
import type { StrategyRules } from '../../compute/rules/strategy-rules.js';
import { plainSettings } from '../support/rules/run-rules.js';
import { measure, ms, percentile, printTable } from './measure.js';

const strategy = {
  long: {
    entry: {
      all: [
        { left: 'ema_20', op: 'crosses_above', right: 'ema_50' },
        { left: 'rsi_14', op: '<', right: 70 },
      ],
    },
    exit: { left: 'ema_20', op: 'crosses_below', right: 'ema_50' },
    stopLoss: { percent: 3 },
    takeProfit: { percent: 6 },
  },
};

/** What a thread takes to decide, trade and report a trader's own rules, without the look-ahead check. */
export async function benchRules(): Promise<void> {
  const [history] = makeDemoHistory(new DemoMarket(), demoStartMs + 43_800 * hourMs);
  const rules = parseStrategy(strategy, { interval: '1h' });
  const run = (all: readonly Candles[]) => runOnce(rules, all, true);
  const last = (count: number, before = 0) =>
    sliceCandles(history, history.time.length - count - before, history.time.length - before);
  const ten = Array.from({ length: 10 }, (_, n) => shifted(last(26_280, n * 1_000), n * 1_000));
  const rows = [['', 'p50', 'p99', 'goal']];
  for (const [title, goal, candles, times] of [
    ['8,760 candles', '1.0 ms', [last(8_760)], 500],
    ['43,800 candles', '4.5 ms', [history], 200],
    ['10 assets x 26,280 candles in one account', '40 ms', ten, 40],
  ] as const) {
    const taken = await measure(times, times / 2, () => run(candles));
    rows.push([title, ms(percentile(taken, 0.5)), ms(percentile(taken, 0.99)), goal]);
  }
  const swept = await measure(5, 2, () => sweep(last(8_760)));
  rows.push([
    'sweep of 1,000 x 8,760 candles',
    ms(percentile(swept, 0.5)),
    ms(percentile(swept, 0.99)),
    '1000 ms',
  ]);
  printTable(
    'rules: EMA 20/50 and RSI with stop and target, decided, traded and reported in one thread',
    rows,
  );
  for (const candles of [last(8_760), history]) await benchRulePeers(candles);
}

const scratch = new ScratchBuffers();

/** Decides, trades, and computes the whole report, or the figures alone. */
function runOnce(rules: StrategyRules, all: readonly Candles[], isWhole: boolean): unknown {
  scratch.clear();
  const assets = all.map((candles, n) => ({
    asset: `A${n}`,
    candles,
    decisions: decideRulesAlone(rules, null, candles, '1h', scratch),
  }));
  const account = accountOf(rules, { ...plainSettings, maxPositions: all.length }, '1h');
  const run = tradeRules(assets, account, all[0].time[50], scratch);
  if (!isWhole) return [run.trades, run.equity, figuresOf(run, account.perYear, scratch)];
  const about = {
    windowNote: null,
    assumptions: {
      feePercent: 0.1,
      feeReason: '',
      slippagePercent: 0.05,
      shortCostPercentPerDay: 0,
      rankBy: null,
    },
    lookAheadCheck: { candles: 20, runs: 3, differences: 0 },
  };
  return reportRules({ assets, account, rules, interval: '1h', run, ...about }, scratch);
}

/**
 * The same rules, long only, in other engines: CPU time, in turns. "trades and figures" is what vectorbt is asked for: trades,
 * equity and nine figures of them. backtesting.py makes a table of trades, of equity and some 30 figures; the whole report of ours has
 * also buy and hold on every candle, months, groups of trades and 500 points of equity. rules-peers.py says what differs.
 */
async function benchRulePeers(candles: Candles): Promise<void> {
  const folder = fetchedPython('backtest', peerPackages);
  const { open, high, low, close } = candles;
  const columns = writeColumns(`rules-${close.length}`, [open, high, low, close]);
  const python = new PythonProcess(join(projectRoot, 'test/bench/rules-peers.py'), [folder, columns]);
  const peers = ['vectorbt', 'backtesting.py'];
  const calls: Record<string, number> = { vectorbt: 5, 'backtesting.py': 1 };
  const own = { 'ours: trades and figures': false, 'ours: whole report': true };
  const longs = parseStrategy({ long: peerStrategy.long }, { interval: '1h' });
  const names = [...Object.keys(own), ...peers];
  const times = new Map<string, number[]>(names.map((name) => [name, []]));
  for (const isWhole of Object.values(own)) cpuMs(() => runOnce(longs, [candles], isWhole), 200);
  for (const name of peers) await python.ask(`time ${name} 1`);
  for (let round = 0; round < 7; round++) {
    for (const [name, isWhole] of Object.entries(own))
      times.get(name)!.push(cpuMs(() => runOnce(longs, [candles], isWhole), 100));
    for (const name of peers)
      times.get(name)!.push(Number(await python.ask(`time ${name} ${calls[name]}`)) / 1e6);
  }
  python.close();
  const median = (name: string) => percentile(times.get(name)!, 0.5);
  printTable(`the same rules elsewhere, ${close.length.toLocaleString('en')} candles, CPU time`, [
    ['', 'median', ...Object.keys(own).map((name) => `times ${name}`)],
    ...names.map((name) => [
      name,
      ms(median(name)),
      ...Object.keys(own).map((mine) => (median(name) / median(mine)).toFixed(1)),
    ]),
  ]);
}

/** The CPU time of one of so many calls, in ms. */
function cpuMs(call: () => unknown, calls: number): number {
  const before = process.cpuUsage();
  for (let n = 0; n < calls; n++) call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / calls;
}

/** 1,000 combinations of fast, slow and RSI level, in the parts that jobs are. */
function sweep(candles: Candles): void {
  const [level] = [{ default: 70, min: 55, max: 100, step: 5 }];
  const span = { default: 20, min: 5, max: 500, step: 5 };
  const all = strategy.long.entry.all;
  const swept = {
    params: { fast: span, slow: span, level },
    long: {
      ...strategy.long,
      entry: {
        all: [
          { ...all[0], left: 'ema_{fast}', right: 'ema_{slow}' },
          { ...all[1], right: '{level}' },
        ],
      },
      exit: { ...strategy.long.exit, left: 'ema_{fast}', right: 'ema_{slow}' },
    },
  };
  const ten = (first: number, step: number) => Array.from({ length: 10 }, (_, n) => first + n * step);
  const combinations = ten(5, 5).flatMap((fast) =>
    ten(60, 10).flatMap((slow) => ten(55, 5).map((level) => ({ fast, slow, level }))),
  );
  for (let first = 0; first < combinations.length; first += 50)
    sweepRulesTask.run({
      ...{ candles, interval: '1h' },
      params: {
        ...{ strategy: swept, settings: plainSettings, first, tried: combinations.length },
        ...{ combinations: combinations.slice(first, first + 50), fromMs: candles.time[160] },
        ...{ rankBy: 'sharpe', keep: 20, checkSeed: null },
      },
    });
}

/** The same candles, moved in time: all assets end at the same time. */
const shifted = (candles: Candles, hours: number): Candles => ({
  ...candles,
  time: candles.time.map((time) => time + hours * hourMs),
});
