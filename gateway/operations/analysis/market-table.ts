import { createHash } from 'node:crypto';
import { analysisNamed } from '../../../compute/analyses.js';
import { assetNames } from '../../../compute/model/asset-names.js';
import { trendStates } from '../../../compute/model/core-line.js';
import { field, type Value } from '../../../compute/model/field.js';
import { intervals } from '../../../compute/model/interval.js';
import { utcTime } from '../../../compute/model/utc-day.js';
import { nullReason } from '../../../compute/model/null-reason.js';
import { LatestPrices } from '../../../storage/candles/latest-prices.js';
import { quoteCurrency } from '../../../storage/candles/pegged.js';
import { seriesId, type Series } from '../../../storage/candles/series.js';
import { boundedCache } from '../../../storage/process/bounded-cache.js';
import type { Deps } from '../../context.js';
import { analysisOperation } from './analysis-operation.js';
import { describedOperation } from './described-operation.js';

/** A week of candles of 4 hours. */
const shownCloses = 42;

const input = {
  interval: field.choice('length of the candles whose state is shown', intervals, { default: '1d' }),
};

const row = field.object('an asset', {
  asset: field.text('asset symbol'),
  name: field.nullable(field.text('name of the asset; null for a little-known one')),
  state: field.nullable(field.choice('trend state; null where the history is too short', trendStates)),
  since: field.nullable(
    field.text('open time of the candle since which it holds, ISO 8601; null without a state'),
  ),
  daysInState: field.nullable(field.number('days since then; null without a state', { unit: 'days' })),
  price: field.nullable(field.number('last price; null where none is known yet', { unit: 'quote' })),
  change24h: field.nullable(
    field.number('change over the last 24 hours; null where the history is shorter', { unit: 'percent' }),
  ),
  volume24h: field.nullable(
    field.number('volume of the last 24 hours; null where the history is shorter', { unit: 'quote' }),
  ),
  closes: field.list(
    'the last closes of candles of 4 hours, a week of them, the oldest first',
    field.number('close', { unit: 'quote' }),
    { max: shownCloses },
  ),
  reason: nullReason,
});

const output = {
  interval: input.interval,
  source: field.text('market the candles come from'),
  asOf: field.text('time of the newest price, ISO 8601'),
  assets: field.list('every asset traded against USDT, the largest volume of 24 hours first', row),
};

const scan = analysisOperation(analysisNamed('scan-states'));

/** The closes of series by id; the digest says which candles they were read from. */
const cachedCloses = boundedCache<{ digest: string; closes: number[] }>(5_000);

export const marketTable = describedOperation({
  id: 'market-table',
  summary:
    'Every asset with its trend state, last price, change and volume of 24 hours, and a week of closes.',
  hasEtag: true,
  errors: ['not_enough_history', 'market_filling'],
  input,
  output,
  async handle({ interval }, deps, caller) {
    const { settings, storage, redis } = deps;
    const market = settings.MARKET;
    const asked = {
      interval,
      tradeMarket: quoteCurrency,
      state: null,
      sort: 'volume',
      limit: null,
      cursor: null,
    };
    const [{ payload, ttl }, series] = await Promise.all([
      scan.handle(asked, deps, caller),
      storage.series.traded(market, quoteCurrency, '4h'),
    ]);
    const { states, asOf: closedAt } = payload as { states: Value<typeof row>[]; asOf: string };
    const [prices, closes] = await Promise.all([
      new LatestPrices(storage, redis).find(
        market,
        states.map(({ asset }) => asset),
      ),
      closesOf(series, deps),
    ]);
    const newestMs = Math.max(...[...prices.values()].map(({ time }) => time));
    const assets = states.map(({ asset, state, since, daysInState, change24h, volume24h, reason }) => ({
      asset,
      name: Object.hasOwn(assetNames, asset) ? assetNames[asset] : null,
      state,
      since,
      daysInState,
      price: prices.get(asset)?.price ?? null,
      change24h: prices.get(asset)?.change24hPercent ?? change24h,
      volume24h,
      closes: closes.get(asset) ?? [],
      reason,
    }));
    const table = { interval, source: market, asOf: prices.size > 0 ? utcTime(newestMs) : closedAt, assets };
    return {
      payload: table,
      ttl: market === 'csv' ? (ttl ?? 0) : Math.min(ttl ?? 0, settings.MARKET_TICK_SECONDS),
      etag: createHash('sha256').update(JSON.stringify(table)).digest('hex').slice(0, 32),
    };
  },
});

/** The last closes of several series, by asset. A series is read when a candle of it has closed since. */
async function closesOf(
  series: readonly Series[],
  { storage }: Pick<Deps, 'storage'>,
): Promise<Map<string, number[]>> {
  const found = series.map(async (each): Promise<[string, number[]]> => {
    const id = seriesId(each);
    const cached = cachedCloses.get(id);
    if (cached?.digest === each.digest) return [each.base, cached.closes];
    const { close } = await storage.candles.last(each, shownCloses);
    const closes = [...close];
    cachedCloses.set(id, { digest: each.digest, closes });
    return [each.base, closes];
  });
  return new Map(await Promise.all(found));
}
