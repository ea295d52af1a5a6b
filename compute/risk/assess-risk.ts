import { firstCandleFrom, sliceCandles, type Candles } from '../model/candles.js';
import { AppError } from '../model/errors.js';
import { intervalMs } from '../model/interval.js';
import {
  neededCandles,
  trendStrengths,
  type RiskAssessment,
  type TradeSide,
  type AdxReading,
} from '../model/risk-assessment.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import { strongestPattern } from '../patterns/rules/strongest-pattern.js';
import { dayOfWeekAt, marketSessionAt } from '../model/calendar.js';
import { readEmaCross, readRsiCross, readMacdCross } from './cross.js';
import { readPsar, roundNumbers, riskProfileOf, riskReasons, sumPoints } from './score.js';
import { readVolatility } from './volatility.js';
import { readVolume } from './volume.js';
import { computeIndicator } from '../model/indicator.js';
import { adx } from '../indicators/adx.js';

/** The limits of ADX between one strength and the next. */
const limits = [20, 25, 50, 75];

/** Strength and direction of the trend by ADX(14) of the last candle. */
export function readAdx(candles: Candles, scratch?: ScratchBuffers): AdxReading {
  const lines = computeIndicator(adx, candles, {}, scratch);
  const last = candles.close.length - 1;
  const value = lines.adx[last];
  const pdi = lines.pdi[last];
  const mdi = lines.mdi[last];
  const strength = limits.filter((limit) => value >= limit).length;
  return {
    value,
    pdi,
    mdi,
    strength,
    trendStrength: trendStrengths[strength],
    trendDirection: pdi > mdi ? 'up' : pdi < mdi ? 'down' : 'neutral',
  };
}

export interface RiskInput {
  /** All closed 1h candles of the coin. */
  candles: Candles;
  /** All closed 1h candles of the leading asset, BTC/USDT. Candles after the coin's last one are not used. */
  leading: Candles;
  /** Whether the coin is the leading asset itself. */
  isLeading: boolean;
  side: TradeSide;
}

/**
 * The readings after the coin's last candle, and a score of how many oppose a trade on the given side. Day and session
 * are those of the close of that candle. Throws `not_enough_history`.
 */
export function assessTrade(
  { candles, leading, isLeading, side }: RiskInput,
  scratch = new ScratchBuffers(),
): RiskAssessment {
  needHistory('the coin', candles.time.length);
  const last = candles.time.length - 1;
  const known = firstCandleFrom(leading.time, candles.time[last] + 1);
  needHistory('the leading asset', known);
  const closedMs = candles.time[last] + intervalMs('1h');
  const read = <T>(reader: (candles: Candles, scratch: ScratchBuffers) => T) =>
    scratch.within(() => reader(candles, scratch));
  const btc = { psar: scratch.within(() => readPsar(sliceCandles(leading, 0, known), scratch)) };
  const { relativeVolume, ...volumes } = readVolume(candles);
  const blocks = {
    adx: read(readAdx),
    psar: read(readPsar),
    btc,
    marketTrend: { value: btc.psar.value === 'up' ? ('bullish' as const) : ('bearish' as const) },
    rsiCross: read(readRsiCross),
    macdCross: read(readMacdCross),
    emaCross: read(readEmaCross),
    ...volumes,
    candlestick: scratch.within(() => strongestPattern(candles, last, scratch)),
    dayOfWeek: dayOfWeekAt(closedMs),
    marketSession: marketSessionAt(closedMs),
  };
  const readings = { ...blocks, relativeVolume, ...read(readVolatility) };
  const reasons = riskReasons(readings, side, isLeading);
  const score = sumPoints(reasons);
  return roundNumbers({ riskProfile: riskProfileOf(score), score, reasons, ...blocks });
}

function needHistory(whose: string, found: number): void {
  if (found >= neededCandles) return;
  const message = `a risk assessment needs ${neededCandles} closed 1h candles of ${whose}, found ${found}`;
  throw new AppError('not_enough_history', message, { details: { needed: neededCandles, found } });
}
