import { tradeMarketField } from '../../../compute/model/asset-fields.js';
import { field } from '../../../compute/model/field.js';
import { intervalMs } from '../../../compute/model/interval.js';
import type { Series } from '../../../storage/candles/series.js';
import { describedOperation } from './described-operation.js';

const input = {
  query: field.nullable(field.text('part of a symbol, in any case; null: all', { maxLength: 20 }), {
    default: null,
  }),
  tradeMarket: tradeMarketField,
  limit: field.integer('most rows', { min: 1, max: 200, default: 50 }),
  cursor: field.nullable(
    field.text('`nextCursor` of the page before; null: the first page', { maxLength: 20 }),
    {
      default: null,
    },
  ),
};

const output = {
  tradeMarket: field.text('quote currency'),
  source: field.text('market the candles come from'),
  total: field.count('assets that match, on all pages'),
  assets: field.list(
    'the assets, in alphabetical order',
    field.object('an asset', {
      asset: field.text('asset symbol'),
      from: field.text('open time of the first stored candle, ISO 8601'),
      to: field.text('close time of the last stored candle, ISO 8601'),
      candles: field.count('stored 1h candles'),
      missing: field.count('missing 1h candles between the first and the last'),
    }),
  ),
  nextCursor: field.nullable(field.text('cursor of the next page; null: this is the last')),
};

/** The assets whose candles are stored. */
export const listAssets = describedOperation({
  id: 'list-assets',
  summary: 'The assets that can be asked about, with the dates of their first and last candle.',
  input,
  output,
  async handle({ query, tradeMarket, limit, cursor }, { storage, settings }) {
    const stored = await storage.series.traded(settings.MARKET, tradeMarket, '1h');
    const wanted = query?.toUpperCase() ?? '';
    const matching = stored.filter(({ base }) => base.toUpperCase().includes(wanted));
    const rest = matching.filter(({ base }) => cursor === null || base > cursor);
    const page = rest.slice(0, limit);
    const nextCursor = rest.length > limit ? page[page.length - 1].base : null;
    const assets = page.map(rowOf);
    return { payload: { tradeMarket, source: settings.MARKET, total: matching.length, assets, nextCursor } };
  },
});

const rowOf = ({ base, first, last, count, missing }: Series) => ({
  asset: base,
  from: new Date(first).toISOString(),
  to: new Date(last + intervalMs('1h')).toISOString(),
  candles: count,
  missing,
});
