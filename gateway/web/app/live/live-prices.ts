import { signal } from '@preact/signals';
import { onStreamEvent } from './live.js';

interface LivePrice {
  price: number;
  change24h: number | null;
}

/** The latest prices in USDT that the stream told, by asset; none while there is no stream. */
const livePrices = signal<Readonly<Record<string, LivePrice>>>({});

onStreamEvent(({ name, data }) => {
  if (name === 'poll') livePrices.value = {};
  if (name !== 'prices') return;
  const { prices } = data as { prices: readonly (LivePrice & { asset: string; tradeMarket: string })[] };
  const told = prices.flatMap(({ asset, tradeMarket, price, change24h }) =>
    tradeMarket === 'USDT' ? [[asset, { price, change24h }]] : [],
  );
  livePrices.value = { ...livePrices.peek(), ...(Object.fromEntries(told) as typeof livePrices.value) };
});

/** A row with the price of this moment, where the stream has told one. What reads it is drawn anew with the next prices. */
export const withLivePrice = <T extends { asset: string }>(row: T): T => ({
  ...row,
  ...livePrices.value[row.asset],
});
