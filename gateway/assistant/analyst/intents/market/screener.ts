import type { Answered } from '../../answered.js';
import { writePrice } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { atMost, marketArgs } from '../../market-args.js';
import { counted, firstOf, joined } from '../../market-words.js';
import type { Slots } from '../../slots.js';

type Found = Answered<'screen'>;

const mostNamed = 10;
const mostDetailed = 3;

export const screenerIntent = defineIntent<Found>({
  name: 'screener',
  title: 'a search for assets that meet conditions, such as RSI below a value',
  tool: 'screen_assets',
  phrases: [
    'find coins with {conditions}',
    'screen for {conditions}',
    'which assets have {conditions} on {interval}',
    'show me coins where {conditions}',
    'list assets with {conditions}',
    'any coin with {conditions}',
    'what coins are {conditions}',
    'search for {conditions}',
    'scan for {conditions}',
    'filter the market by {conditions}',
    'give me everything with {conditions}',
    'screener {conditions}',
    'use the screener',
    'pick out coins with {conditions}',
    'anything with {conditions}',
    'who has {conditions}',
    'which ones show {conditions}',
    'coins whose {conditions}',
    'narrow it down to {conditions}',
    'only coins with {conditions}',
    'hunt for {conditions}',
    'are there coins with {conditions}',
    'what trades with {conditions}',
    'run the screener',
    'screen {conditions} sorted by {sortBy}',
    'coins with {conditions} {join} {conditions}',
    '{conditions} coins',
    'which altcoins have {conditions}',
    'find tokens with {conditions}',
  ],
  needs: { conditions: 'Which conditions should the assets meet, such as "RSI below 30"?' },
  takes: ['interval', 'tradeMarket', 'count', 'join', 'sortBy'],
  args: ({ conditions, join, count, sortBy, ...slots }) => ({
    conditions,
    ...(join === undefined ? {} : { join }),
    ...marketArgs(slots),
    ...(sortBy === undefined ? {} : { sort_by: sortBy }),
    ...(count === undefined ? {} : { limit: atMost(100, count) }),
  }),
  answer: ({ interval, assets, matched, rows, skipped, stale }, slots) => {
    const asked = conditionWords(slots);
    if (rows.length === 0)
      return {
        lead: `None of ${counted(assets, 'asset')} has ${asked} on ${interval}.`,
        ...caveatOf(skipped, stale),
      };
    return {
      lead: `${matched} of ${counted(assets, 'asset')} ${matched === 1 ? 'has' : 'have'} ${asked} on ${interval}: ${firstOf(
        rows.map(({ asset }) => asset),
        mostNamed,
      )}.`,
      figures: [`${rows.slice(0, mostDetailed).map(valueWords).join('; ')}.`],
      ...caveatOf(skipped, stale),
    };
  },
});

/** The conditions as they were understood: "rsi_14 < 50 and close < sma_200". */
const conditionWords = ({ conditions = [], join = 'and' }: Slots): string =>
  joined(
    conditions.map(
      ({ left, op, right }) => `${String(left)} ${String(op).replace('_', ' ')} ${String(right)}`,
    ),
    join,
  );

function valueWords({ asset, values }: Found['rows'][number]): string {
  const words = Object.entries(values)
    .slice(0, mostDetailed)
    .map(([name, value]) => `${name} ${valueText(value)}`);
  return `${asset}: ${words.join(', ')}`;
}

const valueText = (value: Found['rows'][number]['values'][string]): string => {
  if (value === null) return 'unknown';
  return typeof value === 'number' ? writePrice(value) : value;
};

function caveatOf(skipped: number, stale: number): { caveat?: string } {
  if (skipped > 0)
    return {
      caveat: `${counted(skipped, 'asset')} ${skipped === 1 ? 'has' : 'have'} too little history to be judged.`,
    };
  return stale > 0
    ? {
        caveat: `${counted(stale, 'asset')} without the newest candle ${stale === 1 ? 'is' : 'are'} left out.`,
      }
    : {};
}
