import { computeIndicator } from '../model/indicator.js';
import { atr } from '../indicators/atr.js';
import { bollinger } from '../indicators/bollinger.js';
import { keltner } from '../indicators/keltner.js';
import { percentileRank } from '../metrics/percentile-rank.js';
import { firstCandleFrom, type Candles } from '../model/candles.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import type { SeriesQuestion } from '../task.js';
import { holdingSince, type Holding } from './holding-since.js';
import { readAt, type ReadAt } from './read-at.js';
import { fewestRanked, followRegimes, rankedCandles, type RegimeHistory } from './regimes.js';
import { requireCandles } from './require-candles.js';

/** How many closed candles the reading needs at least; what needs more is null until it has them. */
export const volatilityCandles = 30;

const atrPeriod = 14;
const bandPeriod = 20;
const dayMs = 86_400_000;
const yearMs = 365 * dayMs;

export interface VolatilityReport extends ReadAt {
  /** ATR(14), Wilder: in quote units, and in percent of the close. */
  atr: { value: number; percent: number };
  bollinger: BandReading;
  /** Keltner channel, EMA(20) with 1.5 ATR(20) to either side; prices in quote units. */
  keltner: Band;
  squeeze: Squeeze;
  realised: RealisedVolatility[];
  /** By ATR(14) in percent of the close. */
  regime: RegimeHistory;
}

export interface Band {
  upper: number;
  middle: number;
  lower: number;
}

/** Bollinger(20, 2); prices in quote units. */
export interface BandReading extends Band {
  /** Where the close lies: 0 on the lower band, 100 on the upper, and beyond; null where they are one. */
  placePercent: number | null;
  /** Upper less lower band in percent of the middle. */
  bandwidth: number;
  /** The percentile rank of that, 0 to 100, among the last 720 candles that have one; null with fewer than 100. */
  percentile: number | null;
  percentileCandles: number;
}

/**
 * Whether both Bollinger bands (20, 2) lie within the Keltner channel (EMA 20, 1.5 ATR(20)): Carter, Mastering the
 * Trade, 2005. A squeeze is said to come before a larger move; it does not say which way.
 */
export interface Squeeze extends Holding {
  on: boolean;
  /** Width of the Bollinger bands as a multiple of the Keltner channel's; null where that has none. */
  ratio: number | null;
}

/**
 * Root of the sum of squared log returns over the last days, brought to a year of 365 days by the time that really
 * passed (so a gap does not distort it), in percent; null where the history does not reach back. Taken about 0, not
 * about the mean: Andersen, Bollerslev, Diebold and Labys, Modeling and Forecasting Realized Volatility, 2003.
 */
export interface RealisedVolatility {
  days: number;
  percent: number | null;
  /** How many returns it rests on. */
  returns: number;
}

/** How far price swings now, and how that compares with this pair's own past. Throws `not_enough_history`. */
export function reportVolatility(question: SeriesQuestion, scratch = new ScratchBuffers()): VolatilityReport {
  requireCandles('a volatility reading', question, volatilityCandles);
  const { candles } = question;
  const { close } = candles;
  const { length } = close;
  const range = computeIndicator(atr, candles, { period: atrPeriod }, scratch).atr;
  const unrest = scratch.column(length);
  for (let i = atrPeriod; i < length; i++) unrest[i] = (range[i] / close[i]) * 100;
  const bands = computeIndicator(bollinger, candles, { period: bandPeriod }, scratch);
  const channel = computeIndicator(
    keltner,
    candles,
    { period: bandPeriod, reach: bandPeriod, width: 1.5 },
    scratch,
  );
  return {
    ...readAt(question),
    atr: { value: range[length - 1], percent: unrest[length - 1] },
    bollinger: readBands(bands, close[length - 1], scratch),
    keltner: bandAt(channel, length - 1),
    squeeze: squeezeOf(candles, bands, channel),
    realised: [7, 30, 90].map((days) => realisedOver(days, candles)),
    regime: followRegimes(candles, unrest, atrPeriod, scratch),
  };
}

type Bands = Readonly<Record<keyof Band, Float64Array>>;

const bandAt = ({ upper, middle, lower }: Bands, i: number): Band => ({
  upper: upper[i],
  middle: middle[i],
  lower: lower[i],
});

function readBands(bands: Bands, price: number, scratch: ScratchBuffers): BandReading {
  const { upper, middle, lower } = bands;
  const { length } = upper;
  const from = Math.max(bandPeriod - 1, length - rankedCandles);
  const widths = scratch.column(length - from);
  for (let k = 0, i = from; i < length; k++, i++) widths[k] = ((upper[i] - lower[i]) / middle[i]) * 100;
  const bandwidth = widths[widths.length - 1];
  const band = bandAt(bands, length - 1);
  const height = band.upper - band.lower;
  return {
    ...band,
    placePercent: height > 0 ? ((price - band.lower) / height) * 100 : null,
    bandwidth,
    percentile: widths.length < fewestRanked ? null : percentileRank(widths, bandwidth),
    percentileCandles: widths.length,
  };
}

function squeezeOf(candles: Candles, bands: Bands, channel: Bands): Squeeze {
  const isOn = (i: number) => bands.upper[i] < channel.upper[i] && bands.lower[i] > channel.lower[i];
  const last = candles.close.length - 1;
  const width = channel.upper[last] - channel.lower[last];
  return {
    on: isOn(last),
    ...holdingSince(candles.time, bandPeriod, isOn),
    ratio: width > 0 ? (bands.upper[last] - bands.lower[last]) / width : null,
  };
}

function realisedOver(days: number, { time, close }: Candles): RealisedVolatility {
  const last = time.length - 1;
  const start = firstCandleFrom(time, time[last] - days * dayMs + 1) - 1;
  if (start < 0) return { days, percent: null, returns: 0 };
  let squares = 0;
  for (let i = start + 1; i <= last; i++) squares += Math.log(close[i] / close[i - 1]) ** 2;
  const years = (time[last] - time[start]) / yearMs;
  return { days, percent: Math.sqrt(squares / years) * 100, returns: last - start };
}
