import { readPerformance, type Performance } from '../market/performance.js';
import { AppError } from '../model/errors.js';
import { defineTask, type MarketQuestion } from '../task.js';

export interface PerformanceParams {
  /** The assets to answer for, in this order. The pairs hold them and, where there is one, that of BTC. */
  assets: string[];
}

export type AssetPerformance = Performance & { asset: string };

/** Returns and risk of several assets over 1d to 1y, side by side and against BTC. Throws `invalid_input` for an asset not among the pairs. */
export const performance = defineTask({
  name: 'performance',
  run({ pairs, interval, params }: MarketQuestion<PerformanceParams>): AssetPerformance[] {
    const candlesOf = new Map(pairs.map(({ asset, candles }) => [asset, candles]));
    const btc = candlesOf.get('BTC') ?? null;
    return params.assets.map((asset) => {
      const candles = candlesOf.get(asset);
      if (candles) return { asset, ...readPerformance(candles, btc, interval) };
      throw new AppError('invalid_input', `there are no candles of "${asset}"`, {
        details: { field: 'assets', asset },
      });
    });
  },
});
