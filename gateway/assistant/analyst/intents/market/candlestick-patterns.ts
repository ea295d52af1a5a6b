import type { Answered } from '../../answered.js';
import { writePercent } from '../../format.js';
import { decidedArgs } from '../../decided-args.js';
import { defineIntent } from '../../intent.js';
import { seriesArgs, spannedCandles } from '../../market-args.js';
import { counted, firstOf, ofCandle } from '../../market-words.js';

type Patterns = Answered<'candlestick-patterns'>;

type Occurrence = Patterns['patterns'][number];

const mostNamed = 5;

export const candlestickPatternsIntent = defineIntent<Patterns>({
  name: 'candlestick-patterns',
  title: 'candlestick patterns on the last candles, and what followed them so far',
  tool: 'get_candlestick_patterns',
  phrases: [
    'candlestick patterns on {asset}',
    'any patterns on {asset} {interval}',
    'is there a doji on {asset}',
    'did {asset} print a hammer',
    'bullish engulfing on {asset}?',
    'which candle patterns does {asset} show',
    'what patterns formed on {asset} lately',
    'reversal candles on {asset} on {interval}',
    'patterns in the last {candles} candles of {asset}',
    'japanese candlesticks {asset}',
    'morning star or evening star on {asset}',
    'how reliable are the candle patterns on {asset}',
    'bearish patterns on the {asset} chart',
    'what did the last candles of {asset} form',
    'any reversal pattern on {asset}',
    'hammer or shooting star on {asset}',
    'has {asset} formed a doji',
    'three white soldiers on {asset}',
    'spot any candle formations on {asset}',
    'harami on {asset}',
    'pin bar on {asset}',
    'what are the candles of {asset} telling us',
    'do the {interval} candles of {asset} hint at a reversal',
    'read the candlesticks of {asset} for me',
    'engulfing candle on {asset} {interval}',
    'candle signals on {asset}',
    'any hammer on {asset}',
    'three black crows on {asset}',
    'candlestick signals of {asset} for {windowHours}',
    'do the last {candles} candles of {asset} form anything',
    'shooting stars on {asset} in the last {candles} candles',
    'patterns on {asset} over {windowHours}',
    'candle patterns for {asset} {candles} candles',
    'evening star on {asset}',
    'inside bar on {asset}',
  ],
  needs: { asset: 'Which asset do you mean?' },
  takes: ['interval', 'tradeMarket', 'candles', 'windowHours', 'period', 'isToday'],
  args: (slots) => decidedArgs({ ...seriesArgs(slots), lookback: spannedCandles(slots, { most: 100 }) }),
  answer: ({ asset, interval, lookback, patterns, histories, base }) => {
    const span = `the last ${counted(lookback, 'candle')} of ${asset} on ${interval}`;
    if (patterns.length === 0) return { lead: `There is no candlestick pattern on ${span}.` };
    const told = patterns.find(({ sentiment }) => sentiment !== 'neutral') ?? patterns[0];
    const others = [...new Set(patterns.filter((each) => each !== told).map(patternWords))];
    const track = histories.find(({ name, sentiment }) => name === told.name && sentiment === told.sentiment);
    return {
      lead:
        told.sentiment === 'neutral'
          ? `No candlestick pattern on ${span} speaks for a direction; the latest is ${told.pattern}, ${whenWords(told, interval)}.`
          : `The latest candlestick pattern with a direction on ${span} is ${told.pattern}, ${told.sentiment}, ${whenWords(told, interval)}.`,
      figures: [
        ...(others.length > 0 ? [`Also there: ${firstOf(others, mostNamed)}.`] : []),
        ...(track?.followed ? [trackWords(track, track.followed, base)] : []),
      ],
      caveat: trackCaveat(track),
    };
  },
});

const patternWords = ({ pattern, sentiment }: Occurrence): string => `${pattern} (${sentiment})`;

const whenWords = ({ candlesAgo, time }: Occurrence, interval: string): string =>
  candlesAgo === 0
    ? 'on the last candle'
    : `on the candle of ${ofCandle(time, interval)}, ${counted(candlesAgo, 'candle')} ago`;

type Track = Patterns['histories'][number];

function trackWords(
  { counted: cases, sentiment }: Track,
  { percent, basePercent }: NonNullable<Track['followed']>,
  { count }: Patterns['base'],
): string {
  if (percent === null) return 'No earlier one of its kind can be counted yet.';
  const way = sentiment === 'bullish' ? 'rose' : 'fell';
  return `After ${counted(cases, 'earlier one')} the price ${way} over the next five candles in ${writePercent(percent)} of cases; after any of ${counted(count, 'candle')} it did so in ${writePercent(basePercent)}.`;
}

function trackCaveat(track: Track | undefined): string {
  const against = track?.followed?.against;
  if (against === 'better' || against === 'worse')
    return `That is significantly ${against} than after any candle, on this pair so far.`;
  return against === undefined
    ? 'A neutral pattern speaks for no direction.'
    : 'That is no different from chance: the pattern has told nothing on this pair so far.';
}
