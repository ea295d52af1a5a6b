import { randomUUID } from 'node:crypto';
import { compare, mostCombinations, type Comparison } from '../../compute/backtest/compare.js';
import { costsOf, defaultCosts } from '../../compute/backtest/trading-costs.js';
import { holmOrNull, significance } from '../../compute/metrics/holm.js';
import { luckiestSharpe, skilllessDeviation } from '../../compute/metrics/luckiest-sharpe.js';
import {
  candlesPerYear,
  intervalMs,
  intervals,
  periods,
  type Interval,
  type Period,
} from '../../compute/model/interval.js';
import { strategyNames } from '../../compute/strategies/index.js';
import type { Leaderboard, LeaderboardRow } from '../../storage/candles/leaderboards.js';
import { versionOf, type Series } from '../../storage/candles/series.js';
import { analysisJob } from '../definitions/shared/analysis-job.js';
import { defineSchedule, type ScheduleTools } from './worker/schedule.js';
import { forEach } from './for-each.js';

const boards = intervals.flatMap((interval) => periods.map((period) => ({ interval, period })));
const costs = costsOf(defaultCosts);
const strategies = strategyNames.map((name) => ({ name, params: {} }));

/** The number of pairs that one job compares. */
const chunkPairs = Math.max(1, Math.floor(mostCombinations / strategies.length));
const concurrency = 1;

/** Every night: the result of each strategy on each pair of the market over each period, on every interval. */
export const rankStrategiesSchedule = defineSchedule({
  name: 'rank-strategies',
  summary: 'backtests every strategy on every pair over 3, 6 and 12 months and stores the leaderboards',
  pattern: '0 0 3 * * *',
  limitMs: 1_800_000,
  async run(tools, signal) {
    const { MARKET: market } = tools.settings;
    const all = await tools.storage.series.list(market);
    const notes: string[] = [];
    for (const { interval, period } of boards) {
      const series = all.filter((each) => each.interval === interval);
      const { rows, refused } = await rank(series, { interval, period }, tools, signal);
      const asOf = Math.max(0, ...series.map(({ last }) => last)) + intervalMs(interval);
      const leaderboard: Leaderboard = {
        market,
        interval,
        period,
        costs,
        refused,
        rows: judgeRows(rows).sort(byMerit),
        luckiestSharpe: luckiestOf(rows, interval),
        asOf: new Date(asOf).toISOString(),
        computedAt: new Date(),
      };
      await tools.lease.confirm();
      if (series.length > 0) await tools.storage.leaderboards.put(leaderboard, tools.lease.token);
      notes.push(`${interval} ${period}: ${rows.length} ranked, ${refused} refused`);
    }
    return notes.join('; ');
  },
});

async function rank(
  series: readonly Series[],
  { interval, period }: { interval: Interval; period: Period },
  { settings, queues }: ScheduleTools,
  signal: AbortSignal,
): Promise<{ rows: TestedRow[]; refused: number }> {
  const rows: TestedRow[] = [];
  let refused = 0;
  const options = { traceId: `rank-${randomUUID()}`, owner: 'schedule', signal };
  await forEach(chunksOf(series), concurrency, async (chunk) => {
    const [{ quote: tradeMarket }] = chunk;
    const assets = chunk.map(({ base }) => base);
    const payload = {
      market: settings.MARKET,
      tradeMarket,
      interval,
      assets,
      version: versionOf(chunk),
      params: { assets, strategies, period, exchange: null, ...defaultCosts },
    };
    const { result } = await queues.run(analysisJob(compare), payload, options);
    rows.push(...result.runs.map((run) => rowOf(run, tradeMarket)));
    refused += result.refused.length;
  });
  return { rows, refused };
}

/** Chunks of pairs; the pairs of a chunk have the same quote currency. */
function chunksOf(series: readonly Series[]): Series[][] {
  const quotes = new Set(series.map(({ quote }) => quote));
  return [...quotes].flatMap((quote) => {
    const pairs = series.filter((each) => each.quote === quote);
    const count = Math.ceil(pairs.length / chunkPairs);
    return Array.from({ length: count }, (_, n) => pairs.slice(n * chunkPairs, (n + 1) * chunkPairs));
  });
}

/** A row with its probabilities, before these are corrected for the number of rows. */
interface TestedRow {
  row: Omit<LeaderboardRow, 'significant'>;
  pValue: number | null;
  excessPValue: number | null;
}

/** Corrects for all rows: a comparison knows only those of its chunk. */
function judgeRows(rows: readonly TestedRow[]): LeaderboardRow[] {
  const adjusted = holmOrNull(rows.map(({ pValue }) => pValue));
  const adjustedExcess = holmOrNull(rows.map(({ excessPValue }) => excessPValue));
  const isLow = (p: number | null) => p !== null && p < significance;
  return rows.map(({ row }, n) => ({ ...row, significant: isLow(adjusted[n]) && isLow(adjustedExcess[n]) }));
}

function luckiestOf(rows: readonly TestedRow[], interval: Interval): number {
  const counts = rows
    .filter(({ row }) => row.sharpe !== null)
    .map(({ row: { from, to } }) => (Date.parse(to) - Date.parse(from)) / intervalMs(interval) - 1);
  if (counts.length === 0) return 0;
  return luckiestSharpe(counts.length, skilllessDeviation(counts)) * Math.sqrt(candlesPerYear(interval));
}

const rowOf = (run: Comparison['runs'][number], tradeMarket: string): TestedRow => ({
  row: {
    asset: run.asset,
    tradeMarket,
    strategy: run.strategy,
    totalReturn: run.totalReturn,
    sharpe: run.sharpe,
    maxDrawdown: run.maxDrawdown,
    tradeCount: run.tradeCount,
    outOfSampleReturn: run.outOfSampleReturn,
    excessReturn: run.excessReturn,
    ...run.window,
  },
  pValue: run.pValue,
  excessPValue: run.excessPValue,
});

const nameOf = ({ asset, tradeMarket, strategy }: TestedRow['row']) => `${asset}/${tradeMarket} ${strategy}`;

/** Orders rows by Sharpe ratio and then return, highest first, rows without one last; equal rows alphabetically. */
export function byMerit(one: LeaderboardRow, other: LeaderboardRow): number {
  for (const figure of ['sharpe', 'totalReturn'] as const) {
    const [left, right] = [one[figure] ?? -Infinity, other[figure] ?? -Infinity];
    if (left !== right) return left > right ? -1 : 1;
  }
  return nameOf(one) < nameOf(other) ? -1 : 1;
}
