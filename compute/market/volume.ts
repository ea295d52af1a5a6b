import { defineAnalysis } from '../analysis.js';
import { computeIndicator } from '../model/indicator.js';
import { mfi } from '../indicators/mfi.js';
import { obv } from '../indicators/obv.js';
import { rollingVwap } from '../indicators/rolling-vwap.js';
import { sessionVwap } from '../indicators/session-vwap.js';
import { linearRegression } from '../metrics/linear-regression.js';
import { mean } from '../metrics/returns.js';
import { sliceCandles, type Candles } from '../model/candles.js';
import { field, type Value } from '../model/field.js';
import { formatNumber } from '../model/format-number.js';
import { nullReason, nullReasonOf } from '../model/null-reason.js';
import type { Interval } from '../model/interval.js';
import { volumeReadingFields } from '../model/risk-assessment.js';
import { readVolume } from '../risk/volume.js';
import type { SeriesQuestion } from '../task.js';
import { percentFrom, readAt, readAtFields } from './read-at.js';
import { requireCandles } from './require-candles.js';
import { findValueArea, valueAreaField } from './value-area.js';

/** The closed candles that the reading needs. */
const volumeCandles = 21;

/** A slope covers this many candles. */
const slopeCandles = 20;

/** On balance volume rises or falls from this slope on: a tenth of the mean volume per candle. */
const steepSlope = 0.1;

const mfiPeriod = 14;

/** The value area covers this many of the last candles at most. */
const profileCandles = 200;

/** A rolling VWAP covers a day of 1h candles, a week of 4h and 30 days of 1d. */
const vwapCandles: Record<Interval, number> = { '1h': 24, '4h': 42, '1d': 30 };

const ways = ['rising', 'falling', 'flat'] as const;

const balanceSlopeField = field.object('on balance volume over the last 20 candles', {
  candles: field.count('candles in the sample', { unit: 'candles' }),
  slope: field.nullable(
    field.number(
      'slope of the straight line through it per candle, as a multiple of the mean volume of these candles: about -1 where all volume is on falling closes, about 1 on rising ones; null without volume',
    ),
  ),
  rSquared: field.nullable(
    field.number('share of its variance that the line explains, 0 to 1; null where it does not vary'),
  ),
  reason: nullReason,
  direction: field.choice('direction of the line; flat between slopes of -0.1 and 0.1', ways),
  priceDirection: field.choice(
    'direction of the line through the closes; flat within 0.01 % of the price per candle',
    ways,
  ),
  agreement: field.choice('whether volume confirms the direction of price; none where one of them is flat', [
    'confirms',
    'contradicts',
    'none',
  ]),
});

type BalanceSlope = Value<typeof balanceSlopeField>;

const moneyFlowField = field.object('money flow index', {
  value: field.nullable(field.number('MFI(14), 0 to 100; null where no volume moved price')),
  reason: nullReason,
  zone: field.choice('overbought above 80, oversold below 20', ['overbought', 'oversold', 'neutral']),
});

type MoneyFlow = Value<typeof moneyFlowField>;

const vwapField = (text: string) =>
  field.object(text, {
    candles: field.count('candles that it covers', { unit: 'candles' }),
    value: field.number('average price, weighted by volume', { unit: 'quote' }),
    distancePercent: field.nullable(
      field.number('distance of the close from it, as a share of it; null where it is 0', {
        unit: 'percent',
      }),
    ),
  });

type VwapReading = Value<ReturnType<typeof vwapField>>;

const volumeOutput = field.object('volume against its past, its side, and its prices', {
  ...readAtFields,
  ...volumeReadingFields,
  obv: balanceSlopeField,
  mfi: moneyFlowField,
  vwap: field.object('averages of the price, weighted by volume', {
    rolling: field.nullable(
      vwapField(
        'over the last 24 candles of 1h, 42 of 4h, 30 of 1d; null where there are fewer, or none has volume',
      ),
    ),
    rollingReason: nullReasonOf('rolling'),
    session: field.nullable(vwapField('since midnight UTC; null on 1d, and while there is no volume')),
    sessionReason: nullReasonOf('session'),
  }),
  valueArea: field.nullable(valueAreaField),
  valueAreaReason: nullReasonOf('valueArea'),
});

export type VolumeReport = Value<typeof volumeOutput>;

export const volume = defineAnalysis({
  name: 'volume',
  title: 'Volume reading',
  summary:
    'Change, average, median, maximum and relative volume of an asset, slope of on balance volume, MFI, distance to VWAP, volume spread in words, value area by volume at price.',
  needs: 'series',
  params: {},
  output: volumeOutput,
  scope: 'public',
  tool: {
    name: 'get_volume_reading',
    headline: ({ asset, interval, volumeAverage, volumeSpread, obv }) =>
      `Volume of ${asset} on ${interval} is ${volumeAverage.label} (${formatNumber(Number(volumeAverage.relativeVolume), 3)} times the usual), spread ${volumeSpread.momentum.replace('noInterest', 'without interest')}, OBV ${obv.direction}.`,
  },
  cost: 1,
  run: (question) => reportVolume(question),
});

/** How much is traded, on which side, and at which prices. Throws `not_enough_history`. */
export function reportVolume(question: SeriesQuestion): VolumeReport {
  requireCandles('a volume reading', question, volumeCandles);
  const { candles, interval } = question;
  const { volume, volumeAverage, volumeSpread } = readVolume(candles);
  const { length } = candles.close;
  const valueArea = findValueArea(sliceCandles(candles, Math.max(0, length - profileCandles), length));
  return {
    ...readAt(question),
    volume,
    volumeAverage,
    volumeSpread,
    obv: balanceSlope(sliceCandles(candles, length - slopeCandles, length)),
    mfi: moneyFlow(sliceCandles(candles, length - mfiPeriod - 1, length)),
    vwap: averagesOf(candles, interval),
    valueArea,
    valueAreaReason: valueArea ? null : nothingTraded(Math.min(profileCandles, length)),
  };
}

type Way = (typeof ways)[number];

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
  const reason =
    slope === null
      ? nothingTraded(slopeCandles)
      : rSquared === null
        ? 'on balance volume does not vary'
        : null;
  return { candles: slopeCandles, slope, rSquared, reason, direction, priceDirection, agreement };
}

function moneyFlow(candles: Candles): MoneyFlow {
  const value = computeIndicator(mfi, candles, { period: mfiPeriod }).mfi[mfiPeriod];
  // The indicator is 0 both without any flow and where all flow is falling.
  if (value === 0 && !fell(candles))
    return { value: null, reason: 'no volume moved the price', zone: 'neutral' };
  return { value, reason: null, zone: value > 80 ? 'overbought' : value < 20 ? 'oversold' : 'neutral' };
}

const fell = ({ high, low, close, volume }: Candles): boolean =>
  close.some(
    (price, i) =>
      i > 0 && volume[i] > 0 && high[i] + low[i] + price < high[i - 1] + low[i - 1] + close[i - 1],
  );

const nothingTraded = (candles: number): string => `nothing was traded on the last ${candles} candles`;

function averagesOf(candles: Candles, interval: Interval): VolumeReport['vwap'] {
  const [rolling, session] = [rollingAverage(candles, interval), sessionAverage(candles, interval)];
  const [period, found] = [vwapCandles[interval], candles.close.length];
  const whyNoRolling = found < period ? `needs ${period} candles, found ${found}` : nothingTraded(period);
  const whyNoSession =
    interval === '1d' ? 'a session is a single candle of 1d' : 'nothing was traded since midnight UTC';
  return {
    rolling,
    rollingReason: rolling ? null : whyNoRolling,
    session,
    sessionReason: session ? null : whyNoSession,
  };
}

function rollingAverage(candles: Candles, interval: Interval): VwapReading | null {
  const period = vwapCandles[interval];
  const { length } = candles.close;
  if (length < period) return null;
  const recent = sliceCandles(candles, length - period, length);
  return vwapReading(recent, computeIndicator(rollingVwap, recent, { period }).vwap);
}

/** Since midnight UTC; null on 1d, where a session is a single candle. */
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

/** Null where nothing was traded: there is no price to average. */
function vwapReading({ close }: Candles, vwap: Float64Array): VwapReading | null {
  const value = vwap[vwap.length - 1];
  if (Number.isNaN(value)) return null;
  return { candles: vwap.length, value, distancePercent: percentFrom(value, close[close.length - 1]) };
}
