import type { Answered } from '../../answered.js';
import { writeDate, writeNumber, writePercent } from '../../format.js';
import { decidedArgs } from '../../decided-args.js';
import { defineIntent } from '../../intent.js';
import { atMost, seriesArgs, spannedCandles } from '../../market-args.js';
import { counted, signed } from '../../market-words.js';

type Similar = Answered<'similar-history'>;

export const similarHistoryIntent = defineIntent<Similar>({
  name: 'similar-history',
  title: 'when the chart of an asset looked like now, and what followed',
  tool: 'find_similar_history',
  phrases: [
    'when did {asset} look like this before',
    'similar history of {asset}',
    'find past patterns like the current {asset} chart on {interval}',
    'what happened the last time {asset} looked like now',
    'historical analogs for {asset}',
    'has {asset} moved like this before',
    'does the past of {asset} rhyme with today',
    'most similar periods to now for {asset}',
    'what came after similar charts of {asset}',
    'fractal of {asset}',
    'compare the current {asset} chart with history',
    'lookalike periods {asset}',
    'what happened when {asset} had this shape in the past',
    'past periods that look like now for {asset}',
    'did {asset} ever look like it does now',
    'is there a precedent for the chart of {asset}',
    'what came next when {asset} last looked like this',
    'have we seen this before on {asset}',
    'does the {asset} chart remind of an earlier time',
    'deja vu on {asset}',
    'has this setup occurred on {asset} before',
    'what followed the last time {asset} did this',
    'match the last candles of {asset} against history',
    'any historical parallels for {asset}',
    'past setups like this on {asset}',
    'find twins of the current {asset} chart',
    'did {asset} behave like this before',
    'has the chart of {asset} ever looked like this',
    'what came next when {asset} looked like this',
    'closest {count} historical matches for {asset}',
    'when did {asset} last trade like it does now and what followed',
    'lookalikes for {asset} with a window of {candles} candles',
    'pattern match for {asset}',
    'past windows similar to the last {candles} candles of {asset}',
    'similar patterns in the past of {asset} to the last {windowHours}',
    'does the last month of {asset} resemble anything',
    'precedents for the current {asset} chart',
    'historical matches for {asset} {candles} candle window',
    'compare the last {candles} candles of {asset} with its past',
    'find {count} periods like now for {asset}',
  ],
  needs: { asset: 'Which asset do you mean?' },
  takes: ['interval', 'tradeMarket', 'candles', 'count', 'windowHours', 'period', 'isToday'],
  args: ({ count, ...slots }) =>
    decidedArgs({
      ...seriesArgs(slots),
      window: spannedCandles(slots, { least: 10, most: 120 }),
      matches: count === undefined ? undefined : atMost(20, count),
    }),
  answer: ({ asset, interval, matches, compared, aftermath }) => {
    const best = matches.at(0);
    if (!best)
      return { lead: `No earlier stretch of ${asset} on ${interval} can be compared with its last candles.` };
    const longest = aftermath.filter((each) => each.matches.count > 0).at(-1);
    return {
      lead: `The last ${interval} candles of ${asset} look most like those from ${writeDate(best.from)} to ${writeDate(best.to)}, with a correlation of ${writeNumber(best.correlation, 2)}.`,
      figures: longest ? [followWords(longest, compared)] : [],
      caveat: aftermath.some(({ isDifferent }) => isDifferent)
        ? 'What followed differs from the usual course by more than chance; a few cases are still few.'
        : 'What followed is not distinguishable from the usual course of the asset.',
    };
  },
});

function followWords({ candles, matches, base }: Similar['aftermath'][number], compared: number): string {
  const share = (percent: number | null) => (percent === null ? 'an unknown share' : writePercent(percent));
  const median = (percent: number | null) => (percent === null ? 'unknown' : signed(percent));
  return `${counted(candles, 'candle')} after the ${counted(matches.count, 'closest match', 'closest matches')} the price was higher in ${share(matches.upPercent)} of cases, with a median change of ${median(matches.medianPercent)}; after all ${counted(compared, 'stretch', 'stretches')} compared it was higher in ${share(base.upPercent)}, with a median of ${median(base.medianPercent)}.`;
}
