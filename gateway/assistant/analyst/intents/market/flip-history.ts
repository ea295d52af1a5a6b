import type { FlipsOutput } from '../../../../operations/analysis/flip-intelligence.js';
import { defineIntent } from '../../intent.js';
import { seriesArgs } from '../../market-args.js';
import { inQuote, ofCandle, signed } from '../../market-words.js';

type Flip = FlipsOutput['flips'][number];

/** More changes than these are hard to read as prose. */
const mostTold = 6;

export const flipHistoryIntent = defineIntent<FlipsOutput>({
  name: 'flip-history',
  title: 'the last changes of the trend state of an asset, and what the price did after each',
  tool: 'get_flip_history',
  phrases: [
    'flip history of {asset}',
    'when did {asset} flip last',
    'last {count} flips of {asset} on {interval}',
    'when did {asset} last turn to {state}',
    'past state changes of {asset}',
    'list the flips of {asset}',
    'show me the recent transitions of {asset}',
    '{asset} flips',
    'when was the last state change of {asset} on {interval}',
    'how did the previous signals of {asset} turn out',
    'what happened after the last flips of {asset}',
    'history of trend states for {asset}',
    'when did {asset} change its state',
    'when did {asset} go into {state}',
    'date of the last flip of {asset}',
    'every time {asset} went {state}',
    'dates of the state changes of {asset}',
    'when was the last time {asset} went {state}',
    'when did {asset} stop being {state}',
    'log of flips for {asset}',
    'timeline of the states of {asset}',
    'what were the last {count} switches of {asset}',
    'previous trend changes on {asset}',
    'when did {asset} leave {state}',
    'how did {asset} do after its last {count} flips',
    'when did the trend of {asset} change',
    'state changes of {asset} over time',
    'the most recent transitions for {asset} on {interval}',
    'when did {asset} last change its mind',
    'which changes of state did {asset} go through',
    'at what price did {asset} flip last',
    'list the state changes of {asset}',
    'last {count} state changes of {asset}',
    'flips of {asset} with dates and prices',
    'which flips did {asset} have in {windowHours}',
    'how often did {asset} change state lately',
    'state changes of {asset} before that',
    'when was the most recent flip of {asset}',
    'latest trend changes on {asset}',
    '{asset} transition history',
    'when did {asset} change',
  ],
  needs: { asset: 'Which asset do you mean?' },
  takes: ['interval', 'tradeMarket', 'count', 'state'],
  yields: ['flip-price', 'flip-statistics'],
  why: 'why-flipped',
  args: (slots) => ({
    ...seriesArgs(slots),
    ...(slots.count === undefined ? {} : { limit: Math.min(50, Math.max(1, slots.count)) }),
  }),
  answer: ({ asset, interval, tradeMarket, flips }, { state }) => {
    const wanted = flips.filter(({ to }) => state === undefined || to === state);
    const [last, ...earlier] = wanted.slice(0, mostTold);
    if (!last) return { lead: noneWords(asset, interval, state, flips.length) };
    return {
      lead: `${asset} last turned to ${last.to} on ${interval}, on ${ofCandle(last.date, interval)}, at ${inQuote(last.close, tradeMarket)}${movedSince(last)}.`,
      figures: [
        ...(earlier.length > 0
          ? [`Before that: ${earlier.map((flip) => changeWords(flip, interval)).join('; ')}.`]
          : []),
      ],
      caveat: `The percentages say what the price did until the state changed again${wanted.length > mostTold ? '; older changes are left out here' : ''}.`,
    };
  },
});

const noneWords = (asset: string, interval: string, state: string | undefined, found: number): string =>
  state === undefined || found === 0
    ? `${asset} has not changed its trend state on ${interval} in the stored history.`
    : `None of the last changes of ${asset} on ${interval} was a turn to ${state}.`;

const movedSince = ({ outcome: { until, change, candles } }: Flip): string => {
  if (candles === 0) return '';
  return until === null ? `; since then ${signed(change)}` : `; ${signed(change)} until the next change`;
};

const changeWords = ({ date, to, outcome: { change } }: Flip, interval: string): string =>
  `to ${to} on ${ofCandle(date, interval)} (${signed(change)})`;
