import type { lastPrices } from '../../../operations/analysis/last-prices.js';
import { writePercent, writePrice } from '../format.js';
import { defineIntent } from '../intent.js';
import { quoteArgs } from '../market-args.js';
import type { OutputOf } from '../output-of.js';

export const priceIntent = defineIntent<OutputOf<typeof lastPrices>>({
  name: 'price',
  title: 'the price of one or several assets',
  tool: 'get_price',
  phrases: [
    'what is the price of {asset}',
    'how much is {asset}',
    'how much does {asset} cost',
    '{asset} price',
    'price of {asset} and {asset}',
    'what is {asset} trading at',
    'what is {asset} worth',
    'current quote of {asset}',
    'where is {asset} trading',
    'how much for one {asset}',
    'what does {asset} go for',
    'price of {asset} in {tradeMarket}',
  ],
  needs: { asset: 'The price of which asset?' },
  takes: ['assets', 'tradeMarket'],
  args: (slots) => ({ assets: slots.assets ?? [slots.asset], ...quoteArgs(slots) }),
  answer({ prices, tradeMarket }) {
    const clauses = prices.map(({ asset, price, change24hPercent: change }) =>
      price === null
        ? `${asset} has no known price`
        : `${asset} is at ${writePrice(price)} ${tradeMarket}${change === null ? '' : `, ${Number(change) < 0 ? 'down' : 'up'} ${writePercent(Math.abs(Number(change)))} in 24 hours`}`,
    );
    const old = prices.filter((each) => each.isStale && each.price !== null).map(({ asset }) => asset);
    return {
      lead: `${clauses.join('; ')}.`,
      ...(old.length > 0
        ? { caveat: `The price of ${old.join(' and ')} is old: newer ones have not come in.` }
        : {}),
    };
  },
});
