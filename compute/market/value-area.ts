import type { Candles } from '../model/candles.js';

/** How volume was spread over prices. */
export interface ValueArea {
  /** How many candles it is taken of, and into how many bins of equal height their range is cut. */
  candles: number;
  bins: number;
  binHeight: number;
  /** Point of control: the middle of the bin with the most volume. */
  poc: number;
  /** Upper and lower edge of the bins around it that hold 70 % of the volume. */
  vah: number;
  val: number;
  /** What share of the volume they really hold, in percent. */
  volumePercent: number;
  /** Where the last close lies; on an edge it is inside. */
  position: 'above' | 'inside' | 'below';
}

const bins = 100;
const wantedShare = 0.7;

/**
 * Volume at price: the volume of a candle is spread evenly over its low-high range, into 100 bins between the lowest
 * low and the highest high. From the point of control the area grows bin by bin, by the neighbour with more volume
 * (where both have the same by the one nearer to the point, else the upper), until it holds 70 %: Steidlmayer's market
 * profile. Of equal bins the one nearest to the middle of the range is the point of control. Null without volume.
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

/** The volume in each bin. A candle without reach puts all of its volume into the bin it lies in. */
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
