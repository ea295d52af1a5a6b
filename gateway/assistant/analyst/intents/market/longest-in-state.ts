import type { Answered } from '../../answered.js';
import { defineIntent } from '../../intent.js';
import { atMost, marketArgs } from '../../market-args.js';
import { counted, joined, signed } from '../../market-words.js';

type Scan = Answered<'scan-states'>;

/** So many assets read well. */
const mostNamed = 5;

export const longestInStateIntent = defineIntent<Scan>({
  name: 'longest-in-state',
  title: 'which assets have been in a trend state for longest',
  tool: 'scan_trend_states',
  phrases: [
    'which coin has been in {state} the longest',
    'longest {state} coins',
    'oldest trends in the market',
    'which asset has not flipped for the longest time',
    'who is longest in {state}',
    'rank the coins by days in {state}',
    'sort all assets by the age of their state',
    'which trends are the oldest on {interval}',
    'longest running {state}',
    'what has stayed in {state} for the most days',
    'which coin has been in {state} for the most days',
    'which coin has held {state} the longest',
    'who has been stuck in {state} the longest',
    'longest trend running right now',
    'which trend is the most mature',
    'which coins have not changed in ages',
    'oldest {state} streak',
    'longest streak in {state}',
    'which coin has gone longest without a flip',
    'most persistent {state} coins',
    'longest uptrend',
    'who has been {state} the longest',
    'the {count} oldest trends',
    'which ones have been sitting in {state} the longest',
    'everything in {state} longest first',
    'sort {state} coins by days in state',
  ],
  needs: {},
  takes: ['state', 'interval', 'tradeMarket', 'count', 'scanSort'],
  yields: ['scan-states', 'trend-state'],
  args: ({ state, count, ...slots }) => ({
    ...marketArgs(slots),
    sort: 'days_in_state',
    ...(state === undefined ? {} : { state }),
    ...(count === undefined ? {} : { limit: atMost(200, count) }),
  }),
  answer: ({ interval, total, states }, { state }) => {
    const [first, ...others] = states.filter((each) => each.state !== null).slice(0, mostNamed);
    if (!first) return { lead: `No asset is in ${state ?? 'a trend state'} on ${interval}.` };
    return {
      lead: `${first.asset} has been in ${first.state} for longest on ${interval}: for ${ageWords(first)}${movedWords(first)}.`,
      figures: [
        ...(others.length > 0
          ? [
              `Then come ${joined(others.map((each) => `${each.asset} (${state === undefined ? `${each.state}, ` : ''}${ageWords(each)})`))}.`,
            ]
          : []),
        ...(state === undefined
          ? []
          : [`${counted(total, 'asset')} ${total === 1 ? 'is' : 'are'} in ${state} in all.`]),
      ],
    };
  },
});

type Standing = Scan['states'][number];

const ageWords = ({ candlesInState }: Standing): string => counted(candlesInState ?? 0, 'candle');

const movedWords = ({ lastFlip }: Standing): string =>
  lastFlip ? `, in which its price moved ${signed(lastFlip.change)}` : '';
