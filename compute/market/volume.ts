import { computeIndicator } from '../model/indicator.js';
import { mfi } from '../indicators/mfi.js';
import { obv } from '../indicators/obv.js';
import { rollingVwap } from '../indicators/rolling-vwap.js';
import { sessionVwap } from '../indicators/session-vwap.js';
import { linearRegression } from '../metrics/linear-regression.js';
import { mean } from '../metrics/returns.js';
import { sliceCandles, type Candles } from '../model/candles.js';
import type { Interval } from '../model/interval.js';
import type { VolumeAverageReading, VolumeReading, VolumeSpreadReading } from '../model/volume-reading.js';
import { readVolume } from '../risk/volume.js';
import type { SeriesQuestion } from '../task.js';
import { percentFrom, readAt, type ReadAt } from './read-at.js';
import { requireCandles } from './require-candles.js';
import { findValueArea, type ValueArea } from './value-area.js';

/** How many closed candles the reading needs at least. */
export const volumeCandles = 21;

/** Over how many candles slopes are taken. */
const slopeCandles = 20;

/** From which slope on balance volume counts as rising or falling: a tenth of a usual candle's volume per candle. */
const steepSlope = 0.1;

const mfiPeriod = 14;

/** How many of the last candles the value area is taken of, at most. */
const profileCandles = 200;

/** How many candles a rolling VWAP covers: a day of 1h, a week of 4h, some month of 1d. */
const vwapCandles: Record<Interval, number> = { '1h': 24, '4h': 42, '1d': 30 };

export interface VolumeReport extends ReadAt {
  /** The last candle against the one before, against the 20 before, and how far price went on it. */
  volume: VolumeReading;
  volumeAverage: VolumeAverageReading;
  volumeSpread: VolumeSpreadReading;
  obv: BalanceSlope;
  mfi: MoneyFlow;
  vwap: { rolling: VwapReading | null; session: VwapReading | null };
  /** Of the last 200 candles; null without volume. */
  valueArea: ValueArea | null;
}

/**
 * On balance volume over the last 20 candles: the slope of the straight line through it, as a multiple of the mean
 * volume of these candles, per candle: -1 (all volume on falling closes) to 1 or a little beyond; null without volume.
 */
export interface BalanceSlope {
  candles: number;
  slope: number | null;
  /** Share of its variance that the line explains, 0 to 1; null where it does not vary. */
  rSquared: number | null;
  /** Rising and falling from a tenth on. */
  direction: 'rising' | 'falling' | 'flat';
  /** What the line through the closes of the same candles does; flat within 0.01 % of price per candle. */
  priceDirection: 'rising' | 'falling' | 'flat';
  /** Whether volume goes with price, against it, or at least one of them nowhere. */
  agreement: 'confirms' | 'contradicts' | 'none';
}

export interface MoneyFlow {
  /** MFI(14), 0 to 100; null where no volume moved price. */
  value: number | null;
  /** Overbought above 80, oversold below 20. */
  zone: 'overbought' | 'oversold' | 'neutral';
}

export interface VwapReading {
  /** How many candles it covers. */
  candles: number;
  value: number;
  /** How far the close lies above it, in percent. */
  distancePercent: number | null;
}

/** How much is traded, on which side, and at which prices. Throws `not_enough_history`. */
export function reportVolume(question: SeriesQuestion): VolumeReport {
  requireCandles('a volume reading', question, volumeCandles);
  const { candles, interval } = question;
  const { volume, volumeAverage, volumeSpread } = readVolume(candles);
  const { length } = candles.close;
  return {
    ...readAt(question),
    volume,
    volumeAverage,
    volumeSpread,
    obv: balanceSlope(sliceCandles(candles, length - slopeCandles, length)),
    mfi: moneyFlow(sliceCandles(candles, length - mfiPeriod - 1, length)),
    vwap: { rolling: rollingAverage(candles, interval), session: sessionAverage(candles, interval) },
    valueArea: findValueArea(sliceCandles(candles, Math.max(0, length - profileCandles), length)),
  };
}

type Way = BalanceSlope['direction'];

const wayOf = (slope: number, steep: number): Way =>
  slope >= steep ? 'rising' : slope <= -steep ? 'falling' : 'flat';

function balanceSlope(candles: Candles): BalanceSlope {
  const { close } = candles;
  const balance = computeIndicator(obv, candles).obv;
  const usual = mean(candles.volume);
  const steps = close.map((_, i) => i);
  const line = linearRegression(steps, balance);
  const slope = usual > 0 && line ? line.slope / usual : null;
  const direction = wayOf(slope ?? 0, steepSlope);
  const price = linearRegression(steps, close);
  const priceDirection = wayOf((price?.slope ?? 0) / close[slopeCandles - 1], 1e-4);
  const isNowhere = direction === 'flat' || priceDirection === 'flat';
  const agreement = isNowhere ? 'none' : direction === priceDirection ? 'confirms' : 'contradicts';
  const rSquared = slope === null ? null : (line?.rSquared ?? null);
  return { candles: slopeCandles, slope, rSquared, direction, priceDirection, agreement };
}

function moneyFlow(candles: Candles): MoneyFlow {
  const value = computeIndicator(mfi, candles, { period: mfiPeriod }).mfi[mfiPeriod];
  // The indicator is 0 where there is no flow, and where all of it falls.
  if (value === 0 && !fell(candles)) return { value: null, zone: 'neutral' };
  return { value, zone: value > 80 ? 'overbought' : value < 20 ? 'oversold' : 'neutral' };
}

const fell = ({ high, low, close, volume }: Candles): boolean =>
  close.some(
    (price, i) =>
      i > 0 && volume[i] > 0 && high[i] + low[i] + price < high[i - 1] + low[i - 1] + close[i - 1],
  );

function rollingAverage(candles: Candles, interval: Interval): VwapReading | null {
  const period = vwapCandles[interval];
  const { length } = candles.close;
  if (length < period) return null;
  const recent = sliceCandles(candles, length - period, length);
  return vwapReading(recent, computeIndicator(rollingVwap, recent, { period }).vwap);
}

/** Since midnight UTC; a candle of a day has no session but itself. */
function sessionAverage(candles: Candles, interval: Interval): VwapReading | null {
  if (interval === '1d') return null;
  const dayMs = 86_400_000;
  const { time } = candles;
  const last = time.length - 1;
  const day = Math.floor(time[last] / dayMs);
  let first = last;
  while (first > 0 && Math.floor(time[first - 1] / dayMs) === day) first--;
  const today = sliceCandles(candles, first, last + 1);
  return vwapReading(today, computeIndicator(sessionVwap, today).vwap);
}

function vwapReading({ close }: Candles, vwap: Float64Array): VwapReading {
  const value = vwap[vwap.length - 1];
  return { candles: vwap.length, value, distancePercent: percentFrom(value, close[close.length - 1]) };
}
