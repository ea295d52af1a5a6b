import type { listAssets } from '../../../../operations/analysis/list-assets.js';
import { defineIntent } from '../../intent.js';
import { atMost, quoteArgs } from '../../market-args.js';
import { counted, firstOf } from '../../market-words.js';
import type { OutputOf } from '../../output-of.js';
import { writeDate } from '../../format.js';

type Assets = OutputOf<typeof listAssets>;

const mostNamed = 20;

export const listAssetsIntent = defineIntent<Assets>({
  name: 'list-assets',
  title: 'the assets that can be asked about',
  tool: 'list_assets',
  phrases: [
    'which assets do you know',
    'list of assets',
    'what coins can I ask about',
    'which coins do you cover',
    'do you have {asset}',
    'show me all available coins',
    'what can be traded here',
    'which cryptocurrencies are available',
    'list all coins',
    'how many assets do you follow',
    'which pairs are there',
    'do you know {asset}',
    'is {asset} listed here',
    'which coins can you analyse',
    'can I ask about {asset}',
    'which tokens are in your data',
    'is {asset} available',
    'how many coins do you track',
    'is {asset} in your list',
    'can you handle {asset}',
    'do you cover {asset}',
    'do you follow {asset}',
    'which markets do you track',
    'what is your universe',
    'everything you have data for',
    'name every coin you support',
    'does this work for {asset}',
    'do you have data on {asset}',
    'which symbols do you know',
    'is {asset} supported',
    'is {asset} supported here',
    'list the first {count} assets you have',
    'can i look up {asset} here',
    'what can i query',
    'search your asset list for {asset}',
    'complete list of tokens',
    'which coins can i look up here',
    'which pairs quoted in {tradeMarket} do you have',
    'all tickers you track',
    'is {asset} one of the coins you track',
    'which tickers are available',
    'first {count} coins of your list',
    'find {asset} in the list of coins',
    'how many coins are there to choose from',
    'which coins have data',
    'does your database include {asset}',
    'everything listed against {tradeMarket}',
    'is there any data on {asset}',
    'name the coins i can pick from',
    'got anything on {asset}',
    'which cryptos am i able to ask about',
  ],
  needs: {},
  takes: ['asset', 'tradeMarket', 'count'],
  args: ({ asset, tradeMarket, count }) => ({
    ...(asset === undefined ? {} : { query: asset }),
    ...(count === undefined ? {} : { limit: atMost(200, count) }),
    ...quoteArgs({ tradeMarket }),
  }),
  answer: ({ total, assets, tradeMarket }, { asset }) => {
    if (total === 0)
      return {
        lead: `${asset === undefined ? 'No asset is' : `${asset} is not`} known here against ${tradeMarket}.`,
      };
    const exact = assets.find((each) => each.asset === asset);
    if (exact)
      return {
        lead: `Yes, ${titled(exact)} is known here.`,
        figures: [
          `Its candles against ${tradeMarket} go from ${writeDate(exact.from)} to ${writeDate(exact.to)}${exact.missing > 0 ? `, with ${counted(exact.missing, 'missing hour')}` : ''}.`,
        ],
      };
    return {
      lead: `${counted(total, 'asset')} can be asked about against ${tradeMarket}: ${firstOf(
        assets.map((each) => each.asset),
        mostNamed,
      )}.`,
    };
  },
});

const titled = ({ asset, name }: Assets['assets'][number]): string =>
  name === null ? asset : `${name} (${asset})`;
