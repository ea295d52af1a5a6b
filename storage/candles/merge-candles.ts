import { candleColumns, createCandles, sliceCandles, type Candles } from '../../compute/model/candles.js';
import type { MarkedCandles } from './candle-block.js';

/** How candles that were made of shorter ones differ from those that have replaced them. */
export interface ReplacedCandles {
  count: number;
  /** How many differ in a price or in volume by more than rounding, and by how many percent at most. */
  differing: number;
  mostPricePercent: number;
  mostVolumePercent: number;
}

/** The result of merging a batch of candles into those already stored. */
export interface CandleMerge extends MarkedCandles {
  stored: number;
  alreadyThere: number;
  /** Open times of candles that are stored with different values. The stored ones are kept. */
  conflicts: number[];
  replaced: ReplacedCandles;
  /** Whether the merged candles or marks differ from the stored ones. */
  isChanged: boolean;
}

/** Sums in another order differ by less. */
const roundingPercent = 1e-7;

export const noneReplaced = (): ReplacedCandles => ({
  count: 0,
  differing: 0,
  mostPricePercent: 0,
  mostVolumePercent: 0,
});

/** Adds the differences of a further batch. */
export function addReplaced(sum: ReplacedCandles, more: ReplacedCandles): void {
  sum.count += more.count;
  sum.differing += more.differing;
  sum.mostPricePercent = Math.max(sum.mostPricePercent, more.mostPricePercent);
  sum.mostVolumePercent = Math.max(sum.mostVolumePercent, more.mostVolumePercent);
}

/**
 * Merges two series in order of time. Where both have a candle, the stored one is kept, unless it is made of shorter ones: then
 * the added one replaces it. Added candles that are made of shorter ones themselves are marked, and never conflict.
 */
export function mergeCandles(
  { candles: stored, derived: marks }: MarkedCandles,
  added: Candles,
  isDerived = false,
): CandleMerge {
  const most = stored.time.length + added.time.length;
  const merged = createCandles(most);
  const derived = new Uint8Array(most);
  const result = { stored: 0, alreadyThere: 0, conflicts: [] as number[], replaced: noneReplaced() };
  let count = 0;
  let isChanged = false;
  const take = (source: Candles, index: number, mark: number) => {
    for (const column of candleColumns) merged[column][count] = source[column][index];
    derived[count++] = mark;
  };
  const takeAdded = (index: number) => {
    isChanged = true;
    take(added, index, isDerived ? 1 : 0);
  };
  for (let s = 0, a = 0; s < stored.time.length || a < added.time.length;) {
    const storedTime = s < stored.time.length ? stored.time[s] : Infinity;
    const addedTime = a < added.time.length ? added.time[a] : Infinity;
    if (addedTime < storedTime) {
      takeAdded(a++);
      result.stored++;
    } else if (addedTime > storedTime) {
      take(stored, s, marks[s++]);
    } else {
      const isSame = sameCandle(stored, s, added, a);
      if (marks[s] === 1 && !(isSame && isDerived)) {
        if (!isDerived) {
          compare(stored, s, added, a, result.replaced);
          result.stored++;
        }
        takeAdded(a);
      } else {
        if (isSame) result.alreadyThere++;
        else if (!isDerived) result.conflicts.push(addedTime);
        take(stored, s, marks[s]);
      }
      s++;
      a++;
    }
  }
  const candles = sliceCandles(merged, 0, count);
  return { ...result, candles, derived: derived.slice(0, count), isChanged };
}

const sameCandle = (left: Candles, i: number, right: Candles, j: number): boolean =>
  candleColumns.every((column) => left[column][i] === right[column][j]);

/** Adds the difference of a derived candle from the one that replaces it. */
function compare(derived: Candles, i: number, own: Candles, j: number, replaced: ReplacedCandles): void {
  const off = (column: (typeof candleColumns)[number]) => percentOff(derived[column][i], own[column][j]);
  const price = Math.max(off('open'), off('high'), off('low'), off('close'));
  const volume = off('volume');
  replaced.count++;
  if (Math.max(price, volume) <= roundingPercent) return;
  replaced.differing++;
  replaced.mostPricePercent = Math.max(replaced.mostPricePercent, price);
  replaced.mostVolumePercent = Math.max(replaced.mostVolumePercent, volume);
}

/** In percent of the larger of both. */
const percentOff = (left: number, right: number): number =>
  left === right ? 0 : (Math.abs(left - right) / Math.max(left, right)) * 100;
