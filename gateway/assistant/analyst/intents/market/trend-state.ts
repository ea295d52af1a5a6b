import type { Answered } from '../../answered.js';
import { defineIntent } from '../../intent.js';
import { quoteArgs } from '../../market-args.js';
import { byState, counted, inQuote, ofCandle } from '../../market-words.js';

type States = Answered<'trend-state'>;

type Standing = States['intervals'][number];

export const trendStateIntent = defineIntent<States>({
  name: 'trend-state',
  title: 'the trend state of an asset: accumulate, wait or distribute',
  tool: 'get_trend_state',
  phrases: [
    'what is the trend of {asset}',
    'trend state of {asset} on {interval}',
    'what state is {asset} in',
    '{asset} trend',
    'is {asset} in {state}',
    'state of {asset}',
    'how is {asset} doing on {interval}',
    'since when is {asset} in {state}',
    'how long has {asset} been in this state',
    'what is {asset} doing',
    'which way is {asset} going',
    '{asset} status on {interval}',
    'is {asset} accumulating or distributing',
    'is {asset} bullish or bearish right now',
    'what colour is the line of {asset}',
    'is {asset} green or red',
    '{asset}',
    'is {asset} {state}',
    'is {asset} in {state} or {state} on {interval}',
    'where does {asset} stand',
    'which way is {asset} heading',
    '{asset} {interval} state',
    'is {asset} strong or weak',
    'is {asset} in an uptrend or a downtrend',
    'tell me the state of {asset}',
    'is {asset} trending higher or lower',
    'which state is {asset} in',
    'is the trend of {asset} up',
    'how does {asset} look',
    'what is up with {asset}',
    'what is going on with {asset}',
    'direction of {asset}',
    'thoughts on {asset}',
    'update on {asset}',
    'is {asset} rising or falling',
    'is {asset} still {state}',
    'for how long has {asset} been {state}',
    'what mode is {asset} in',
    'has the trend of {asset} changed',
    'is {asset} going up or down',
    'what is the state of {asset}',
    'has {asset} turned green',
    'did {asset} turn red',
    '{asset} up or down',
    'what is {asset} up to',
    'is {asset} trending or going sideways',
    'is {asset} bearish on {interval}',
    'what is happening with {asset}',
    'is {asset} bullish or not',
    'how is {asset}',
    'is {asset} pointing up',
    'which way is {asset} pointing',
    'is {asset} in good shape',
    'what does the trend look like for {asset}',
    'how many days has {asset} been in its current state',
    'what mood is {asset} in',
    'how long has {asset} been in {state}',
    'trend check on {asset}',
    'bias on {asset}',
    'how is {asset} doing trend wise',
    'which direction is {asset} going',
    'is the {asset} trend still {state}',
    'what do you have on {asset}',
    'current trend of {asset}',
    'is {asset} being accumulated or distributed',
    'is {asset} healthy or weak',
    '{asset} trend state',
  ],
  needs: { asset: 'Which asset do you mean?' },
  takes: ['interval', 'tradeMarket', 'state'],
  why: 'why-flipped',
  args: ({ asset, tradeMarket }) => ({ asset, ...quoteArgs({ tradeMarket }) }),
  answer: ({ asset, tradeMarket, intervals, agreement }, { interval = '1d', state: asked }) => {
    const standing = intervals.find((each) => each.interval === interval);
    const others = intervals.filter((each) => each.interval !== interval && each.state !== null);
    if (!standing?.state) return { lead: noneWords(asset, interval), figures: otherWords(others) };
    return {
      lead: `${yesNo(asked, standing.state)}${asset} is in ${standing.state} on ${interval}${sinceWords(standing)}.`,
      figures: [
        ...(standing.price === null
          ? []
          : [`Its last close there is ${inQuote(standing.price, tradeMarket)}.`]),
        ...otherWords(others),
      ],
      ...caveatOf(standing.state, agreement),
    };
  },
});

const noneWords = (asset: string, interval: string): string =>
  `There is not enough history of ${asset} on ${interval} for a trend state.`;

const yesNo = (asked: string | undefined, state: string): string => {
  if (asked === undefined) return '';
  return asked === state ? 'Yes: ' : 'No: ';
};

function sinceWords({ since, candlesInState, interval }: Standing): string {
  if (since === null || candlesInState === null) return '';
  return `, since ${ofCandle(since, interval)} (${counted(candlesInState, 'candle')})`;
}

const otherWords = (others: readonly Standing[]): string[] =>
  others.length === 0 ? [] : [`On other intervals: ${byState(others)}.`];

function caveatOf(state: string, { conflict }: States['agreement']): { caveat?: string } {
  if (conflict)
    return { caveat: 'One interval accumulates while another distributes: they contradict each other.' };
  return state === 'wait' ? { caveat: 'Wait means that no trend is confirmed; it points neither way.' } : {};
}
