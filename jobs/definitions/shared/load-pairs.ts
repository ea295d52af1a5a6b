import { AppError } from '../../../compute/model/errors.js';
import type { Interval } from '../../../compute/model/interval.js';
import type { PairCandles } from '../../../compute/task.js';
import type { Market, Series } from '../../../storage/candles/series.js';
import type { JobTools } from '../../job.js';

/** Which pairs of a market are asked about, on one interval. */
export interface MarketChoice {
  market: Market;
  tradeMarket: string;
  interval: Interval;
  /** The assets, in the order in which they were requested; null: all stored ones, in alphabetical order. */
  assets: readonly string[] | null;
}

/** The candles of the chosen pairs as they are stored now. Throws `invalid_input` for an asset that is not stored or named twice. */
export async function loadPairs(
  choice: MarketChoice,
  tools: Pick<JobTools, 'storage' | 'candles'>,
): Promise<PairCandles[]> {
  const { market, tradeMarket, interval, assets } = choice;
  const stored = await tools.storage.series.traded(market, tradeMarket, interval);
  const known = new Map(stored.map((series) => [series.base, series]));
  const twice = assets?.find((asset, n) => assets.indexOf(asset) !== n);
  if (twice !== undefined)
    throw new AppError('invalid_input', `asset "${twice}" is named twice`, { details: { field: 'assets' } });
  const chosen = assets?.map((asset) => known.get(asset) ?? unknownAsset(asset, choice)) ?? stored;
  return Promise.all(
    chosen.map(async (series) => {
      const { candles } = await tools.candles.get(series, series.digest);
      return { asset: series.base, tradeMarket, candles };
    }),
  );
}

function unknownAsset(asset: string, { tradeMarket, interval }: MarketChoice): Series {
  throw new AppError('invalid_input', `no ${interval} candles of "${asset}/${tradeMarket}" are stored`, {
    details: { field: 'assets', asset },
  });
}
