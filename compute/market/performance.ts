import { defineAnalysis } from '../analysis.js';
import { assetList, leadingAsset } from '../model/asset-fields.js';
import { AppError } from '../model/errors.js';
import { field, type Value, type Values } from '../model/field.js';
import { formatNumber } from '../model/format-number.js';
import { nullReason, reasonsOf } from '../model/null-reason.js';
import { correlatedShare } from '../metrics/correlated-share.js';
import { maxDrawdown } from '../metrics/drawdowns.js';
import { normalReach95 } from '../metrics/normal.js';
import { candleReturns } from '../metrics/returns.js';
import { sharpe } from '../metrics/return-ratios.js';
import { standardDeviation } from '../metrics/moments.js';
import { firstCandleFrom, type Candles } from '../model/candles.js';
import { intervalMs, type Interval } from '../model/interval.js';

const hourMs = intervalMs('1h');
const yearMs = 365 * 24 * hourMs;

/** How far back each window reaches, in hours of the calendar. */
export const performanceWindows = { '1d': 24, '7d': 168, '30d': 720, '90d': 2_160, '1y': 8_760 } as const;

export type PerformanceWindow = keyof typeof performanceWindows;

const performanceFigures = field.object('what the price did within the window', {
  from: field.time('close time of the last candle that closed before the window, from which it is measured'),
  returns: field.count('returns from candle to candle: the sample of volatility and Sharpe ratio'),
  returnPercent: field.number('return over the window', { unit: 'percent' }),
  volatilityPercent: field.nullable(
    field.number('annualised standard deviation of the returns; null with fewer than two', {
      unit: 'percent',
    }),
  ),
  sharpe: field.nullable(
    field.number('annualised Sharpe ratio, risk-free rate 0; null where the returns do not vary'),
  ),
  sharpeLow: field.nullable(
    field.number(
      'lower end of the 95 % interval of the Sharpe ratio (Lo, 2002), wider where returns follow their predecessors (Newey and West, 1987)',
    ),
  ),
  sharpeHigh: field.nullable(field.number('upper end of that interval')),
  maxDrawdownPercent: field.number('deepest fall from a close to a later close, 0 or below', {
    unit: 'percent',
  }),
  fromHighPercent: field.number('distance of the last close from the highest high, 0 or below', {
    unit: 'percent',
  }),
  fromLowPercent: field.number('distance of the last close from the lowest low, 0 or above', {
    unit: 'percent',
  }),
  relativeToBtcPoints: field.nullable(
    field.number(
      'return less that of BTC between the same two moments; null without a price of BTC at both',
      {
        unit: 'points',
      },
    ),
  ),
  reason: nullReason,
});

export type PerformanceFigures = Value<typeof performanceFigures>;

const windowPerformance = field.object('one window', {
  window: field.choice('length of the window', Object.keys(performanceWindows) as PerformanceWindow[]),
  figures: field.nullable(performanceFigures),
  reason: field.nullable(field.text('why there are no figures: the window is longer than the history')),
});

export type WindowPerformance = Value<typeof windowPerformance>;

/** What one price did over all windows. */
const performanceFields = {
  asOf: field.nullable(
    field.time('close time of the last candle, where all windows end; null without candles'),
  ),
  price: field.nullable(field.number('last close; null without candles', { unit: 'quote' })),
  windows: field.list('one for each length', windowPerformance),
};

export type Performance = Values<typeof performanceFields>;

export const performance = defineAnalysis({
  name: 'performance',
  title: 'Performance',
  summary: 'Returns and risk of 1 to 10 assets over 1d, 7d, 30d, 90d and 1y, side by side and against BTC.',
  needs: 'assets',
  interval: '1h',
  params: { assets: assetList('assets to compare', { min: 1, max: 10 }) },
  assets: ({ assets }) => assets,
  besides: [leadingAsset],
  output: field.object('performance by asset', {
    rows: field.list(
      'one for each asset, in the order asked',
      field.object('an asset', { asset: field.text('asset symbol'), ...performanceFields }),
    ),
  }),
  scope: 'public',
  tool: {
    name: 'get_performance',
    headline: ({ rows }) => `Returns of ${rows.map(returnWords).join('; ')}.`,
  },
  cost: 3,
  run({ pairs, interval, params }) {
    const candlesOf = new Map(pairs.map(({ asset, candles }) => [asset, candles]));
    const btc = candlesOf.get(leadingAsset) ?? null;
    return {
      rows: params.assets.map((asset) => {
        const candles = candlesOf.get(asset);
        if (candles) return { asset, ...readPerformance(candles, btc, interval) };
        throw new AppError('invalid_input', `there are no candles of "${asset}"`, {
          details: { field: 'assets', asset },
        });
      }),
    };
  },
});

/** Such as "BTC: 1d 1.2 %, 7d -4 %, 1y unknown". */
const returnWords = ({ asset, windows }: { asset: string } & Pick<Performance, 'windows'>): string =>
  `${asset}: ${windows
    .map(
      ({ window, figures }) =>
        `${window} ${figures ? `${formatNumber(figures.returnPercent, 3)} %` : 'unknown'}`,
    )
    .join(', ')}`;

/**
 * Returns and risk over 1d to 1y, counted in calendar time back from the last close, so that missing rows shorten
 * nothing. The price at a moment is the close of the last candle closed by then. `btc` are the candles of BTC in the
 * same quote, null where there are none; nothing of them later than the last close is read. Volatility and Sharpe are
 * brought to a year by the returns per year that the window really has: a return over a gap carries the variance of
 * all its hours, so the sum stays right.
 */
export function readPerformance(candles: Candles, btc: Candles | null, interval: Interval): Performance {
  const { time, close } = candles;
  const windows = Object.keys(performanceWindows) as PerformanceWindow[];
  const last = time.length - 1;
  return {
    asOf: last < 0 ? null : time[last] + intervalMs(interval),
    price: last < 0 ? null : close[last],
    windows: windows.map((window) => readWindow(window, candles, btc, interval)),
  };
}

function readWindow(
  window: PerformanceWindow,
  candles: Candles,
  btc: Candles | null,
  interval: Interval,
): WindowPerformance {
  const { time } = candles;
  if (time.length === 0) return { window, figures: null, reason: 'there are no candles' };
  const endMs = time[time.length - 1] + intervalMs(interval);
  const spanMs = performanceWindows[window] * hourMs;
  const base = lastClosedBy(time, endMs - spanMs, interval);
  if (base < 0) {
    const known = Math.floor((endMs - time[0]) / hourMs);
    const needed = performanceWindows[window] + intervalMs(interval) / hourMs;
    return { window, figures: null, reason: `needs ${needed} hours of history, found ${known}` };
  }
  const figures = figuresOf(candles, base, interval);
  const btcReturn = btc && returnBetween(btc, endMs - spanMs, endMs, interval);
  const relativeToBtcPoints = btcReturn === null ? null : figures.returnPercent - btcReturn;
  const why = reasonsOf(
    figures.returns < 2 && `volatility needs two returns, found ${figures.returns}`,
    figures.returns >= 2 && figures.sharpe === null && 'the returns do not vary',
    relativeToBtcPoints === null && 'BTC has no price at both ends of the window',
  );
  return { window, figures: { ...figures, relativeToBtcPoints, reason: why }, reason: null };
}

/** The index of the last candle that has closed at a moment; -1 of none. */
const lastClosedBy = (time: Float64Array, momentMs: number, interval: Interval): number =>
  firstCandleFrom(time, momentMs - intervalMs(interval) + 1) - 1;

function figuresOf(
  { time, high, low, close }: Candles,
  base: number,
  interval: Interval,
): Omit<PerformanceFigures, 'relativeToBtcPoints' | 'reason'> {
  const price = close[close.length - 1];
  const path = close.subarray(base);
  const returns = candleReturns(path);
  const count = returns.length;
  const from = time[base] + intervalMs(interval);
  // The first return may begin before the window: at the last close before a gap.
  const perYear = (count * yearMs) / (time[time.length - 1] + intervalMs(interval) - from);
  const ratio = sharpe(returns, perYear);
  // The error of a year's ratio: sqrt((c + s^2 / 2) / n) of the ratio s per return, times the root of the returns in a year; c is
  // 1 for independent returns.
  const reach =
    ratio === null
      ? null
      : normalReach95 * Math.sqrt((perYear * correlatedShare(returns) + (ratio * ratio) / 2) / count);
  return {
    from,
    returns: count,
    returnPercent: (price / close[base] - 1) * 100,
    volatilityPercent: count < 2 ? null : standardDeviation(returns) * Math.sqrt(perYear) * 100,
    sharpe: ratio,
    sharpeLow: reach === null ? null : ratio! - reach,
    sharpeHigh: reach === null ? null : ratio! + reach,
    maxDrawdownPercent: maxDrawdown(path)!,
    fromHighPercent: (price / extreme(high, base + 1, Math.max) - 1) * 100,
    fromLowPercent: (price / extreme(low, base + 1, Math.min) - 1) * 100,
  };
}

function extreme(column: Float64Array, from: number, pick: (a: number, b: number) => number): number {
  let found = column[from];
  for (let i = from + 1; i < column.length; i++) found = pick(found, column[i]);
  return found;
}

/** The return in percent between two moments; null where the series does not reach back to the one or on to the other. */
function returnBetween(
  { time, close }: Candles,
  fromMs: number,
  toMs: number,
  interval: Interval,
): number | null {
  const from = lastClosedBy(time, fromMs, interval);
  if (from < 0 || time[time.length - 1] + intervalMs(interval) < toMs) return null;
  return (close[lastClosedBy(time, toMs, interval)] / close[from] - 1) * 100;
}
