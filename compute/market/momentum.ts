import { computeIndicator, paramsOf } from '../model/indicator.js';
import { cci } from '../indicators/cci.js';
import { macd } from '../indicators/macd.js';
import { rsi } from '../indicators/rsi.js';
import { sma } from '../indicators/sma.js';
import { stochastic } from '../indicators/stochastic.js';
import { percentileRank } from '../metrics/percentile-rank.js';
import type { Candles } from '../model/candles.js';
import type { CrossReading, RiskAssessment } from '../model/risk-assessment.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import { crossSignal, momentumWithin, standingOf, trendOf } from '../risk/cross.js';
import { macdCrossOf } from '../risk/macd-cross.js';
import { rsiCrossOf } from '../risk/rsi-cross.js';
import type { SeriesQuestion } from '../task.js';
import { isStill } from './is-still.js';
import { lastCross, priceRounding, type LastCross } from './last-cross.js';
import { readAt, type ReadAt } from './read-at.js';
import { requireCandles } from './require-candles.js';

/** How many closed candles the reading needs at least; percentiles are null until there are 100 values. */
export const momentumCandles = 60;

/** Among how many values, the last included, a percentile is taken, and how many there must be. */
const rankedCandles = 720;
const fewestRanked = 100;

/** For how many candles a trend label looks back, as that of the RSI does. */
const trendCandles = 3;

/** One oscillator: labels and results as in the risk assessment, and how far it has gone for this pair. */
export interface OscillatorReading<Results> extends CrossReading<Results> {
  /** When the line last crossed the one it is held against. */
  lastCross: LastCross | null;
  zone: 'overbought' | 'oversold' | 'neutral';
  /** Percentile rank, 0 to 100, of the value among its last 720; null with fewer than 100. */
  percentile: number | null;
  percentileCandles: number;
}

export interface MomentumReport extends ReadAt {
  /** RSI(14) against its SMA(14); overbought above 70, oversold below 30. */
  rsi: OscillatorReading<RiskAssessment['rsiCross']['results']>;
  /**
   * MACD(12, 26, 9) against its signal line. It has no bounds of its own: overbought from the 95th percentile on,
   * oversold up to the 5th. The percentile is that of MACD in percent of the close.
   */
  macd: OscillatorReading<RiskAssessment['macdCross']['results']>;
  /**
   * %K of Stochastic(14, 3, 3) against %D; overbought above 80, oversold below 20. Trend is that of %D over 3 candles,
   * flat within 2 points.
   */
  stochastic: OscillatorReading<{ k: number; d: number }>;
  /**
   * CCI(20) against 0; overbought above 100, oversold below -100. Trend is that over 3 candles, flat within 10 points.
   */
  cci: OscillatorReading<{ cci: number }>;
}

type Zone = OscillatorReading<unknown>['zone'];

/** How fast price moves, which way, and whether it has gone far for this pair. Throws `not_enough_history`. */
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
    lastCross: lastCross(candles.time.subarray(period.default), line, average, 1e-10),
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
  return {
    ...macdCrossOf(lines),
    lastCross: lastCross(time, lines.macd, lines.signal, priceRounding(close[close.length - 1])),
    zone: rank.percentile === null ? 'neutral' : zoneOf(rank.percentile, 5, 95),
    ...rank,
  };
}

function readStochastic(candles: Candles, scratch: ScratchBuffers): MomentumReport['stochastic'] {
  const { k, d } = computeIndicator(stochastic, candles, {}, scratch);
  const [before, now] = k.subarray(-2);
  const mean = d.at(-1)!;
  return {
    value: standingOf(now, mean),
    labels: {
      trend: trendOf(mean, d.at(-1 - trendCandles)!, 2),
      signal: crossSignal(k, d),
      momentum: momentumWithin(now, before, 20, 80),
    },
    results: { k: now, d: mean },
    lastCross: lastCross(candles.time, k, d, 1e-10),
    zone: zoneOf(now, 20, 80),
    ...rankOf(k, stochastic.warmup(paramsOf(stochastic.params), 'k')),
  };
}

function readCci(candles: Candles, scratch: ScratchBuffers): MomentumReport['cci'] {
  const line = computeIndicator(cci, candles, {}, scratch).cci;
  const zero = scratch.column(line.length).fill(0);
  const [before, now] = line.subarray(-2);
  return {
    value: standingOf(now, 0),
    labels: {
      trend: trendOf(now, line.at(-1 - trendCandles)!, 10),
      signal: crossSignal(line, zero),
      momentum: momentumWithin(now, before, -100, 100),
    },
    results: { cci: now },
    lastCross: lastCross(candles.time, line, zero, 1e-10),
    zone: zoneOf(now, -100, 100),
    ...rankOf(line, cci.warmup(paramsOf(cci.params), 'cci')),
  };
}

function zoneOf(value: number, oversold: number, overbought: number): Zone {
  if (value > overbought) return 'overbought';
  return value < oversold ? 'oversold' : 'neutral';
}

/** The percentile of the last value among the last ones from index `first` on. */
function rankOf(line: Float64Array, first: number): { percentile: number | null; percentileCandles: number } {
  const values = line.subarray(Math.max(first, line.length - rankedCandles));
  const percentile = values.length < fewestRanked ? null : percentileRank(values, values[values.length - 1]);
  return { percentile, percentileCandles: values.length };
}

function leaveZone(oscillator: OscillatorReading<unknown>): void {
  oscillator.zone = 'neutral';
  const { momentum } = oscillator.labels;
  if (momentum === 'overbought' || momentum === 'oversold') oscillator.labels.momentum = 'flat';
}
