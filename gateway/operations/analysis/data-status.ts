import { tradeMarketField } from '../../../compute/model/asset-fields.js';
import { field } from '../../../compute/model/field.js';
import { intervalMs, intervals, type Interval } from '../../../compute/model/interval.js';
import type { Feed } from '../../../storage/candles/feeds.js';
import type { Series } from '../../../storage/candles/series.js';
import { networkOf } from '../../../storage/users/client-network.js';
import type { Caller, Deps } from '../../context.js';
import { rateKeysOf } from '../../limits/rate-keys.js';
import { describedOperation } from './described-operation.js';
import { utcTime } from '../../../compute/model/utc-day.js';
import { fillWords, findSeries } from './series-input.js';

/** Most gaps of an answer: the latest. */
const mostGaps = 20;

const input = {
  asset: field.nullable(
    field.text('one asset; null: all assets of the market', { maxLength: 20, means: 'asset' }),
    {
      default: null,
    },
  ),
  tradeMarket: tradeMarketField,
};

const output = {
  asset: field.nullable(field.text('asset symbol; null: the rows sum up all assets')),
  tradeMarket: tradeMarketField,
  source: field.text('market the candles come from: demo, csv, or the id of an exchange'),
  history: field.text('how far the history of the market is, in words'),
  intervals: field.list(
    'one for each interval with stored candles, the shortest first',
    field.object('the candles of an interval', {
      interval: field.choice('length of a candle', intervals),
      pairs: field.count('stored pairs'),
      lastClose: field.text('close time of the newest candle, ISO 8601'),
      lagSeconds: field.count(
        'for how long a candle after the newest has been over without being stored; 0: none is due, as always in an imported market',
      ),
      lagging: field.count('pairs without the newest candle'),
      candles: field.count('stored candles'),
      missing: field.count('missing candles between the first and the last of each pair'),
    }),
  ),
  gaps: field.list(
    `the last ${mostGaps} gaps of the 1h candles of the asset, the latest first; empty without an asset`,
    field.object('a gap', {
      from: field.text('open time of the first missing candle, ISO 8601'),
      to: field.text('open time of the first candle after it, ISO 8601'),
      missing: field.count('missing candles'),
    }),
  ),
  overdue: field.list(
    'pairs whose newest candle is overdue, and why',
    field.object('a pair', {
      asset: field.text('asset symbol'),
      since: field.text('when its first missing candle closed, ISO 8601'),
      reason: field.text('why it is missing'),
    }),
  ),
  rateLimit: field.object('your own limit', {
    limit: field.count('points of a minute'),
    remaining: field.count('points that are left'),
    resetSeconds: field.count('seconds until all points are there again'),
  }),
};

export const dataStatus = describedOperation({
  id: 'data-status',
  summary:
    'How fresh the stored candles are: newest close, lag and gaps for each interval, the source, and what is left of your rate limit.',
  input,
  output,
  errors: ['market_filling'],
  async handle({ asset, tradeMarket }, deps, caller) {
    const { settings, storage } = deps;
    const source = settings.MARKET;
    if (asset !== null) await findSeries({ asset, tradeMarket, interval: '1h' }, deps);
    const [stored, fill, feeds, rateLimit] = await Promise.all([
      storage.series.list(source),
      storage.feeds.fill(source),
      storage.feeds.list(source),
      rateLimitOf(caller, deps),
    ]);
    const isWanted = ({ base, quote }: Pick<Series, 'base' | 'quote'>) =>
      quote === tradeMarket && (asset === null || base === asset);
    const wanted = stored.filter(isWanted);
    const nowMs = source === 'csv' ? null : Date.now();
    const rows = intervals.flatMap((interval) => rowOf(interval, wanted, nowMs));
    return {
      payload: {
        asset,
        tradeMarket,
        source,
        history: fillWords(source, fill),
        rateLimit,
        intervals: rows,
        gaps: asset === null ? [] : gapsOf(wanted),
        overdue: feeds.filter(isWanted).flatMap(overdueOf),
      },
    };
  },
});

function rowOf(interval: Interval, all: readonly Series[], nowMs: number | null) {
  const series = all.filter((each) => each.interval === interval);
  if (series.length === 0) return [];
  const sum = (figure: (each: Series) => number) => series.reduce((total, each) => total + figure(each), 0);
  const last = Math.max(...series.map((each) => each.last));
  const dueMs = last + 2 * intervalMs(interval);
  return [
    {
      interval,
      pairs: series.length,
      lastClose: utcTime(last + intervalMs(interval)),
      lagSeconds: nowMs === null ? 0 : Math.max(0, Math.floor((nowMs - dueMs) / 1_000)),
      lagging: series.filter((each) => each.last < last).length,
      candles: sum(({ count }) => count),
      missing: sum(({ missing }) => missing),
    },
  ];
}

const gapsOf = (series: readonly Series[]) =>
  (series.find(({ interval }) => interval === '1h')?.gaps ?? [])
    .slice(-mostGaps)
    .reverse()
    .map(({ after, next, missing }) => ({
      from: utcTime(after + intervalMs('1h')),
      to: utcTime(next),
      missing,
    }));

const overdueOf = ({ base, stale }: Feed) =>
  stale === null ? [] : [{ asset: base, since: utcTime(stale.since), reason: stale.reason }];

/** What is left after this request. No points are spent. */
const rateLimitOf = ({ user, address }: Caller, { limits }: Deps) => {
  const network = networkOf(address);
  return limits.consume(user ? rateKeysOf(user, network) : [{ bucket: 'guest', key: network }], 0);
};
