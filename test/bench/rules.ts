import { reportRules } from '../../compute/backtest/rules-report.js';
import { accountOf } from '../../compute/backtest/trade-rules-task.js';
import { tradeRules } from '../../compute/backtest/trade-rules.js';
import { DemoMarket, demoStartMs, hourMs } from '../../compute/demo/demo-market.js';
import { makeDemoHistory } from '../../compute/demo/make-demo-history.js';
import { sliceCandles, type Candles } from '../../compute/model/candles.js';
import { ScratchBuffers } from '../../compute/model/scratch-buffers.js';
import { decideRulesAlone } from '../../compute/rules/decide-rules.js';
import { parseStrategy } from '../../compute/rules/parse-strategy.js';
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
  const scratch = new ScratchBuffers();
  const rules = parseStrategy(strategy, { interval: '1h' });
  const run = (all: readonly Candles[]) => {
    scratch.clear();
    const assets = all.map((candles, n) => ({
      asset: `A${n}`,
      candles,
      decisions: decideRulesAlone(rules, null, candles, '1h', scratch),
    }));
    const settings = { ...plainSettings, maxPositions: all.length };
    const account = accountOf(rules, settings, '1h');
    const traded = tradeRules(assets, account, all[0].time[50], scratch);
    return reportRules(
      {
        ...{ assets, account, rules, interval: '1h', run: traded, windowNote: null },
        assumptions: {
          ...{
            feePercent: 0.1,
            feeReason: '',
            slippagePercent: 0.05,
            shortCostPercentPerDay: 0,
            rankBy: null,
          },
        },
        lookAheadCheck: { candles: 20, runs: 3, differences: 0 },
      },
      scratch,
    );
  };
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
  printTable(
    'rules: EMA 20/50 and RSI with stop and target, decided, traded and reported in one thread',
    rows,
  );
}

/** The same candles, moved in time: all assets end at the same time. */
const shifted = (candles: Candles, hours: number): Candles => ({
  ...candles,
  time: candles.time.map((time) => time + hours * hourMs),
});
