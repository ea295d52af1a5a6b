import type { Answered } from '../answered.js';
import { writeMoment, writeNumber, writePrice } from '../format.js';
import { defineIntent } from '../intent.js';
import { quoteArgs } from '../market-args.js';

export const trendStateIntent = defineIntent<Answered<'trend-state'>>({
  name: 'trend-state',
  title: 'the trend state of an asset',
  tool: 'get_trend_state',
  phrases: [
    '{asset}',
    'what is the trend of {asset}',
    'what state is {asset} in',
    'is {asset} {state}',
    'is {asset} in {state} or {state} on {interval}',
    'trend state of {asset} on {interval}',
    'how is {asset} doing',
    'where does {asset} stand',
    'which way is {asset} heading',
    '{asset} trend',
    '{asset} {interval} state',
    'is {asset} in an uptrend or a downtrend',
    'is {asset} strong or weak',
  ],
  needs: { asset: 'Which asset do you mean?' },
  takes: ['interval', 'state', 'tradeMarket'],
  why: 'flip-history',
  args: (slots) => ({ asset: slots.asset, ...quoteArgs(slots) }),
  answer({ asset, tradeMarket, intervals, agreement }, { interval = '1d' }) {
    const own = intervals.find((each) => each.interval === interval);
    const others = intervals.filter((each) => each !== own && each.state !== null);
    if (!own?.state)
      return { lead: `There is not enough history of ${asset} for a state on ${interval} yet.` };
    return {
      lead: `${asset} is in ${own.state} on ${interval}${own.since === null ? '' : ` since ${writeMoment(own.since)}`}${own.price === null ? '' : `, at ${writePrice(own.price)} ${tradeMarket}`}.`,
      figures: [
        others.length === 0
          ? ''
          : `It is in ${others.map((each) => `${each.state} on ${each.interval}`).join(' and in ')}.`,
        agreement.score === null
          ? ''
          : `The agreement of the intervals is ${writeNumber(agreement.score, 2)}, from -1 to 1.`,
      ].filter((each) => each !== ''),
      ...(agreement.conflict ? { caveat: 'The intervals point in opposite directions.' } : {}),
    };
  },
});
