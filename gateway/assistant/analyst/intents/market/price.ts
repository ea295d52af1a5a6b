import type { lastPrices } from '../../../../operations/analysis/last-prices.js';
import { writePercent } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { namedAssets, quoteArgs } from '../../market-args.js';
import { inQuote, joined } from '../../market-words.js';
import type { OutputOf } from '../../output-of.js';

type Prices = OutputOf<typeof lastPrices>;

type Priced = Prices['prices'][number];

export const priceIntent = defineIntent<Prices>({
  name: 'price',
  title: 'the last price of one or more assets, with the change of a day',
  tool: 'get_price',
  phrases: [
    'price of {asset}',
    'what is {asset} worth today',
    'price of {asset} today',
    'how much does {asset} cost',
    'price of {asset} and {asset}',
    'what is {asset} trading at',
    'what does {asset} go for',
    'current quote of {asset}',
    'what is the price of {asset}',
    'how much is {asset}',
    '{asset} price',
    'what does {asset} cost',
    'what is {asset} worth',
    'where is {asset} trading',
    'current price of {asset} in {tradeMarket}',
    'quote for {asset}',
    'prices of {assets}',
    'how much for one {asset} right now',
    'is {asset} up today',
    'what is {asset} at',
    'ticker {asset}',
    'current value of one {asset}',
    'going rate for {asset}',
    '{asset} in {tradeMarket} terms',
    'is {asset} up or down over the last day',
    'how much did {asset} change in {windowHours}',
    'roughly what does a {asset} go for',
    'value of one {asset}',
    'how many dollars is one {asset}',
    'how expensive is {asset}',
    'what is 1 {asset} worth',
    'going price of {asset}',
    'how is {asset} priced',
    'price check {asset}',
    'what is {asset} sitting at',
    'how much {asset} do i get for {amount}',
    '{asset} usd',
    'how did {asset} move today',
    'what are {asset} and {asset} trading at',
    'give me a quote',
    'has {asset} moved today',
    '{asset} {tradeMarket} now',
    'quick price check {assets}',
    'price of {assets} please',
    'how much is {asset} up on the day',
    'how much did {asset} move in the last {windowHours}',
    'quotes for {assets}',
    'what is the rate of {asset}',
    'where is {asset} at the moment',
    'current price {asset}',
    'what is {asset} going for',
    'latest price of {asset}',
    'how much is one {asset} in {tradeMarket}',
    'what do {asset} and {asset} cost',
  ],
  needs: { asset: 'Which asset do you mean?' },
  takes: ['assets', 'tradeMarket'],
  args: (slots) => ({ assets: namedAssets(slots).slice(0, 20), ...quoteArgs(slots) }),
  answer: ({ prices, tradeMarket }) => {
    const known = prices.filter(({ price }) => price !== null);
    const unknown = prices.filter(({ price }) => price === null).map(({ asset }) => asset);
    const stale = known.filter(({ isStale }) => isStale).map(({ asset }) => asset);
    if (known.length === 0)
      return { lead: `There is no price of ${joined(unknown)} against ${tradeMarket} yet.` };
    return {
      lead:
        known.length === 1
          ? `${known[0].asset} is at ${inQuote(known[0].price!, tradeMarket)}${changeWords(known[0])}.`
          : `${known.map((each) => `${each.asset} is at ${inQuote(each.price!, tradeMarket)}${changeWords(each)}`).join('; ')}.`,
      ...(unknown.length > 0 ? { figures: [`There is no price of ${joined(unknown)} yet.`] } : {}),
      ...(stale.length > 0
        ? { caveat: `The price of ${joined(stale)} is too old to be that of the market now.` }
        : {}),
    };
  },
});

function changeWords({ change24hPercent }: Priced): string {
  if (change24hPercent === null) return '';
  const change = Number(change24hPercent);
  if (change === 0) return ', unchanged over a day';
  return `, ${change > 0 ? 'up' : 'down'} ${writePercent(Math.abs(change))} over a day`;
}
