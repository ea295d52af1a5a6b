import type { Answered } from '../../answered.js';
import { defineIntent } from '../../intent.js';
import { quoteArgs } from '../../market-args.js';
import { byState, joined, ofCandle } from '../../market-words.js';

type States = Answered<'trend-state'>;

export const trendOnAllIntervalsIntent = defineIntent<States>({
  name: 'trend-on-all-intervals',
  title: 'the trend state of an asset on every interval, and whether they agree',
  tool: 'get_trend_state',
  phrases: [
    'trend of {asset} on all intervals',
    'do the timeframes of {asset} agree',
    'show me {asset} on every timeframe',
    '{asset} multi timeframe',
    'is the trend of {asset} the same on all timeframes',
    'do the intervals contradict each other for {asset}',
    'state of {asset} across all intervals',
    '{asset} 1h 4h and 1d state',
    'how aligned are the timeframes for {asset}',
    'compare the intervals of {asset}',
    'conflicting timeframes on {asset}?',
    'big picture and short term for {asset}',
    'do all timeframes of {asset} point the same way',
    'short term versus long term trend of {asset}',
    'is {asset} aligned on 1h 4h and 1d',
    'does the short term fit the long term on {asset}',
    'all timeframes {asset}',
    '{asset} across the timeframes',
    'check every timeframe of {asset}',
    'is {asset} {state} on all timeframes',
    'top down view on {asset}',
    'from 1h to 1d how is {asset}',
    'where do the timeframes of {asset} clash',
    'hourly and daily state of {asset}',
    'does {asset} look the same on every timeframe',
    'do 1h 4h and 1d agree on {asset}',
    'agreement score of {asset}',
    '{asset} on all timeframes',
  ],
  needs: { asset: 'Which asset do you mean?' },
  takes: ['tradeMarket'],
  why: 'why-flipped',
  args: ({ asset, tradeMarket }) => ({ asset, ...quoteArgs({ tradeMarket }) }),
  answer: ({ asset, intervals, agreement }) => {
    const known = intervals.filter(({ state }) => state !== null);
    if (known.length === 0)
      return { lead: `There is not enough history of ${asset} for a trend state on any interval.` };
    return {
      lead: `${asset} is in ${byState(known)}.`,
      figures: [agreementWords(agreement), sinceWords(known)],
      ...caveatOf(agreement, known.length < intervals.length),
    };
  },
});

function agreementWords({ aligned, known, majority }: States['agreement']): string {
  if (known === 1) return 'Only one interval has a state.';
  if (aligned === known) return 'All intervals agree.';
  return majority === null
    ? 'No two intervals agree.'
    : `${aligned} of ${known} intervals agree on ${majority}.`;
}

const sinceWords = (known: States['intervals']): string =>
  `It has been so ${joined(
    known.map(({ since, interval }) => `since ${ofCandle(since!, interval)} on ${interval}`),
  )}.`;

function caveatOf({ conflict }: States['agreement'], isShort: boolean): { caveat?: string } {
  if (conflict)
    return { caveat: 'One interval accumulates while another distributes: they contradict each other.' };
  return isShort ? { caveat: 'The other intervals have too little history for a state.' } : {};
}
