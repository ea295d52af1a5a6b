import { computeIndicator } from '../model/indicator.js';
import { atr } from '../indicators/atr.js';
import type { Candles } from '../model/candles.js';
import { countOf } from '../model/count-of.js';
import { field, type Values } from '../model/field.js';
import type { ScratchBuffers } from '../model/scratch-buffers.js';
import type { SeriesQuestion } from '../task.js';
import { findPivotPoints, type PivotPoints } from './pivot-points.js';
import { findSwings, lastMajorLeg, type Leg, type Swing } from './swings.js';

/** A price at which the market may turn or pause. */
export const priceLevelFields = {
  price: field.number('price of the level', { unit: 'quote' }),
  kind: field.choice('how the level is found', ['swings', 'pivot', 'donchian', 'fibonacci']),
  name: field.text('name of the level among those of its kind'),
  touches: field.nullable(field.count('confirmed swings that turned there; null for other kinds')),
  lastTouch: field.nullable(field.time('open time of the last of these swings; null for other kinds')),
};

export type PriceLevel = Values<typeof priceLevelFields>;

/** All levels of a pair, and what they are computed from. */
export interface PriceLevels {
  /** ATR(14) of the last candle, in quote units. */
  atr: number;
  levels: PriceLevel[];
  pivots: PivotPoints | null;
  majorLeg: Leg | null;
  /** Confirmed swings among the last 500 candles, oldest first. */
  swings: Swing[];
}

/** A swing is the extreme of this many candles on either side. */
const swingReach = 5;

/** Swings are looked for among this many of the last candles. */
const swingCandles = 500;

/** The reach of a cluster of swings around its centre, and the least length of a major swing, in ATR. */
const clusterReach = 0.5;
const majorLength = 5;

const donchianPeriods = [55, 20] as const;
const retracements = [0.236, 0.382, 0.5, 0.618, 0.786] as const;
const extensions = [1.272, 1.618] as const;

/**
 * The levels above zero: prices at which at least two swings of the last 500 candles turned within half an ATR of
 * each other; classic pivot points; edges of the last 20 and 55 candles; retracements (23.6 to 78.6 %) and extensions
 * (127.2, 161.8 %) of the last move between confirmed swings that is at least 5 ATR long. Needs 60 candles.
 */
export function findPriceLevels(question: SeriesQuestion, scratch: ScratchBuffers): PriceLevels {
  const { candles } = question;
  const { close } = candles;
  const range = computeIndicator(atr, candles, {}, scratch).atr[close.length - 1];
  const swings = findSwings(candles, swingReach, close.length - swingCandles);
  const pivots = findPivotPoints(question);
  const majorLeg = lastMajorLeg(swings, majorLength * range);
  const levels = [
    ...swingLevels(swings, clusterReach * range, candles),
    ...(pivots?.levels.map(({ name, price }) => plainLevel('pivot', name, price)) ?? []),
    ...donchianLevels(candles),
    ...(majorLeg ? fibonacciLevels(majorLeg) : []),
  ];
  return { atr: range, levels: levels.filter(({ price }) => price > 0), pivots, majorLeg, swings };
}

const plainLevel = (kind: PriceLevel['kind'], name: string, price: number): PriceLevel => ({
  price,
  kind,
  name,
  touches: null,
  lastTouch: null,
});

function swingLevels(swings: readonly Swing[], reach: number, { time, close }: Candles): PriceLevel[] {
  return clusterSwings(swings, reach, close[close.length - 1]).map(({ price, swings: members }) => {
    const highs = members.filter(({ kind }) => kind === 'high').length;
    const lastTouch = time[Math.max(...members.map(({ index }) => index))];
    const name = [
      ...(highs > 0 ? [countOf(highs, 'high')] : []),
      ...(members.length > highs ? [countOf(members.length - highs, 'low')] : []),
    ].join(', ');
    return { price, kind: 'swings', name, touches: members.length, lastTouch };
  });
}

/** The edges of the longer channel, and those of the shorter one where they differ. */
function donchianLevels({ high, low }: Candles): PriceLevel[] {
  const levels = donchianPeriods.flatMap((period) => [
    plainLevel('donchian', `${period}-candle high`, Math.max(...high.subarray(-period))),
    plainLevel('donchian', `${period}-candle low`, Math.min(...low.subarray(-period))),
  ]);
  return levels.filter((level, n) => n < 2 || level.price !== levels[n - 2].price);
}

function fibonacciLevels({ from, to }: Leg): PriceLevel[] {
  const way = to.price - from.price;
  const percent = (share: number) => `${Number((share * 100).toFixed(1))} %`;
  return [
    ...retracements.map((share) =>
      plainLevel('fibonacci', `${percent(share)} retracement`, to.price - share * way),
    ),
    ...extensions.map((share) =>
      plainLevel('fibonacci', `${percent(share)} extension`, from.price + share * way),
    ),
  ];
}

/** Swings that turned at nearly the same price. */
interface SwingCluster {
  /** Their mean, in quote units. */
  price: number;
  swings: Swing[];
}

/**
 * Clusters of at least two swings. The swing with the most others within `reach` takes them all; of several such swings
 * the nearest to `price`. Then the same is done with the remaining swings, so that each swing counts once.
 */
export function clusterSwings(swings: readonly Swing[], reach: number, price: number): SwingCluster[] {
  const clusters: SwingCluster[] = [];
  let left = [...swings].sort((a, b) => Math.abs(a.price - price) - Math.abs(b.price - price));
  for (;;) {
    const around = (centre: Swing) => left.filter((swing) => Math.abs(swing.price - centre.price) <= reach);
    const best = left.map(around).reduce((most, some) => (some.length > most.length ? some : most), []);
    if (best.length < 2) return clusters;
    const mean = best.reduce((sum, swing) => sum + swing.price, 0) / best.length;
    clusters.push({ price: mean, swings: best });
    left = left.filter((swing) => !best.includes(swing));
  }
}
