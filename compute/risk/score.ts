import type {
  RiskAssessment,
  RiskProfile,
  RiskReason,
  TradeSide,
  PsarReading,
} from '../model/risk-assessment.js';
import type { VolatilityReading } from './volatility.js';
import { computeIndicator } from '../model/indicator.js';
import { psar } from '../indicators/psar.js';
import type { Candles } from '../model/candles.js';
import { formatNumber } from '../model/format-number.js';
import type { ScratchBuffers } from '../model/scratch-buffers.js';

/** Significant digits of a number in an answer. */
const significantDigits = 8;

/** The smallest whole number with more digits. */
const tooLong = 10 ** significantDigits;

/** The nearest number of at most 8 significant digits. */
function roundSignificant(value: number): number {
  // Most numbers of an answer are small whole numbers, which need no rounding.
  if (Number.isInteger(value) && Math.abs(value) < tooLong) return value;
  return Number(value.toPrecision(significantDigits));
}

/** A copy of plain data in which every number has at most 8 significant digits. */
export function roundNumbers<T>(data: T): T {
  if (typeof data === 'number') return roundSignificant(data) as T;
  if (Array.isArray(data)) return data.map(roundNumbers) as T;
  if (typeof data !== 'object' || data === null) return data;
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(data)) copy[key] = roundNumbers<unknown>(value);
  return copy as T;
}

/** The side of the parabolic stop, PSAR(0.02, 0.2), on which the last candle closed; a close on the stop is down. */
export function readPsar(candles: Candles, scratch?: ScratchBuffers): PsarReading {
  const last = candles.close.length - 1;
  const stop = computeIndicator(psar, candles, {}, scratch).psar[last];
  return {
    value: candles.close[last] > stop ? 'up' : 'down',
    psarValue: formatNumber(roundSignificant(stop), significantDigits),
  };
}

/** The input of the rules, without rounding: the part of the readings that counts. */
export interface Readings extends Pick<RiskAssessment, 'dayOfWeek'>, VolatilityReading {
  adx: Pick<RiskAssessment['adx'], 'value' | 'trendDirection'>;
  psar: Pick<RiskAssessment['psar'], 'value'>;
  btc: { psar: Pick<RiskAssessment['psar'], 'value'> };
  rsiCross: Pick<RiskAssessment['rsiCross'], 'value'> & { results: { rsi: number } };
  macdCross: Pick<RiskAssessment['macdCross'], 'value'>;
  emaCross: Pick<RiskAssessment['emaCross'], 'value'>;
  candlestick: Pick<RiskAssessment['candlestick'], 'sentiment'>;
  relativeVolume: number;
}

/** The words that oppose a side, and the RSI beyond which the side is overextended. */
const against = {
  long: { direction: 'down', standing: 'bearish', rsi: '> 75', isExtreme: (rsi: number) => rsi > 75 },
  short: { direction: 'up', standing: 'bullish', rsi: '< 25', isExtreme: (rsi: number) => rsi < 25 },
} as const;

/**
 * Every rule with its points against the trade, in a fixed order; a rule that does not apply gives 0. A neutral reading
 * opposes no side. The PSAR of the leading asset does not count for itself.
 */
export function riskReasons(readings: Readings, side: TradeSide, isLeading: boolean): RiskReason[] {
  const { adx, psar, btc, rsiCross, macdCross, emaCross, candlestick, dayOfWeek } = readings;
  const { relativeVolume, atrPercent, usualLimit } = readings;
  const { direction, standing, rsi: rsiLimit, isExtreme } = against[side];
  const reason = (
    rule: string,
    value: RiskReason['value'],
    threshold: string,
    points: number,
    holds: boolean,
  ) => ({ rule, value, threshold, points: holds ? points : 0 });
  const is = (rule: string, value: string, wanted: string, points: number) =>
    reason(rule, value, wanted, points, value === wanted);
  const trend = `${roundSignificant(adx.value)} ${adx.trendDirection}`;
  const { rsi } = rsiCross.results;
  const volume = Number.isFinite(relativeVolume) ? relativeVolume : null;
  return [
    reason(
      'adx.against',
      trend,
      `>= 25 ${direction}`,
      2,
      adx.value >= 25 && adx.trendDirection === direction,
    ),
    reason('adx.weak', adx.value, '< 20', 1, adx.value < 20),
    is('psar', psar.value, direction, 1),
    isLeading
      ? reason('btc.psar', btc.psar.value, 'not counted', 2, false)
      : is('btc.psar', btc.psar.value, direction, 2),
    reason('rsi.extreme', rsi, rsiLimit, 1, isExtreme(rsi)),
    is('rsiCross', rsiCross.value, standing, 1),
    is('macdCross', macdCross.value, standing, 1),
    is('emaCross', emaCross.value, standing, 2),
    reason('relativeVolume', volume, '< 0.5', 1, relativeVolume < 0.5),
    reason('atrPercent', atrPercent, `> ${roundSignificant(usualLimit)}`, 2, atrPercent > usualLimit),
    is('candlestick', candlestick.sentiment, standing, 1),
    is('dayOfWeek', dayOfWeek, 'Weekend', 1),
  ];
}

export const sumPoints = (reasons: readonly RiskReason[]): number =>
  reasons.reduce((sum, { points }) => sum + points, 0);

export function riskProfileOf(score: number): RiskProfile {
  if (score <= 4) return 'low';
  return score <= 8 ? 'moderate' : 'tooRisky';
}
