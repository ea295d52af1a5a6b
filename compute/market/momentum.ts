import { computeIndicator, paramsOf } from '../model/indicator.js';
import { cci } from '../indicators/cci.js';
import { macd } from '../indicators/macd.js';
import { rsi } from '../indicators/rsi.js';
import { sma } from '../indicators/sma.js';
import { stochastic } from '../indicators/stochastic.js';
import { percentileRank } from '../metrics/quantile.js';
import type { Candles } from '../model/candles.js';
import { crossFields, macdCrossFields, rsiCrossFields, type CrossLabels } from '../model/cross-reading.js';
import { field, type Values } from '../model/field.js';
import { nullReasonOf } from '../model/null-reason.js';
import { priceRounding } from '../model/price-rounding.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import {
  crossSignal,
  momentumWithin,
  oscillatorRounding,
  standingOf,
  trendOf,
  rsiCrossOf,
  macdCrossOf,
} from '../risk/cross.js';
import type { SeriesQuestion } from '../task.js';
import { isStill } from './is-still.js';
import { lastCross, lastCrossField } from './last-cross.js';
import { readAt, readAtFields } from './read-at.js';
import { requireCandles } from './require-candles.js';

/** The closed candles that the reading needs; percentiles need 100 values and are null until then. */
const momentumCandles = 60;

/** A percentile ranks the last value among `rankedCandles` at most and needs `fewestRanked`. */
const rankedCandles = 720;
const fewestRanked = 100;

/** A trend label looks back this many candles, as that of the RSI does. */
const trendCandles = 3;

/** The cross of an oscillator besides its labels and lines, and how far it has gone for this pair. */
const oscillatorFields = (zone: string) => ({
  lastCross: field.nullable(lastCrossField),
  zone: field.choice(zone, ['overbought', 'oversold', 'neutral']),
  percentile: field.nullable(
    field.number('percentile rank of the value among its last 720; null with fewer than 100', {
      min: 0,
      max: 100,
    }),
  ),
  percentileReason: nullReasonOf('percentile'),
  percentileCandles: field.count('values that the percentile is ranked among', { unit: 'candles' }),
});

export const momentumFields = {
  ...readAtFields,
  rsi: field.object('RSI(14) against its SMA(14)', {
    ...rsiCrossFields,
    ...oscillatorFields('overbought above 70, oversold below 30'),
  }),
  macd: field.object('MACD(12, 26, 9) against its signal line; its percentile is that of MACD / close', {
    ...macdCrossFields,
    ...oscillatorFields('overbought above the 95th percentile, oversold below the 5th'),
  }),
  stochastic: field.object('%K of Stochastic(14, 3, 3) against %D', {
    ...crossFields({
      trend: 'which way %D went over three candles; flat within 2 points',
      momentum: 'of %K since the candle before; beyond 80 overbought, below 20 oversold',
      results: { k: field.number('%K'), d: field.number('%D') },
    }),
    ...oscillatorFields('overbought above 80, oversold below 20'),
  }),
  cci: field.object('CCI(20) against 0', {
    ...crossFields({
      trend: 'which way CCI went over three candles; flat within 10 points',
      momentum: 'of CCI since the candle before; beyond 100 overbought, below -100 oversold',
      results: { cci: field.number('CCI(20)') },
    }),
    ...oscillatorFields('overbought above 100, oversold below -100'),
  }),
};

export type MomentumReport = Values<typeof momentumFields>;

export type OscillatorZone = MomentumReport['rsi']['zone'];

/** The four oscillators on the last candle. Throws `not_enough_history`. */
export function reportMomentum(question: SeriesQuestion, scratch = new ScratchBuffers()): MomentumReport {
  requireCandles('a momentum reading', question, momentumCandles);
  const { candles } = question;
  const reading = {
    rsi: readRsi(candles, scratch),
    macd: readMacd(candles, scratch),
    stochastic: readStochastic(candles, scratch),
    cci: readCci(candles, scratch),
  };
  if (isStill(candles)) for (const oscillator of Object.values(reading)) leaveZone(oscillator);
  return { ...readAt(question), ...reading };
}

function readRsi(candles: Candles, scratch: ScratchBuffers): MomentumReport['rsi'] {
  const { period } = rsi.params;
  const all = computeIndicator(rsi, candles, {}, scratch).rsi;
  const line = all.subarray(period.default);
  const average = computeIndicator(sma, { close: line }, { period: period.default }, scratch).sma;
  const reading = rsiCrossOf(all, scratch);
  const { momentum } = reading.labels;
  return {
    ...reading,
    lastCross: lastCross(candles.time.subarray(period.default), line, average, oscillatorRounding),
    zone: momentum === 'overbought' || momentum === 'oversold' ? momentum : 'neutral',
    ...rankOf(line, 0),
  };
}

function readMacd(candles: Candles, scratch: ScratchBuffers): MomentumReport['macd'] {
  const { time, close } = candles;
  const lines = computeIndicator(macd, candles, {}, scratch);
  const percents = scratch.column(close.length);
  for (let i = 0; i < percents.length; i++) percents[i] = (lines.macd[i] / close[i]) * 100;
  const rank = rankOf(percents, macd.warmup(paramsOf(macd.params), 'macd'));
  const rounding = priceRounding(close[close.length - 1]);
  return {
    ...macdCrossOf(lines, rounding),
    lastCross: lastCross(time, lines.macd, lines.signal, rounding),
    zone: rank.percentile === null ? 'neutral' : zoneOf(rank.percentile, 5, 95),
    ...rank,
  };
}

function readStochastic(candles: Candles, scratch: ScratchBuffers): MomentumReport['stochastic'] {
  const { k, d } = computeIndicator(stochastic, candles, {}, scratch);
  const [before, now] = k.subarray(-2);
  const mean = d.at(-1)!;
  return {
    value: standingOf(now, mean, oscillatorRounding),
    labels: {
      trend: trendOf(mean, d.at(-1 - trendCandles)!, 2),
      signal: crossSignal(k, d, oscillatorRounding),
      momentum: momentumWithin(now, before, 20, 80),
    },
    results: { k: now, d: mean },
    lastCross: lastCross(candles.time, k, d, oscillatorRounding),
    zone: zoneOf(now, 20, 80),
    ...rankOf(k, stochastic.warmup(paramsOf(stochastic.params), 'k')),
  };
}

function readCci(candles: Candles, scratch: ScratchBuffers): MomentumReport['cci'] {
  const line = computeIndicator(cci, candles, {}, scratch).cci;
  const zero = scratch.column(line.length).fill(0);
  const [before, now] = line.subarray(-2);
  return {
    value: standingOf(now, 0, oscillatorRounding),
    labels: {
      trend: trendOf(now, line.at(-1 - trendCandles)!, 10),
      signal: crossSignal(line, zero, oscillatorRounding),
      momentum: momentumWithin(now, before, -100, 100),
    },
    results: { cci: now },
    lastCross: lastCross(candles.time, line, zero, oscillatorRounding),
    zone: zoneOf(now, -100, 100),
    ...rankOf(line, cci.warmup(paramsOf(cci.params), 'cci')),
  };
}

function zoneOf(value: number, oversold: number, overbought: number): OscillatorZone {
  if (value > overbought) return 'overbought';
  return value < oversold ? 'oversold' : 'neutral';
}

/** The percentile of the last value among the values from index `first` on, 720 at most. */
function rankOf(
  line: Float64Array,
  first: number,
): Pick<MomentumReport['rsi'], 'percentile' | 'percentileReason' | 'percentileCandles'> {
  const values = line.subarray(Math.max(first, line.length - rankedCandles));
  const found = values.length;
  const percentile = found < fewestRanked ? null : percentileRank(values, values[found - 1]);
  const percentileReason = found < fewestRanked ? `needs ${fewestRanked} values, found ${found}` : null;
  return { percentile, percentileReason, percentileCandles: found };
}

/** Takes the zone off an oscillator, for a price that does not move. */
function leaveZone(oscillator: { zone: OscillatorZone; labels: CrossLabels }): void {
  oscillator.zone = 'neutral';
  const { momentum } = oscillator.labels;
  if (momentum === 'overbought' || momentum === 'oversold') oscillator.labels.momentum = 'flat';
}
