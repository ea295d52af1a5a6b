import type { Candles } from '../model/candles.js';
import { field, type Value } from '../model/field.js';

export const valueAreaField = field.object('how volume is spread over prices', {
  candles: field.count('candles in the sample', { unit: 'candles' }),
  bins: field.count('bins of equal height between the lowest low and the highest high'),
  binHeight: field.number('height of a bin', { unit: 'quote' }),
  poc: field.number('point of control: the middle of the bin with the most volume', { unit: 'quote' }),
  vah: field.number('upper edge of the bins around it that hold 70 % of the volume', { unit: 'quote' }),
  val: field.number('lower edge of these bins', { unit: 'quote' }),
  volumePercent: field.number('share of the volume that these bins really hold', { unit: 'percent' }),
  position: field.choice('where the last close is; on an edge it is inside', ['above', 'inside', 'below']),
});

export type ValueArea = Value<typeof valueAreaField>;

const bins = 100;
const wantedShare = 0.7;

/**
 * Volume at price, Steidlmayer's market profile. The volume of a candle is spread evenly over its low-high range, into
 * 100 bins between the lowest low and the highest high. The point of control is the bin with the most volume; of equal
 * ones the nearest to the middle of the range. From there the area grows bin by bin until it holds 70 %: by the
 * neighbour with more volume; of equal ones by the nearer to the point of control, else the upper. Null without volume.
 */
export function findValueArea(candles: Candles): ValueArea | null {
  const { close } = candles;
  const top = candles.high.reduce((most, price) => Math.max(most, price), -Infinity);
  const bottom = candles.low.reduce((least, price) => Math.min(least, price), Infinity);
  const price = close[close.length - 1];
  const height = (top - bottom) / bins;
  const volumes = volumeAtPrice(candles, bottom, height);
  const total = volumes.reduce((sum, volume) => sum + volume, 0);
  if (!(total > 0)) return null;
  const [low, high] = growFrom(fullestOf(volumes), volumes, wantedShare * total);
  const held = volumes.slice(low, high + 1).reduce((sum, volume) => sum + volume, 0);
  const vah = bottom + (high + 1) * height;
  const val = bottom + low * height;
  return {
    candles: close.length,
    bins,
    binHeight: height,
    poc: bottom + (fullestOf(volumes) + 0.5) * height,
    vah,
    val,
    volumePercent: (held / total) * 100,
    position: price > vah ? 'above' : price < val ? 'below' : 'inside',
  };
}

/** The volume in each bin. A candle whose high is its low puts all of its volume into one bin. */
function volumeAtPrice({ high, low, volume }: Candles, bottom: number, height: number): Float64Array {
  const volumes = new Float64Array(bins);
  const binOf = (price: number) =>
    height > 0 ? Math.min(bins - 1, Math.max(0, Math.floor((price - bottom) / height))) : 0;
  for (let i = 0; i < high.length; i++) {
    const first = binOf(low[i]);
    const last = binOf(high[i]);
    if (first === last) {
      volumes[first] += volume[i];
      continue;
    }
    const perPrice = volume[i] / (high[i] - low[i]);
    volumes[first] += perPrice * (bottom + (first + 1) * height - low[i]);
    for (let bin = first + 1; bin < last; bin++) volumes[bin] += perPrice * height;
    volumes[last] += perPrice * (high[i] - (bottom + last * height));
  }
  return volumes;
}

function fullestOf(volumes: Float64Array): number {
  const middle = (bins - 1) / 2;
  let fullest = 0;
  for (let bin = 1; bin < bins; bin++) {
    const more = volumes[bin] - volumes[fullest];
    if (more > 0 || (more === 0 && Math.abs(bin - middle) < Math.abs(fullest - middle))) fullest = bin;
  }
  return fullest;
}

/** The first and the last of the bins around `start` that hold the wanted volume. */
function growFrom(start: number, volumes: Float64Array, wanted: number): [low: number, high: number] {
  let [low, high] = [start, start];
  let held = volumes[start];
  while (held < wanted && (low > 0 || high < bins - 1)) {
    const below = low > 0 ? volumes[low - 1] : -1;
    const above = high < bins - 1 ? volumes[high + 1] : -1;
    const upwards = above > below || (above === below && high - start <= start - low);
    held += upwards ? volumes[++high] : volumes[--low];
  }
  return [low, high];
}
