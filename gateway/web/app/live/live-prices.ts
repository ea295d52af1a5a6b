import { signal } from '@preact/signals';
import { onLiveEvent } from './live.js';

/** The latest price of each pair that the stream told, by `BTC/USDT`. */
export const livePrices = signal<Readonly<Record<string, number>>>({});

onLiveEvent(({ name, data }) => {
  if (name !== 'prices') return;
  const told = (data as { prices: readonly { asset: string; tradeMarket: string; price: number }[] }).prices;
  const changed = told.map(({ asset, tradeMarket, price }) => [`${asset}/${tradeMarket}`, price]);
  livePrices.value = { ...livePrices.value, ...(Object.fromEntries(changed) as Record<string, number>) };
});
