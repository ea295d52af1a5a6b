import type { Answered } from '../../answered.js';
import { writeNumber } from '../../format.js';
import { decidedArgs } from '../../decided-args.js';
import { defineIntent } from '../../intent.js';
import { seriesArgs, spannedCandles } from '../../market-args.js';
import { counted, inQuote, lengthInWords, ofCandle, sentence, writeVolume } from '../../market-words.js';

type Report = Answered<'divergences'>;

type Found = Report['divergences'][number];

const indicatorTitles = {
  rsi: 'RSI',
  macd_histogram: 'the MACD histogram',
  obv: 'on balance volume',
} as const;

export const divergencesIntent = defineIntent<Report>({
  name: 'divergences',
  title: 'divergences between price and RSI, MACD or on balance volume',
  tool: 'get_divergences',
  phrases: [
    'divergences on {asset}',
    'is there a divergence on {asset} {interval}',
    'bullish divergence {asset}',
    'any bearish divergence on {asset}',
    'hidden divergence on {asset} on {interval}',
    'do price and indicators disagree on {asset}',
    'find divergences for {asset}',
    'regular divergence {asset} confirmed?',
    '{indicator} divergence on {asset}',
    'does price diverge from the {indicator} of {asset}',
    'higher highs in price but lower highs in {indicator} on {asset}',
    'does the {indicator} disagree with the price of {asset}',
    'any {indicator} div on {asset}',
    'does the oscillator confirm the new high of {asset}',
    'is {indicator} not confirming the move of {asset}',
    'has {asset} diverged',
    'price up but {indicator} down on {asset}',
    'price and {indicator} out of step on {asset}',
    'do price and momentum of {asset} tell different stories',
    'is {indicator} diverging from price on {asset}',
    'divergences for {asset} in the last {candles} candles',
    'divergences in {asset} over {windowHours}',
    'divergence between price and {indicator} on {asset}',
    '{indicator} divergence {asset} last {candles} candles',
    'is {asset} diverging',
    'price makes higher highs but {indicator} does not on {asset}',
    'does price disagree with {indicator} on {asset}',
    'divergence between price and momentum of {asset}',
  ],
  needs: { asset: 'Which asset do you mean?' },
  takes: ['interval', 'tradeMarket', 'candles', 'windowHours', 'period', 'isToday', 'indicator'],
  args: (slots) => decidedArgs({ ...seriesArgs(slots), lookback: spannedCandles(slots, { most: 300 }) }),
  answer: (payload) => {
    const { asset, interval, lookback, divergences } = payload;
    const latest = divergences.at(0);
    if (!latest)
      return {
        lead: `There is no divergence on the last ${counted(lookback, 'candle')} of ${asset} on ${interval}.`,
      };
    const confirmed = divergences.filter(({ status }) => status === 'confirmed');
    const older = latest.status === 'pending' ? confirmed.at(0) : undefined;
    return {
      lead: `The latest divergence of ${asset} on ${interval} is ${latest.status}: ${kindWords(latest)}, ${agoWords(latest)}.`,
      figures: [
        swingWords(latest, payload),
        ...(older ? [`The last confirmed one is ${kindWords(older)}, ${agoWords(older)}.`] : []),
        `${sentence(lengthInWords(confirmed.length))} ${confirmed.length === 1 ? 'divergence has' : 'divergences have'} been confirmed within ${counted(lookback, 'candle')}.`,
      ],
      caveat: caveatWords(latest),
    };
  },
});

const kindWords = ({ type, sentiment, indicator }: Found): string =>
  `a ${type} ${sentiment} one with ${indicatorTitles[indicator]}`;

const agoWords = ({ candlesAgo }: Found): string =>
  candlesAgo === 0 ? 'at the last candle' : `${counted(candlesAgo, 'candle')} ago`;

function swingWords({ from, to, indicator, sentiment }: Found, { interval, tradeMarket }: Report): string {
  const swing = sentiment === 'bearish' ? 'high' : 'low';
  const at = ({ time, price }: Found['from']) =>
    `${inQuote(price, tradeMarket)} on ${ofCandle(time, interval)}`;
  return `From one ${swing} to the next the price went from ${at(from)} to ${at(to)}, while ${indicatorTitles[indicator]} went from ${valueWords(from.value)} to ${valueWords(to.value)}.`;
}

/** A value of an oscillator in three digits, a volume in words. */
const valueWords = (value: number): string =>
  Math.abs(value) < 1_000 ? writeNumber(value) : writeVolume(value);

function caveatWords({ status, type }: Found): string {
  if (status === 'pending') return 'A pending divergence may still vanish with the next candles.';
  return type === 'regular'
    ? 'A regular divergence speaks for a turn, but trends often outlast several of them.'
    : 'A hidden divergence speaks for the trend to go on; it is a hint, not more.';
}
