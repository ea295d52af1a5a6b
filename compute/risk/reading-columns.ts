import { adx } from '../indicators/adx.js';
import { atr } from '../indicators/atr.js';
import { ema } from '../indicators/ema.js';
import { macd } from '../indicators/macd.js';
import { psar } from '../indicators/psar.js';
import { rsi } from '../indicators/rsi.js';
import { sma } from '../indicators/sma.js';
import type { Candles } from '../model/candles.js';
import { computeIndicator } from '../model/indicator.js';
import { intervalMs } from '../model/interval.js';
import { computePattern, sentimentOf, type Sentiment } from '../model/pattern.js';
import { priceRounding } from '../model/price-rounding.js';
import type { ScratchBuffers } from '../model/scratch-buffers.js';
import { Bars } from '../patterns/rules/bars.js';
import { patternsByStrength } from '../patterns/rules/strongest-pattern.js';
import { slideQuantile } from '../rolling/slide-quantile.js';
import { dayOfWeekAt } from '../model/calendar.js';
import { oscillatorRounding, standingOf } from './cross.js';
import { multipleOf } from './volume.js';
import type { Readings } from './score.js';

const comparedCandles = 20;
const averagePeriod = 14;

/** The first candle with an ATR, and the window and share of its usual limit. */
const limitOf = { first: 14, window: 720, share: 0.9 };

/**
 * The readings of a risk assessment on every candle, from one pass over the series. The returned
 * function gives what `assessTrade` reads from the candles up to candle `i`; `leadingIndex` is the last candle of the leading asset at that time.
 */
export function readingColumns(
  candles: Candles,
  leading: Candles,
  scratch: ScratchBuffers,
): (i: number, leadingIndex: number) => Readings {
  const { close, time, volume } = candles;
  const trend = computeIndicator(adx, candles, {}, scratch);
  const stops = computeIndicator(psar, candles, {}, scratch).psar;
  const leadingStops = computeIndicator(psar, leading, {}, scratch).psar;
  const strength = computeIndicator(rsi, candles, {}, scratch).rsi;
  // The average starts with the first RSI, because the values before it are NaN.
  const firstStrength = averagePeriod;
  const strengths = strength.subarray(firstStrength);
  const average = computeIndicator(sma, { close: strengths }, { period: averagePeriod }, scratch).sma;
  const momentum = computeIndicator(macd, candles, {}, scratch);
  const fast = computeIndicator(ema, candles, { period: 20 }, scratch).ema;
  const slow = computeIndicator(ema, candles, { period: 50 }, scratch).ema;
  const percents = computeIndicator(atr, candles, {}, scratch).atr.map(
    (range, i) => range * (100 / close[i]),
  );
  const limits = scratch.column(close.length);
  slideQuantile(percents, limitOf, limits);
  const sentiments = sentimentsOf(candles, scratch);
  return (i, leadingIndex) => {
    const rounding = priceRounding(close[i]);
    const [pdi, mdi] = [trend.pdi[i], trend.mdi[i]];
    return {
      adx: { value: trend.adx[i], trendDirection: pdi > mdi ? 'up' : pdi < mdi ? 'down' : 'neutral' },
      psar: { value: close[i] > stops[i] ? 'up' : 'down' },
      btc: { psar: { value: leading.close[leadingIndex] > leadingStops[leadingIndex] ? 'up' : 'down' } },
      rsiCross: {
        value: standingOf(strength[i], average[i - firstStrength], oscillatorRounding),
        results: { rsi: strength[i] },
      },
      macdCross: { value: standingOf(momentum.macd[i], momentum.signal[i], rounding) },
      emaCross: { value: standingOf(fast[i], slow[i], rounding) },
      relativeVolume: relativeVolumeAt(volume, i),
      atrPercent: percents[i],
      usualLimit: limits[i],
      candlestick: { sentiment: sentiments[i] },
      dayOfWeek: dayOfWeekAt(time[i] + intervalMs('1h')),
    };
  };
}

function relativeVolumeAt(volume: Float64Array, i: number): number {
  let sum = 0;
  for (let k = i - comparedCandles; k < i; k++) sum += volume[k];
  return multipleOf(volume[i], sum / comparedCandles);
}

/** The sentiment of the strongest pattern that ends on each candle. */
function sentimentsOf(candles: Candles, scratch: ScratchBuffers): Sentiment[] {
  const bars = new Bars(candles, scratch);
  const sentiments = new Array<Sentiment | undefined>(bars.length).fill(undefined);
  for (const pattern of patternsByStrength) {
    const values = computePattern(pattern, bars);
    for (let i = 0; i < values.length; i++)
      if (values[i] !== 0) sentiments[i] ??= sentimentOf(pattern, values[i]);
  }
  return sentiments.map((sentiment) => sentiment ?? 'neutral');
}
