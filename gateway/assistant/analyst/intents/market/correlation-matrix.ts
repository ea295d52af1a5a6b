import type { Answered } from '../../answered.js';
import { writeNumber } from '../../format.js';
import { decidedArgs } from '../../decided-args.js';
import { defineIntent } from '../../intent.js';
import { marketArgs, spannedCandles } from '../../market-args.js';
import { counted, joined } from '../../market-words.js';

type Matrix = Answered<'correlation-matrix'>;

type Correlated = Matrix['pairs'][number];

export const correlationMatrixIntent = defineIntent<Matrix>({
  name: 'correlation-matrix',
  title: 'how strongly assets move together',
  tool: 'get_correlation_matrix',
  phrases: [
    'correlation of {assets}',
    'how correlated are {assets}',
    'correlation matrix for {assets} on {interval}',
    'do {assets} move together',
    'correlation between {assets}',
    'which of {assets} are least correlated',
    'are {assets} a good diversification',
    'is {asset} independent of {asset}',
    '{assets} corr',
    'do {assets} diversify each other',
    'which two of {assets} move most alike',
    'which of {assets} are least alike',
    'how much do {assets} overlap',
    'correlation between {asset} and {asset}',
    'do {assets} go hand in hand',
    'how tied are {assets} to each other',
    'if {asset} drops does {asset} drop too',
    'do {assets} track each other',
    'am i doubling up by holding {assets}',
    'how closely linked are {assets}',
    'do {assets} trade alike',
    'does {asset} move independently from {asset}',
    'how alike are the moves of {assets}',
    'are {assets} basically the same trade',
    'which two of {assets} spread the risk best',
    'do {assets} move in step',
    'do {assets} march together',
    'average correlation across {assets}',
    'correlations of {assets} over {windowHours}',
    'correlation of {assets} over the last {candles} candles',
    'least correlated pair among {assets}',
    'which of {assets} move least together',
    'how similar are the moves of {assets}',
    'are {assets} the same bet',
  ],
  needs: { assets: 'Which assets do you want to compare? Name two or more.' },
  takes: ['asset', 'interval', 'tradeMarket', 'candles', 'windowHours', 'period', 'isToday'],
  yields: ['pair-relationship'],
  args: ({ assets = [], ...slots }) =>
    decidedArgs({
      assets: assets.slice(0, 15),
      window: spannedCandles(slots, { least: 20, most: 365 }),
      ...marketArgs(slots),
    }),
  answer: (payload) => {
    const { assets, interval, count, pairs, average, gaps, staleAssets } = payload;
    const known = pairs.filter(({ correlation }) => correlation !== null);
    if (known.length === 0)
      return { lead: `${joined(assets)} have no correlation on ${interval}: a price did not move.` };
    return {
      ...(known.length === 1 ? pairWords(known[0], payload) : matrixWords(payload, average)),
      caveat: caveatWords(gaps, staleAssets, count),
    };
  },
});

const figureOf = ({ correlation }: Correlated): string => writeNumber(correlation!, 2);

function pairWords(pair: Correlated, { interval, count }: Matrix) {
  const { first, second, low, high } = pair;
  return {
    lead: `${first} and ${second} have a correlation of ${figureOf(pair)} on ${interval}, ${strengthWords(pair.correlation!)}.`,
    figures: [
      `It is measured over ${counted(count, 'return')}${low === null || high === null ? '' : `; its confidence interval reaches from ${writeNumber(low, 2)} to ${writeNumber(high, 2)}`}.`,
    ],
  };
}

function strengthWords(correlation: number): string {
  const size = Math.abs(correlation);
  if (size < 0.2) return 'which is hardly any';
  const strength = size < 0.5 ? 'weak' : size < 0.8 ? 'moderate' : 'strong';
  return `a ${strength} one${correlation < 0 ? ' in opposite directions' : ''}`;
}

function matrixWords({ assets, interval, count, least, most }: Matrix, average: number | null) {
  const words = (pair: Correlated) => `${pair.first} and ${pair.second} (${figureOf(pair)})`;
  return {
    lead: `${joined(assets)} have a mean correlation of ${average === null ? 'an unknown size' : writeNumber(average, 2)} on ${interval}, over ${counted(count, 'return')}.`,
    figures: [...(most && least ? [`Most alike are ${words(most)}, least alike ${words(least)}.`] : [])],
  };
}

function caveatWords(gaps: number, staleAssets: readonly string[], count: number): string {
  if (staleAssets.length > 0)
    return `The candles of ${joined(staleAssets)} end earlier than the others, and the window with them.`;
  if (gaps > 0) return `${counted(gaps, 'return')} ${gaps === 1 ? 'spans' : 'span'} a gap in the candles.`;
  return count < 60
    ? 'So short a window leaves the figures uncertain.'
    : 'Correlations change; in a crash they tend to rise together.';
}
