import type { Answered } from '../../answered.js';
import { writeNumber, writePercent } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { seriesArgs } from '../../market-args.js';
import { counted, inQuote, joined } from '../../market-words.js';

type Volatility = Answered<'volatility'>;

export const volatilityReadingIntent = defineIntent<Volatility>({
  name: 'volatility-reading',
  title: 'volatility: usual range, bands, squeeze, and whether it is calm or stressed',
  tool: 'get_volatility_reading',
  phrases: [
    'volatility of {asset}',
    'how volatile is {asset} on {interval}',
    'is {asset} in a squeeze',
    'how much does {asset} usually move in a day',
    'is {asset} calm or stressed',
    'bollinger squeeze on {asset} {interval}',
    'realised volatility of {asset}',
    'volatility regime of {asset}',
    'how wild is {asset} right now',
    'are the bands of {asset} tight',
    'typical candle range for {asset}',
    '{asset} vol',
    'how bumpy is {asset}',
    'how much does {asset} swing',
    'how nervous is {asset}',
    'how choppy is {asset}',
    'how big are the daily swings of {asset}',
    'how much can {asset} move in a day',
    'are the moves of {asset} getting bigger',
    'typical daily range of {asset}',
    'is {asset} quiet',
    'is {asset} asleep',
    'how rough is the ride in {asset}',
    'is {asset} coiling',
    'is {asset} compressed',
    'how far does {asset} travel in a day',
    'how stormy is {asset}',
    'does {asset} move a lot',
    'how stable is {asset}',
    'are the swings in {asset} shrinking',
    'has {asset} calmed down',
    'is {asset} jumpier than usual',
    'compared to that how much does {asset} swing',
    'is {asset} calmer than usual',
    'how much does {asset} move per day',
    'atr percent of {asset}',
    'bandwidth of {asset}',
    '{indicator} bandwidth of {asset}',
    'are big moves coming in {asset}',
    'has {asset} been more volatile than usual',
    'is {asset} quieter than normal',
    'volatility of {asset} over {windowHours}',
    'is the squeeze on for {asset}',
    'how wild are the swings of {asset}',
    'is {asset} in a calm or a stressed regime',
    'realised vol of {asset}',
  ],
  needs: { asset: 'Which asset do you mean?' },
  takes: ['interval', 'tradeMarket'],
  yields: ['indicator-values'],
  args: seriesArgs,
  answer: ({ asset, interval, tradeMarket, atr, realised, regime, squeeze, bollinger }) => ({
    lead: `${regime.now === null ? `The volatility of ${asset} on ${interval} can't be ranked yet` : `The volatility of ${asset} on ${interval} is ${regime.now}`}: the usual range of a candle is ${inQuote(atr.value, tradeMarket)}, or ${writePercent(atr.percent)} of the price.`,
    figures: [
      ...(regime.percentile === null
        ? []
        : [
            `That is at percentile ${writeNumber(regime.percentile)} of the last ${counted(regime.percentileCandles, 'candle')}; the regime has lasted ${counted(regime.lasted, 'candle')}.`,
          ]),
      ...realisedWords(realised),
      squeezeWords(squeeze, bollinger),
    ],
    caveat:
      regime.now === null
        ? 'There is too little history to compare it with.'
        : 'Volatility says how far the price moves, not which way.',
  }),
});

function realisedWords(realised: Volatility['realised']): string[] {
  const known = realised.filter(({ percent }) => percent !== null);
  if (known.length === 0) return [];
  const words = known.map(({ days, percent }) => `${writePercent(percent!)} over ${counted(days, 'day')}`);
  return [`Scaled to a year it was ${joined(words)}.`];
}

function squeezeWords(
  { on, candles }: Volatility['squeeze'],
  { bandwidth }: Volatility['bollinger'],
): string {
  const width = `the Bollinger bands are ${writePercent(bandwidth)} of the price apart`;
  return on
    ? `A squeeze has been on for ${counted(candles, 'candle')}: ${width}.`
    : `There is no squeeze: ${width}.`;
}
