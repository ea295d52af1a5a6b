import { assetField, tradeMarketField, assetList } from '../../../compute/model/asset-fields.js';
import { AppError } from '../../../compute/model/errors.js';
import { plainNumber } from '../../../compute/model/format-number.js';
import { intervalMs } from '../../../compute/model/interval.js';
import { objectSchema } from '../../../jobs/definitions/shared/field-schema.js';
import { Prices } from '../../../storage/candles/prices.js';
import type { Pair } from '../../../storage/candles/series.js';
import type { Settings } from '../../../storage/process/settings.js';
import type { Deps } from '../../context.js';
import { defineOperation } from '../../operation.js';
import { utcTime } from '../../../compute/model/utc-day.js';
import { date, text, answerOf } from '../output-fields.js';
import { findSeries, type SeriesFieldNames } from './series-input.js';
import { field } from '../../../compute/model/field.js';
import { nullReasonOf } from '../../../compute/model/null-reason.js';
import { lastDay } from '../../../compute/model/last-day.js';
import type { Price } from '../../../compute/model/price.js';
import { describedOperation } from './described-operation.js';
import type { PairSymbols } from '../../../compute/model/market-pair.js';

/** The last price of a pair, some seconds old at most. Time stands still in an imported market: there it is the last close. */
export const getPrice = defineOperation({
  id: 'get-price',
  summary: 'The last price of a pair.',
  isLight: true,
  input: objectSchema({ base_asset: assetField, quote_asset: tradeMarketField }),
  output: answerOf({
    base_asset: text('base symbol'),
    quote_asset: text('quote symbol'),
    symbol: text('pair in the form BASE/QUOTE'),
    price: text('decimal as string').pattern(/^\d+(\.\d+)?$/, 'a plain decimal'),
    timestamp: date('time of the price, ISO 8601, UTC'),
    source: text('market the price comes from'),
  }),
  errors: ['price_stale', 'market_filling'],
  leadsTo: [
    { to: 'assess-risk', fields: { coin: 'payload/base_asset', trade_market: 'payload/quote_asset' } },
  ],
  async handle({ base_asset, quote_asset }, deps) {
    const market = deps.settings.MARKET;
    const pair = { market, base: base_asset, quote: quote_asset };
    const { price, time } = await (market === 'csv'
      ? lastClose(pair, deps, pairNames, 1)
      : lastTick(pair, deps));
    const payload = {
      base_asset,
      quote_asset,
      symbol: `${base_asset}/${quote_asset}`,
      price: plainNumber(price),
      timestamp: utcTime(time),
      source: market,
    };
    return { payload };
  },
});

/** The last price, in one read. Throws `price_stale` if there is none, or it is too old. */
async function lastTick(pair: Pair, deps: Deps): Promise<Price> {
  const tick = await new Prices(deps.redis).find(pair);
  const name = `"${pair.base}/${pair.quote}"`;
  if (!tick) {
    await requireKnown(pair, deps, pairNames);
    throw stale(`there is no price of ${name} yet`, deps.settings);
  }
  const ageMs = Date.now() - tick.time;
  const longestMs = longestPriceAgeMs(deps.settings);
  if (ageMs <= longestMs) return tick;
  const age = `${Math.ceil(ageMs / 1_000)} s old, and prices older than ${longestMs / 1_000} s are not served`;
  throw stale(`the last price of ${name} is ${age}`, deps.settings);
}

/** The names of the fields that name a pair here. */
const pairNames = { asset: 'base_asset', tradeMarket: 'quote_asset', interval: 'base_asset' };

/** The last close of a pair as a price, of as many candles as the change needs. Throws `invalid_input` for a pair that is not known. */
async function lastClose(
  pair: PairSymbols,
  deps: Deps,
  names: SeriesFieldNames,
  candles: number,
): Promise<Price> {
  const last = await deps.storage.candles.last(await requireKnown(pair, deps, names), candles);
  const time = last.time.at(-1)! + intervalMs('1h');
  return { price: last.close.at(-1)!, time, change24hPercent: lastDay(last)?.change ?? null };
}

const requireKnown = ({ base, quote }: PairSymbols, deps: Deps, names: SeriesFieldNames) =>
  findSeries({ asset: base, tradeMarket: quote, interval: '1h' }, deps, names);

/** The age in ms from which a price is no longer that of the market: three polls may fail, and a minute is always granted. */
const longestPriceAgeMs = ({ MARKET_TICK_SECONDS }: Settings) =>
  Math.max(60_000, 3_000 * MARKET_TICK_SECONDS);

const stale = (message: string, { MARKET_TICK_SECONDS }: Settings) =>
  new AppError('price_stale', message, { details: { retryAfterSeconds: Math.ceil(MARKET_TICK_SECONDS) } });

const input = {
  assets: assetList('the assets, each once', { min: 1, max: 20 }),
  tradeMarket: tradeMarketField,
};

const output = {
  tradeMarket: tradeMarketField,
  source: field.text('market the prices come from'),
  prices: field.list(
    'one for each asset, in the order asked',
    field.object('a price', {
      asset: field.text('asset symbol'),
      symbol: field.text('pair in the form BASE/QUOTE'),
      price: field.nullable(field.decimal('last price; null where none is known yet', { unit: 'quote' })),
      change24hPercent: field.nullable(
        field.decimal('change since 24 hours before; null where it is not known', { unit: 'percent' }),
      ),
      change24hReason: nullReasonOf('change24hPercent'),
      time: field.nullable(field.text('time of the price, ISO 8601; null without one')),
      isStale: field.flag('whether there is no price, or it is too old to be that of the market'),
    }),
  ),
};

/** The last prices of several pairs, some seconds old. Time stands still in an imported market: there they are the last closes. */
export const lastPrices = describedOperation({
  id: 'prices',
  summary: 'The last prices of 1 to 20 assets with their change over 24 hours, as decimals in text.',
  input,
  output,
  errors: ['market_filling'],
  isLight: true,
  async handle({ assets, tradeMarket }, deps) {
    const market = deps.settings.MARKET;
    const pairs = assets.map((base) => ({ base, quote: tradeMarket }));
    const found = await (market === 'csv' ? lastCloses : lastTicks)(pairs, deps);
    const oldestMs = market === 'csv' ? 0 : Date.now() - longestPriceAgeMs(deps.settings);
    const rows = assets.map((asset, n) => ({
      asset,
      ...viewOf(found[n], oldestMs),
      symbol: `${asset}/${tradeMarket}`,
    }));
    return { payload: { tradeMarket, source: market, prices: rows } };
  },
});

function viewOf(found: Price | null, oldestMs: number) {
  if (found === null) {
    const change24hReason = 'no price is known yet';
    return { price: null, change24hPercent: null, change24hReason, time: null, isStale: true };
  }
  const { price, change24hPercent: change, time } = found;
  return {
    price: plainNumber(price),
    change24hPercent: change === null ? null : plainNumber(Number(change.toPrecision(12))),
    change24hReason: change === null ? 'no price is known near 24 hours before' : null,
    time: utcTime(time),
    isStale: time < oldestMs,
  };
}

type ReadPrices = (pairs: readonly PairSymbols[], deps: Deps) => Promise<(Price | null)[]>;

const listNames = { asset: 'assets', tradeMarket: 'tradeMarket', interval: 'assets' };

/** One read for all. An asset without a price has to be known. */
const lastTicks: ReadPrices = async (pairs, deps) => {
  const found = await new Prices(deps.redis).findMany(deps.settings.MARKET, pairs);
  for (const [n, tick] of found.entries()) if (tick === null) await requireKnown(pairs[n], deps, listNames);
  return found;
};

const lastCloses: ReadPrices = (pairs, deps) =>
  Promise.all(pairs.map((pair) => lastClose(pair, deps, listNames, 30)));
