import { assetList, tradeMarketField } from '../../../compute/model/asset-fields.js';
import { field } from '../../../compute/model/field.js';
import { plainNumber } from '../../../compute/model/format-number.js';
import { intervalMs } from '../../../compute/model/interval.js';
import { nullReasonOf } from '../../../compute/model/null-reason.js';
import { lastDay } from '../../../compute/model/last-day.js';
import type { Price } from '../../../compute/model/price.js';
import { Prices } from '../../../storage/candles/prices.js';
import type { Deps } from '../../context.js';
import { utcTime } from '../../../compute/model/utc-day.js';
import { describedOperation } from './described-operation.js';
import { longestPriceAgeMs } from './get-price.js';
import { findSeries } from './series-input.js';

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
    const found = await (market === 'csv' ? lastCloses : lastTicks)(assets, tradeMarket, deps);
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

type ReadPrices = (assets: readonly string[], quote: string, deps: Deps) => Promise<(Price | null)[]>;

/** One read for all. An asset without a price has to be known. */
const lastTicks: ReadPrices = async (assets, quote, deps) => {
  const found = await new Prices(deps.redis).findMany(
    deps.settings.MARKET,
    assets.map((base) => ({ base, quote })),
  );
  for (const [n, tick] of found.entries()) if (tick === null) await requireKnown(assets[n], quote, deps);
  return found;
};

const lastCloses: ReadPrices = (assets, quote, deps) =>
  Promise.all(
    assets.map(async (asset): Promise<Price> => {
      const series = await requireKnown(asset, quote, deps);
      const last = await deps.storage.candles.last(series, 30);
      const { time, close } = { time: last.time.at(-1)!, close: last.close.at(-1)! };
      return { price: close, time: time + intervalMs('1h'), change24hPercent: lastDay(last)?.change ?? null };
    }),
  );

const requireKnown = (asset: string, tradeMarket: string, deps: Deps) =>
  findSeries({ asset, tradeMarket, interval: '1h' }, deps, {
    asset: 'assets',
    tradeMarket: 'tradeMarket',
    interval: 'assets',
  });
