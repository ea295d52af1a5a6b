import Joi from 'joi';
import { assetField, tradeMarketField } from '../../../compute/model/asset-fields.js';
import { AppError } from '../../../compute/model/errors.js';
import { plainNumber } from '../../../compute/model/format-number.js';
import { intervalMs } from '../../../compute/model/interval.js';
import { keysOf } from '../../../jobs/definitions/shared/field-schema.js';
import { Prices } from '../../../storage/candles/prices.js';
import type { Pair } from '../../../storage/candles/series.js';
import type { Settings } from '../../../storage/process/settings.js';
import type { Deps } from '../../context.js';
import { defineOperation } from '../../operation.js';
import { utcTime } from '../../../compute/model/utc-day.js';
import { date, text, answerOf } from '../output-fields.js';
import { findSeries } from './series-input.js';

/** A price, and when it was traded or quoted, in ms. */
interface Quote {
  price: number;
  time: number;
}

/** The last price of a pair, some seconds old at most. Time stands still in an imported market: there it is the last close. */
export const getPrice = defineOperation({
  id: 'get-price',
  summary: 'The last price of a pair.',
  isLight: true,
  input: Joi.object<{ base_asset: string; quote_asset: string }>(
    keysOf({ base_asset: assetField, quote_asset: tradeMarketField }),
  ),
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
    const { price, time } = market === 'csv' ? await lastClose(pair, deps) : await lastTick(pair, deps);
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
async function lastTick(pair: Pair, deps: Deps): Promise<Quote> {
  const tick = await new Prices(deps.redis).find(pair);
  const name = `"${pair.base}/${pair.quote}"`;
  if (!tick) {
    await requireKnown(pair, deps);
    throw stale(`there is no price of ${name} yet`, deps.settings);
  }
  const ageMs = Date.now() - tick.time;
  const longestMs = longestPriceAgeMs(deps.settings);
  if (ageMs <= longestMs) return tick;
  const age = `${Math.ceil(ageMs / 1_000)} s old, and prices older than ${longestMs / 1_000} s are not served`;
  throw stale(`the last price of ${name} is ${age}`, deps.settings);
}

async function lastClose(pair: Pair, deps: Deps): Promise<Quote> {
  const series = await requireKnown(pair, deps);
  const { time, close } = await deps.storage.candles.last(series, 1);
  return { price: close[0], time: time[0] + intervalMs('1h') };
}

const requireKnown = ({ base, quote }: Pair, deps: Deps) =>
  findSeries({ asset: base, tradeMarket: quote, interval: '1h' }, deps, {
    asset: 'base_asset',
    tradeMarket: 'quote_asset',
    interval: 'base_asset',
  });

/** The age in ms from which a price is no longer that of the market: three polls may fail, and a minute is always granted. */
export const longestPriceAgeMs = ({ MARKET_TICK_SECONDS }: Settings) =>
  Math.max(60_000, 3_000 * MARKET_TICK_SECONDS);

const stale = (message: string, { MARKET_TICK_SECONDS }: Settings) =>
  new AppError('price_stale', message, { details: { retryAfterSeconds: Math.ceil(MARKET_TICK_SECONDS) } });
