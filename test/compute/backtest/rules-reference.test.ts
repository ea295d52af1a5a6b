import assert from 'node:assert/strict';
import { figuresOf } from '../../../compute/backtest/report.js';
import { reportRuleTrades } from '../../../compute/backtest/rules-report.js';
import { candlesPerYear, intervalMs, type Interval } from '../../../compute/model/interval.js';
import { resampleCandles } from '../../../compute/model/resample.js';
import type { Candles } from '../../../compute/model/candles.js';
import { describeWithSharedData, sharedCandles, sharedJson } from '../../support/candles/shared-data.js';
import { runRules } from '../../support/rules/run-rules.js';

interface Case {
  name: string;
  assets: string[];
  interval: Interval;
  from?: string;
  to?: string;
  params?: Record<string, number>;
  strategy: object;
  maxPositions?: number;
  rankBy?: string;
  feePercent?: number;
  slippagePercent?: number;
  shortCostPercentPerDay?: number;
  expected: Record<string, number | object> & {
    window: { from: string; to: string };
    candles: number;
    entries: object;
    trades: (string | number)[][];
  };
}

const near = (found: number | null, expected: number, what: string) => {
  const isNear = found !== null && Math.abs(found - expected) <= 1e-6 * Math.abs(expected) + 1e-12;
  assert.ok(isNear, `${what}: found ${found}, expected ${expected}`);
};

describeWithSharedData('rules, against shared/data/reference/strategies.json', () => {
  const { cases } = sharedJson('reference/strategies.json') as { cases: Case[] };
  for (const each of cases)
    it(`trades as the independent implementation: ${each.name}`, () => {
      const { assets, interval, expected } = each;
      const candles = Object.fromEntries(assets.map((asset) => [asset, candlesFrom1h(asset, interval)]));
      const result = runRules(
        each.strategy,
        candles,
        interval,
        {
          fromMs: each.from === undefined ? null : Date.parse(each.from),
          toMs: each.to === undefined ? null : Date.parse(each.to),
          costs: {
            feeRate: (each.feePercent ?? 0.1) / 100,
            slippageRate: (each.slippagePercent ?? 0.05) / 100,
          },
          shortCostPercentPerDay: each.shortCostPercentPerDay ?? 0,
          maxPositions: each.maxPositions ?? assets.length,
          rankBy: each.rankBy ?? null,
        },
        each.params,
      );
      const { run } = result;
      const trades = reportRuleTrades(run.trades, result.assets);
      trades.forEach((trade, n) => {
        Object.values(trade).forEach((value, k) => {
          const wanted = expected.trades[n]?.[k];
          if (typeof value === 'number')
            near(value, wanted as number, `trade ${n}, ${Object.keys(trade)[k]}`);
          else assert.equal(value, wanted, `trade ${n}, ${Object.keys(trade)[k]}`);
        });
      });
      assert.equal(trades.length, expected.trades.length);
      assert.deepEqual(run.entries, expected.entries);
      assert.equal(run.time.length, expected.candles);
      assert.equal(run.time[0], Date.parse(expected.window.from));
      assert.equal(run.time[run.time.length - 1] + intervalMs(interval), Date.parse(expected.window.to));
      for (const [name, value] of Object.entries(figuresOf(run, candlesPerYear(interval))))
        near(value, expected[name] as number, name);
    });
});

/** As the reference was made: 4h and 1d are resampled from the 1h file. */
function candlesFrom1h(asset: string, interval: Interval): Candles {
  const hours = sharedCandles(`${asset}_USDT`, '1h');
  if (interval === '1h') return hours;
  const { time } = hours;
  const endMs = time[time.length - 1] + intervalMs('1h');
  return resampleCandles(hours, { bucketMs: intervalMs(interval), firstMs: time[0], endMs });
}
