import { runBacktest } from '../../compute/backtest/engine.js';
import { figuresOf } from '../../compute/backtest/report.js';
import { flipPrice } from '../../compute/core-line/flip-price.js';
import { statesOfPairs } from '../../compute/core-line/scan-states.js';
import { computeCoreLine } from '../../compute/core-line/states.js';
import { ScratchBuffers } from '../../compute/model/scratch-buffers.js';
import { copyCandles, createCandles, sliceCandles, type Candles } from '../../compute/model/candles.js';
import { trendState } from '../../compute/strategies/trend-state.js';
import { computeTargets } from '../../compute/model/strategy.js';
import type { PairCandles } from '../../compute/task.js';
import { decidedBacktest } from '../support/jobs/decided-backtest.js';
import { makeDemoHistory } from '../../compute/demo/make-demo-history.js';
import { DemoMarket, demoStartMs, hourMs } from '../../compute/demo/demo-market.js';
import { measure, ms, percentile, printTable } from './measure.js';

const costs = { feeRate: 0.001, slippageRate: 0.0005 };

/** What a thread takes for states alone, and for a whole one-year backtest with figures and report. */
export async function benchEngine(): Promise<void> {
  const [history] = makeDemoHistory(new DemoMarket(), demoStartMs + 39_400 * hourMs);
  const year = sliceCandles(history, history.time.length - 8_760, history.time.length);
  const scratch = new ScratchBuffers();
  const rows = [['', 'p50', 'p99']];
  const add = async (title: string, work: () => unknown, times = 1_000) => {
    const durations = await measure(times, times / 2, () => {
      scratch.clear();
      work();
    });
    rows.push([title, ms(percentile(durations, 0.5)), ms(percentile(durations, 0.99))]);
  };
  for (const [title, candles] of [
    ['8,760 candles', year],
    ['39,400 candles (window: the last 8,760)', history],
  ] as const) {
    await add(`states, fills and figures, ${title}`, () => {
      const targets = computeTargets(trendState, candles, {}, scratch);
      const from = Math.max(trendState.ready({}), candles.time.length - 8_760);
      figuresOf(runBacktest(candles, targets, from, costs, scratch), 8_760, scratch);
    });
    const input = { candles, interval: '1h', period: '1y', params: {}, costs } as const;
    await add(`core line states, ${title}`, () => computeCoreLine(candles, scratch));
    await add(`core line states and flip price, ${title}`, () =>
      flipPrice(candles, computeCoreLine(candles, scratch)),
    );
    await add(`whole trend_state report, ${title}`, () =>
      decidedBacktest({ ...input, strategy: 'trend_state' }, scratch),
    );
    const params = { fast: 20, slow: 50 };
    await add(`whole ema_cross report, ${title}`, () =>
      decidedBacktest({ ...input, strategy: 'ema_cross', params }, scratch),
    );
  }
  const pairs = manyPairs(history, 100, 8_760);
  await add('scan of states, 100 pairs x 8,760 candles', () => statesOfPairs(pairs, '1h', scratch), 100);
  printTable('engine, one thread', rows);
}

/** As many pairs with candles of their own, cut from one history at different places. */
function manyPairs(history: Candles, count: number, length: number): PairCandles[] {
  const furthest = history.time.length - length;
  return Array.from({ length: count }, (_, n) => {
    const from = Math.floor((furthest * n) / count);
    const candles = createCandles(length);
    copyCandles(sliceCandles(history, from, from + length), candles, 0);
    return { asset: `A${n}`, tradeMarket: 'USDT', candles };
  });
}
