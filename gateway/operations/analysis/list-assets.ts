import { assetNames } from '../../../compute/model/asset-names.js';
import { tradeMarketField } from '../../../compute/model/asset-fields.js';
import { fieldError } from '../../../compute/model/errors.js';
import { field } from '../../../compute/model/field.js';
import { groupBy } from '../../../compute/model/group-by.js';
import { intervalMs } from '../../../compute/model/interval.js';
import { wordsFor } from '../../../compute/model/nearest-assets.js';
import { demoPairRules } from '../../../compute/paper/demo-pair-rules.js';
import type { Series } from '../../../storage/candles/series.js';
import { paperName } from '../../../storage/exchanges/exchange-names.js';
import type { Deps } from '../../context.js';
import { describedOperation } from './described-operation.js';

const input = {
  query: field.nullable(
    field.text('part of a symbol or of a name, in any case; null: all', { maxLength: 40 }),
    {
      default: null,
    },
  ),
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
      name: field.nullable(field.text('name of the asset; null for a little-known one')),
      tradeMarkets: field.list(
        'quote currencies against which its candles are stored',
        field.text('quote currency'),
      ),
      exchanges: field.list('exchanges of this service that trade it at these prices', field.text('name')),
      from: field.text('open time of the first stored candle, ISO 8601'),
      to: field.text('close time of the last stored candle, ISO 8601'),
      candles: field.count('stored 1h candles'),
      missing: field.count('missing 1h candles between the first and the last'),
    }),
  ),
  nextCursor: field.nullable(field.text('cursor of the next page; null: this is the last')),
};

export const listAssets = describedOperation({
  id: 'list-assets',
  summary:
    'The assets that can be asked about, with name, quote currencies, exchanges, and the dates of their first and last candle.',
  input,
  output,
  async handle({ query, tradeMarket, limit, cursor }, deps) {
    const source = deps.settings.MARKET;
    const stored = await deps.storage.series.ofInterval(source, '1h');
    const markets = groupBy(stored, ({ base }) => base);
    const wanted = query?.trim().toLowerCase() ?? '';
    const matching = stored.filter(
      ({ base, quote }) =>
        quote === tradeMarket &&
        [base.toLowerCase(), ...wordsFor(base)].some((word) => word.includes(wanted)),
    );
    if (cursor !== null && !matching.some(({ base }) => base === cursor))
      throw fieldError(
        'cursor',
        '"cursor" must be the next cursor of an earlier answer to the same question',
      );
    const rest = matching.filter(({ base }) => cursor === null || base > cursor);
    const page = rest.slice(0, limit);
    const nextCursor = rest.length > limit ? page[page.length - 1].base : null;
    const assets = page.map((series) => rowOf(series, markets.get(series.base)!, deps));
    return { payload: { tradeMarket, source, total: matching.length, assets, nextCursor } };
  },
});

const rowOf = (
  { base, quote, first, last, count, missing }: Series,
  ofAsset: readonly Series[],
  deps: Deps,
) => ({
  asset: base,
  name: Object.hasOwn(assetNames, base) ? assetNames[base] : null,
  tradeMarkets: ofAsset.map((each) => each.quote),
  exchanges: exchangesAt({ base, quote }, deps),
  from: new Date(first).toISOString(),
  to: new Date(last + intervalMs('1h')).toISOString(),
  candles: count,
  missing,
});

/** The exchanges whose prices are those of the market; the paper exchange trades the pairs of the demo market alone. */
function exchangesAt(pair: Pick<Series, 'base' | 'quote'>, { exchanges, settings }: Deps): string[] {
  const { names, marketOf } = exchanges.exchanges;
  return names.filter((name) =>
    name === paperName
      ? settings.MARKET === 'demo' && demoPairRules(pair) !== null
      : marketOf(name) === settings.MARKET,
  );
}
