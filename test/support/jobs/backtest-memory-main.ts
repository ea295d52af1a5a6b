import { runBacktest } from '../../../compute/backtest/engine.js';
import { figuresOf } from '../../../compute/backtest/report.js';
import { sliceCandles, type Candles } from '../../../compute/model/candles.js';
import { ScratchBuffers } from '../../../compute/model/scratch-buffers.js';
import { strategyNamed, type StrategyName } from '../../../compute/strategies/index.js';
import { computeTargets } from '../../../compute/model/strategy.js';
import { decidedBacktest } from './decided-backtest.js';
import { randomCandles } from '../candles/random-candles.js';

/**
 * A process that prints how many bytes one backtest takes beyond its candles: the task as a thread runs it (`task`: a
 * window of one year) or the engine and its figures over the whole series (`whole`). `needed`: all arrays, and what is
 * left of objects after a collection, the result and working memory held; `allocated`: with all other garbage as well.
 */
const [kind, name, count] = process.argv.slice(2);
const costs = { feeRate: 0.001, slippageRate: 0.0005 };
const strategy = strategyNamed(name as StrategyName);
const params = Object.fromEntries(Object.entries(strategy.params).map(([key, spec]) => [key, spec.default]));

function runTask(candles: Candles, scratch: ScratchBuffers): unknown {
  const input = { candles, interval: '1h', period: '1y', params, costs } as const;
  return decidedBacktest({ ...input, strategy: name as StrategyName }, scratch);
}

function runWhole(candles: Candles, scratch: ScratchBuffers): unknown {
  const targets = computeTargets(strategy, candles, params, scratch);
  return figuresOf(runBacktest(candles, targets, strategy.ready(params), costs, scratch), 8_760, scratch);
}

const work = kind === 'task' ? runTask : runWhole;

const candles = randomCandles(Number(count));
// As in a thread that has been at work, on short series and long: until it is compiled for both, code makes an object of
// every number.
const scratch = new ScratchBuffers();
const short = sliceCandles(candles, 0, 1_500);
for (const series of [short, candles, short]) {
  for (let n = 0; n < (series === short ? 300 : 1); n++) {
    scratch.clear();
    work(series, scratch);
  }
}
/** What may be left: a hundredth of the least that is measured. */
const leftBytes = 40_000;

/** Collects until hardly anything more is freed: one collection leaves work to be done beside the program. */
function collect(): void {
  let before: number;
  do {
    before = process.memoryUsage().heapUsed;
    globalThis.gc!();
  } while (process.memoryUsage().heapUsed < before - leftBytes);
}

const fresh = new ScratchBuffers();
collect();
const before = process.memoryUsage();
const result = work(candles, fresh);
const after = process.memoryUsage();
collect();
const left = process.memoryUsage();
const columns = after.arrayBuffers - before.arrayBuffers;
const needed = columns + left.heapUsed - before.heapUsed;
const allocated = columns + after.heapUsed - before.heapUsed;
if (!fresh || !result) throw new Error('the backtest gave nothing');
console.log(JSON.stringify({ needed, allocated }));
