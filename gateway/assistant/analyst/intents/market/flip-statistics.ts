import type { Answered } from '../../answered.js';
import { writeNumber, writePercent } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { seriesArgs } from '../../market-args.js';
import { counted, joined, signed } from '../../market-words.js';

type Statistics = Answered<'flip-statistics'>;

type Aftermath = Statistics['forwardReturns'][number];

export const flipStatisticsIntent = defineIntent<Statistics>({
  name: 'flip-statistics',
  title: 'how long trend states of an asset last, and how its flips turned out',
  tool: 'get_flip_statistics',
  phrases: [
    'flip statistics of {asset}',
    'how reliable are the flips of {asset}',
    'how long does {asset} usually stay in {state}',
    'hit rate of the trend state of {asset} on {interval}',
    'what usually happens after {asset} turns to {state}',
    'how often did {asset} rise after a flip to {state}',
    'average return after flips of {asset}',
    'do the state changes of {asset} work',
    'how many times has {asset} flipped',
    'average duration of {state} for {asset}',
    'success rate of {asset} transitions',
    'are {asset} flips any good',
    '{asset} state stats',
    'how well did past flips of {asset} turn out',
    'how long do the states of {asset} last on average',
    'how often is a flip of {asset} right',
    'how many candles does {asset} stay in {state}',
    'how good are {asset} transitions historically',
    'typical length of a {state} phase of {asset}',
    'do flips of {asset} usually pay off',
    'what share of {asset} flips worked',
    'average length of {state} in {asset}',
    'hit rate of the state changes of {asset}',
    'how long do {state} phases of {asset} last',
    'how often are the states of {asset} wrong',
    'what happens to {asset} after it goes {state}',
    'can i rely on the flips of {asset}',
    'what did {asset} gain on average after turning {state}',
    'how trustworthy is the state of {asset}',
    'win rate of {state} flips on {asset}',
    'what percentage of {asset} flips was right',
    'how much does {asset} typically move after a flip',
    'how many false flips does {asset} have',
    'track record of the trend state on {asset}',
    'after {asset} turns {state} what usually happens',
    'how good have the flips of {asset} been',
    '{asset} flip stats',
    'do trend changes on {asset} mean anything statistically',
    'forward returns following flips of {asset}',
    'sample size and hit rate for flips on {asset}',
    'how have past transitions of {asset} turned out',
    'how did {asset} do in the past after a flip',
    'statistics of flips {asset} {interval}',
    'how did that work out in the past',
    'when {asset} goes to {state} does it usually pay off',
    'average return {candles} candles after a flip of {asset}',
    'probability that {asset} rises after turning {state}',
    'how did past flips work out',
  ],
  needs: { asset: 'Which asset do you mean?' },
  takes: ['interval', 'tradeMarket', 'state'],
  args: seriesArgs,
  answer: (payload, { state }) => {
    const { asset, interval, flips, candles } = payload;
    if (flips === 0)
      return {
        lead: `${asset} has not changed its trend state in ${counted(candles, 'candle')} on ${interval}.`,
      };
    const cases = toldCases(payload.forwardReturns, state);
    const fewest = Math.min(...cases.map(({ count }) => count));
    return {
      lead: `${asset} changed its trend state ${counted(flips, 'time')} in ${counted(candles, 'candle')} on ${interval}.`,
      figures: [durationWords(payload.durations), ...cases.map(caseWords)].filter((each) => each !== ''),
      ...(cases.length > 0
        ? {
            caveat:
              fewest < 20
                ? 'So few cases leave the intervals wide: this is a hint, not a rule.'
                : 'Past turns say how it has been, not how it will be.',
          }
        : { caveat: 'There are too few comparable turns for a hit rate.' }),
    };
  },
});

function durationWords(durations: Statistics['durations']): string {
  const known = durations.filter(({ median }) => median !== null);
  if (known.length === 0) return '';
  const [first, ...others] = known.map(({ state, median }) => [state, writeNumber(median!)] as const);
  return `${first[0] === 'accumulate' ? 'Accumulate' : `A spell of ${first[0]}`} lasted ${first[1]} candles in the median${others.map(([state, median]) => `, ${state} ${median}`).join('')}.`;
}

/** The turns to a side with the most cases, twenty candles on, or the longest horizon that there is. */
function toldCases(all: readonly Aftermath[], state: string | undefined): Aftermath[] {
  const rated = all.filter(({ hitRatePercent, candles }) => hitRatePercent !== null && candles === 20);
  const bySide = (['accumulate', 'distribute'] as const).flatMap((side) =>
    rated
      .filter(({ to }) => to === side && (state === undefined || state === 'wait' || to === state))
      .sort((left, right) => right.count - left.count)
      .slice(0, 1),
  );
  return bySide;
}

function caseWords({ from, to, candles, count, median, ...rate }: Aftermath): string {
  const way = to === 'accumulate' ? 'higher' : 'lower';
  const range = joined([writePercent(rate.hitRateLowPercent!), writePercent(rate.hitRateHighPercent!)]);
  return `${counted(candles, 'candle')} after a turn from ${from} to ${to} the price was ${way} in ${writePercent(rate.hitRatePercent!)} of ${counted(count, 'case')} (the confidence interval lies between ${range})${median === null ? '' : `, with a median change of ${signed(median)}`}.`;
}
