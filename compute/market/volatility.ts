import { defineAnalysis } from '../analysis.js';
import { computeIndicator } from '../model/indicator.js';
import { atr } from '../indicators/atr.js';
import { bollinger } from '../indicators/bollinger.js';
import { keltner } from '../indicators/keltner.js';
import { percentileRank } from '../metrics/quantile.js';
import { firstCandleFrom, type Candles } from '../model/candles.js';
import { field, type Value, type Values } from '../model/field.js';
import { nullReason, reasonsOf } from '../model/null-reason.js';
import { formatNumber } from '../model/format-number.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import type { SeriesQuestion } from '../task.js';
import { holdingFields, holdingSince } from './trend.js';
import { readAt, readAtFields } from './read-at.js';
import { fewestRanked, followRegimes, rankedCandles, regimeField, tooFewRanked } from './regimes.js';
import { requireCandles } from './require-candles.js';

/** The closed candles that the reading needs; fields that need more are null until then. */
const volatilityCandles = 30;

const atrPeriod = 14;
const bandPeriod = 20;
const dayMs = 86_400_000;
const yearMs = 365 * dayMs;

const bandFields = {
  upper: field.number('upper band', { unit: 'quote' }),
  middle: field.number('middle', { unit: 'quote' }),
  lower: field.number('lower band', { unit: 'quote' }),
};

type Band = Values<typeof bandFields>;

const bandReading = field.object('Bollinger bands (20, 2)', {
  ...bandFields,
  placePercent: field.nullable(
    field.number(
      'place of the close: 0 on the lower band, 100 on the upper, beyond them outside; null where they are equal',
    ),
  ),
  bandwidth: field.number('upper less lower band, as a share of the middle', { unit: 'percent' }),
  percentile: field.nullable(
    field.number('percentile rank of the bandwidth among the last 720 candles; null with fewer than 100', {
      min: 0,
      max: 100,
    }),
  ),
  percentileCandles: field.count('candles that it is ranked among', { unit: 'candles' }),
  reason: nullReason,
});

type BandReading = Value<typeof bandReading>;

/** Carter, Mastering the Trade, 2005. A squeeze is said to come before a larger move; it does not say which way. */
const squeeze = field.object(
  'whether both Bollinger bands lie within the Keltner channel, and since when this has been so',
  {
    on: field.flag('whether they do'),
    ...holdingFields,
    ratio: field.nullable(
      field.number('width of the Bollinger bands as a multiple of that of the channel; null where it is 0'),
    ),
    reason: nullReason,
  },
);

type Squeeze = Value<typeof squeeze>;

/** Taken about 0: Andersen, Bollerslev, Diebold and Labys, Modeling and Forecasting Realized Volatility, 2003. */
const realisedVolatility = field.object('root of the sum of squared log returns over the last days', {
  days: field.count('length of the window', { unit: 'days' }),
  percent: field.nullable(
    field.number('scaled to a year of 365 days by the time of the sample; null where history is too short', {
      unit: 'percent',
    }),
  ),
  returns: field.count('returns in the sample'),
  reason: nullReason,
});

type RealisedVolatility = Value<typeof realisedVolatility>;

const volatilityOutput = field.object('volatility now and against the past of the pair', {
  ...readAtFields,
  atr: field.object('ATR(14) by Wilder', {
    value: field.number('average true range', { unit: 'quote' }),
    percent: field.number('average true range as a share of the close', { unit: 'percent' }),
  }),
  bollinger: bandReading,
  keltner: field.object('Keltner channel, EMA(20) with 1.5 ATR(20) to either side', bandFields),
  squeeze,
  realised: field.list('realised volatility over 7, 30 and 90 days', realisedVolatility),
  regime: regimeField('ATR(14) / close'),
});

export type VolatilityReport = Value<typeof volatilityOutput>;

export const volatility = defineAnalysis({
  name: 'volatility',
  title: 'Volatility reading',
  summary:
    'ATR, Bollinger bandwidth with percentile, Keltner squeeze, realised volatility over 7, 30 and 90 days, and the regime of an asset: calm, normal or stressed.',
  needs: 'series',
  params: {},
  output: volatilityOutput,
  scope: 'public',
  tool: {
    name: 'get_volatility_reading',
    headline: ({ asset, interval, atr, squeeze, regime }) =>
      `Volatility of ${asset} on ${interval}: ATR ${formatNumber(atr.percent, 3)} %, squeeze ${squeeze.on ? 'on' : 'off'}, regime ${regime.now ?? 'unknown'}.`,
  },
  cost: 1,
  run: (question, scratch) => reportVolatility(question, scratch),
});

/** Volatility on the last candle, and how it compares with the past of the pair. Throws `not_enough_history`. */
export function reportVolatility(question: SeriesQuestion, scratch = new ScratchBuffers()): VolatilityReport {
  requireCandles('a volatility reading', question, volatilityCandles);
  const { candles } = question;
  const { close } = candles;
  const { length } = close;
  const range = computeIndicator(atr, candles, { period: atrPeriod }, scratch).atr;
  const atrPercent = scratch.column(length);
  for (let i = atrPeriod; i < length; i++) atrPercent[i] = (range[i] / close[i]) * 100;
  const bands = computeIndicator(bollinger, candles, { period: bandPeriod }, scratch);
  const channel = computeIndicator(
    keltner,
    candles,
    { period: bandPeriod, reach: bandPeriod, width: 1.5 },
    scratch,
  );
  return {
    ...readAt(question),
    atr: { value: range[length - 1], percent: atrPercent[length - 1] },
    bollinger: readBands(bands, close[length - 1], scratch),
    keltner: bandAt(channel, length - 1),
    squeeze: squeezeOf(candles, bands, channel),
    realised: [7, 30, 90].map((days) => realisedOver(days, candles)),
    regime: followRegimes(candles, atrPercent, atrPeriod, scratch),
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
    reason: reasonsOf(
      height <= 0 && 'the bands are equal: the price has not moved',
      widths.length < fewestRanked && tooFewRanked(widths.length),
    ),
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
    reason: width > 0 ? null : 'the channel has no width: the price has not moved',
  };
}

function realisedOver(days: number, { time, close }: Candles): RealisedVolatility {
  const last = time.length - 1;
  const start = firstCandleFrom(time, time[last] - days * dayMs + 1) - 1;
  if (start < 0)
    return { days, percent: null, returns: 0, reason: `the history is shorter than ${days} days` };
  let squares = 0;
  for (let i = start + 1; i <= last; i++) squares += Math.log(close[i] / close[i - 1]) ** 2;
  const years = (time[last] - time[start]) / yearMs;
  return { days, percent: Math.sqrt(squares / years) * 100, returns: last - start, reason: null };
}
