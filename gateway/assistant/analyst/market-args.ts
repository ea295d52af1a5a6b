import type { Slots } from './slots.js';

/** Arguments of a tool that reads a whole market: only what the question decides. */
export const marketArgs = ({ interval, tradeMarket }: Slots): Record<string, unknown> => ({
  ...(interval === undefined ? {} : { interval }),
  ...(tradeMarket === undefined ? {} : { trade_market: tradeMarket }),
});

/** Arguments of a tool that reads one asset on one interval. */
export const seriesArgs = (slots: Slots): Record<string, unknown> => ({
  asset: slots.asset,
  ...marketArgs(slots),
});

/** Arguments of a tool that has no interval. */
export const quoteArgs = ({ tradeMarket }: Pick<Slots, 'tradeMarket'>): Record<string, unknown> =>
  tradeMarket === undefined ? {} : { trade_market: tradeMarket };

/** The assets that a question names. */
export const namedAssets = ({ assets, asset }: Slots): readonly string[] =>
  assets ?? (asset === undefined ? [] : [asset]);
