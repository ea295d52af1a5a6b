import type { closedCandles } from '../../../../operations/analysis/closed-candles.js';
import { writeDate, writePrice } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { quoteArgs } from '../../market-args.js';
import { inQuote } from '../../market-words.js';
import type { OutputOf } from '../../output-of.js';

type Read = OutputOf<typeof closedCandles>;

const dayMs = 86_400_000;

/** The end of the day of a date, at which its candle closes. */
const endOf = (date: string): string => new Date(Date.parse(date.slice(0, 10)) + dayMs).toISOString();

export const pastPriceIntent = defineIntent<Read>({
  name: 'past-price',
  title: 'the price of an asset on a day of the past',
  topic: 'prices of the past',
  tool: 'get_candles',
  phrases: [
    'price of {asset} on {date}',
    'what was {asset} worth on {date}',
    'how much was {asset} on {date}',
    'where did {asset} close on {date}',
    '{asset} price {date}',
    'what did {asset} cost on {date}',
    'historical price of {asset} at {date}',
    'close of {asset} on {date}',
    'what was the price of {asset} back on {date}',
    'how high was {asset} on {date}',
    'what did {asset} trade at on {date}',
    '{asset} closing price of {date}',
    'where was {asset} on {date}',
    'what did {asset} go for on {date}',
    'how much would one {asset} have cost on {date}',
    'what was {asset} at {date}',
    'what did i have to pay for {asset} on {date}',
    'look up {asset} for {date}',
    'value of {asset} as of {date}',
    'which price did {asset} have on {date}',
    'how much did {asset} cost on {date}',
    'how much was one {asset} worth back then on {date}',
  ],
  needs: { asset: 'Which asset do you mean?', date: 'Which day do you mean?' },
  takes: ['tradeMarket'],
  args: ({ asset, date = '', tradeMarket }) => ({
    ...{ asset, interval: '1d', limit: 1, end_time: endOf(date) },
    ...quoteArgs({ tradeMarket }),
  }),
  answer: ({ asset, tradeMarket, candles }, { date = '' }) => {
    const candle = candles.at(0);
    if (!candle) return { lead: `There is no stored price of ${asset} as early as ${writeDate(date)}.` };
    const isThatDay = candle.time.slice(0, 10) === date.slice(0, 10);
    return {
      lead: `${asset} closed at ${inQuote(candle.close, tradeMarket)} on ${writeDate(candle.time)}.`,
      figures: [
        `It opened that day at ${writePrice(candle.open)} and moved between ${writePrice(candle.low)} and ${writePrice(candle.high)}.`,
      ],
      ...(isThatDay ? {} : { caveat: `That is the last closed day up to ${writeDate(date)}.` }),
    };
  },
});
