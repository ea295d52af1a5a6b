import { trendStates } from '../../../../../compute/model/core-line.js';
import type { Answered } from '../../answered.js';
import { defineIntent } from '../../intent.js';
import type { Slots } from '../../slots.js';
import { atMost, marketArgs } from '../../market-args.js';
import { counted, firstOf, sentence, signed } from '../../market-words.js';

type Scan = Answered<'scan-states'>;

const mostNamed = 10;

export const scanStatesIntent = defineIntent<Scan>({
  name: 'scan-states',
  title: 'which assets are in which trend state',
  tool: 'scan_trend_states',
  phrases: [
    'which assets are in {state}',
    'which coins are in {state} on {interval}',
    'list everything that is in {state}',
    'show me all {state} coins',
    'scan the market for {state}',
    'what is in {state} right now',
    'states of all assets on {interval}',
    'trend state of every coin',
    'who is in {state}',
    '{state} list',
    'scan trend states',
    'what states are the coins in',
    'state table on {interval}',
    'which assets are {state} right now',
    'top {count} coins in {state}',
    'all {state} assets on {interval}',
    'table of trend states',
    '{state} coins',
    'list of {state} coins',
    'who is {state} on {interval}',
    'give me the {state} ones',
    'how many coins are {state}',
    'count the coins in {state}',
    'which coins look {state}',
    'name the coins in {state}',
    'is anything in {state}',
    'anything {state} on {interval}',
    'group the coins by state',
    'all trends at a glance',
    'trend of all coins',
    'what is {state} at the moment',
    'coins {state} on {interval}',
    'list coins {state} on {interval}',
    'show all trend states sorted by volume',
    'top {count} {state} coins by change',
    '{state} coins ranked by how much they moved',
    'which ones sit in {state} biggest volume first',
    'everything {state} on the {interval} chart',
    'all coins with their trend state',
    'which coins sit in {state}',
    'all states at once',
    '{state} assets sorted by volume',
    'trend states of the whole market',
    'list of all states on {interval}',
    'max {count} coins in {state}',
    'who is currently {state}',
    'rank {state} coins by return',
    'most traded {state} coins',
  ],
  needs: {},
  takes: ['state', 'interval', 'tradeMarket', 'count', 'scanSort', 'rankBy'],
  args: ({ state, count, scanSort, ...slots }) => ({
    ...marketArgs(slots),
    ...(state === undefined ? {} : { state }),
    ...(scanSort === undefined ? {} : { sort: scanSort }),
    ...(count === undefined ? {} : { limit: atMost(200, count) }),
  }),
  answer: ({ interval, total, states, nextCursor }, { state, scanSort }) => {
    if (total === 0) return { lead: `No asset is in ${state ?? 'any state'} on ${interval}.` };
    return {
      ...(state === undefined ? allWords(states, interval, total) : oneWords(states, interval, total, state)),
      ...(nextCursor === null
        ? {}
        : { caveat: `These are ${firstBy[scanSort ?? 'volume']}; there are more of them.` }),
    };
  },
});

const firstBy: Readonly<Record<NonNullable<Slots['scanSort']>, string>> = {
  days_in_state: 'the ones longest in their state',
  change24h: 'the ones that rose most in a day',
  volume: 'the ones with the highest volume',
};

function oneWords(states: Scan['states'], interval: string, total: number, state: string) {
  const named = firstOf(
    states.map(({ asset }) => asset),
    mostNamed,
  );
  const longest = [...states].sort((left, right) => (right.daysInState ?? 0) - (left.daysInState ?? 0)).at(0);
  const since = longest?.candlesInState;
  return {
    lead: `${counted(total, 'asset')} ${total === 1 ? 'is' : 'are'} in ${state} on ${interval}: ${named}.`,
    figures:
      longest && since
        ? [
            `${longest.asset} has been there longest, for ${counted(since, 'candle')}${longest.lastFlip ? `; its price has moved ${signed(longest.lastFlip.change)} since` : ''}.`,
          ]
        : [],
  };
}

function allWords(states: Scan['states'], interval: string, total: number) {
  const inState = (state: string | null) =>
    states.filter((each) => each.state === state).map(({ asset }) => asset);
  const groups = [...trendStates, null].map((state) => [state, inState(state)] as const);
  const words = groups
    .filter(([, assets]) => assets.length > 0)
    .map(([state, assets]) => `${sentence(state ?? 'too little history')}: ${firstOf(assets, mostNamed)}.`);
  return {
    lead: `On ${interval} ${counted(total, 'asset')} ${total === 1 ? 'was' : 'were'} scanned.`,
    figures: words,
  };
}
