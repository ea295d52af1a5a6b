import { signal, type Signal } from '@preact/signals';
import { onStreamEvent } from './live.js';

interface LivePrice {
  price: number;
  change24h: number | null;
}

/** The latest price in USDT that the stream told of each asset; null while there is no stream. */
const livePrices = new Map<string, Signal<LivePrice | null>>();

function livePriceOf(asset: string): Signal<LivePrice | null> {
  if (!livePrices.has(asset)) livePrices.set(asset, signal(null));
  return livePrices.get(asset)!;
}

onStreamEvent(({ name, data }) => {
  if (name === 'poll') for (const each of livePrices.values()) each.value = null;
  if (name !== 'prices') return;
  const { prices } = data as { prices: readonly (LivePrice & { asset: string; tradeMarket: string })[] };
  for (const { asset, tradeMarket, price, change24h } of prices)
    if (tradeMarket === 'USDT') livePriceOf(asset).value = { price, change24h };
});

/** A row with the price of this moment, where the stream has told one. What reads it is drawn anew with each price of the asset. */
export const withLivePrice = <T extends { asset: string }>(row: T): T => ({
  ...row,
  ...livePriceOf(row.asset).value,
});
