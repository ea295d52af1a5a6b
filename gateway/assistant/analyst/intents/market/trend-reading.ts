import type { Answered } from '../../answered.js';
import { writeNumber } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { seriesArgs } from '../../market-args.js';
import { counted, inQuote, joined, sentence } from '../../market-words.js';

type Trend = Answered<'trend'>;

/** As the field of the payload names them, in words. */
const strengths: Record<Trend['adx']['trendStrength'], string> = {
  weak: 'weak',
  developing: 'developing',
  strong: 'strong',
  veryStrong: 'very strong',
  extreme: 'extreme',
};

export const trendReadingIntent = defineIntent<Trend>({
  name: 'trend-reading',
  title: 'how strong and how old a trend is, by ADX, stops, clouds and moving averages',
  tool: 'get_trend_reading',
  phrases: [
    'how strong is the trend of {asset}',
    'trend strength of {asset} on {interval}',
    'is {asset} trending',
    'is {asset} above its moving averages',
    'golden cross on {asset}',
    'death cross {asset} {interval}',
    'where is the supertrend of {asset}',
    'ichimoku cloud of {asset}',
    'trend reading for {asset}',
    'is {asset} above or below the cloud',
    'moving average order of {asset}',
    'trailing stop of {asset} on {interval}',
    'is {asset} above its cloud',
    'are the moving averages of {asset} in order',
    'how strong is the downtrend in {asset}',
    'how strong is the uptrend of {asset}',
    'did {asset} have a golden cross',
    'when was the last death cross of {asset}',
    'how mature is the trend of {asset}',
    'how solid is the trend in {asset}',
    'is {asset} ranging or trending',
    'is {asset} just chopping around',
    'does the trend in {asset} have legs',
    'is the rally in {asset} real',
    'are the short averages of {asset} over the long ones',
    'is {asset} over its 200 day line',
    'how weak is the trend of {asset}',
    'any moving average cross on {asset}',
    'did the averages of {asset} cross',
    'where does the cloud of {asset} lie',
    'is {asset} in a real trend or just going sideways',
    'is the short average above the long one for {asset}',
    'is the trend of {asset} getting stronger',
    'is the trend of {asset} running out',
    'is {asset} trending or ranging',
    '{indicator} and {indicator} direction on {asset}',
    'adx and dmi reading on {asset}',
    'are the moving averages of {asset} lined up',
    'how steep are the moving averages on {asset}',
    'slope of the average on {asset}',
    'slope of the {indicator} of {asset}',
    'trend depth for {asset}',
    'do the moving averages support the rally in {asset}',
    'is the {asset} trend losing strength',
    'is {asset} in a strong trend',
    'do the averages of {asset} point up',
    'how did the moving averages of {asset} line up',
    'when was the last golden cross of {asset}',
    'which way do psar and supertrend point on {asset}',
    'are the averages of {asset} stacked bullishly',
    'how are the moving averages of {asset} stacked',
  ],
  needs: { asset: 'Which asset do you mean?' },
  takes: ['interval', 'tradeMarket'],
  yields: ['trend-state', 'indicator-values'],
  args: seriesArgs,
  answer: (payload) => {
    const { asset, interval, adx } = payload;
    return {
      lead: `The trend of ${asset} on ${interval} is ${strengths[adx.trendStrength]}${adx.trendDirection === 'neutral' ? ' and has no direction' : ` and points ${adx.trendDirection}`}: ADX is ${writeNumber(adx.value)}, +DI ${writeNumber(adx.pdi)} and -DI ${writeNumber(adx.mdi)}.`,
      figures: [stopWords(payload), averageWords(payload)],
      caveat: caveatWords(payload),
    };
  },
});

function stopWords({ psar, supertrend, tradeMarket, price }: Trend): string {
  const side = (value: 'up' | 'down') => (value === 'up' ? 'above' : 'below');
  const held = ({ candles }: Trend['psar']) => ` for ${counted(candles, 'candle')}`;
  return `The close of ${inQuote(price, tradeMarket)} has been ${side(psar.value)} the PSAR stop at ${inQuote(psar.stop, tradeMarket)}${held(psar)}, and ${side(supertrend.value)} the Supertrend stop at ${inQuote(supertrend.stop, tradeMarket)}${held(supertrend)}.`;
}

function averageWords({ movingAverages: { order, lastCross }, ichimoku: { cloud } }: Trend): string {
  const words = [
    order === 'mixed'
      ? 'the moving averages are in no clear order'
      : `the moving averages are in ${order} order`,
    ...(cloud ? [`the close is ${cloud.position} the Ichimoku cloud`] : []),
    ...(lastCross ? [`the last ${lastCross.kind} cross came ${agoWords(lastCross.candlesAgo)}`] : []),
  ];
  return `${sentence(joined(words))}.`;
}

const agoWords = (candles: number): string =>
  candles === 0 ? 'with the last candle' : `${counted(candles, 'candle')} ago`;

function caveatWords({ adx, psar, supertrend, movingAverages: { longTerm } }: Trend): string {
  if (adx.trendStrength === 'weak')
    return 'With a weak ADX the price may go sideways whatever the stops say.';
  if (psar.value !== supertrend.value) return 'PSAR and Supertrend contradict each other.';
  const short = supertrend.value === 'up' ? 'bullish' : 'bearish';
  return longTerm !== null && longTerm !== 'neutral' && longTerm !== short
    ? `The long-term averages still are ${longTerm}.`
    : 'All of these follow the price, so they turn late.';
}
