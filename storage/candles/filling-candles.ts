import type { Collection } from 'mongodb';
import { candleColumns, createCandles, type Candles } from '../../compute/model/candles.js';
import { intervalMs, sourceIntervals, type SourceInterval } from '../../compute/model/interval.js';
import { resampleCandles } from '../../compute/model/resample.js';
import { decodeMarked, type CandleBlock, type MarkedCandles } from './candle-block.js';
import { mergeCandles } from './merge-candles.js';
import { seriesId, type SeriesKey, type SeriesRepository } from './series.js';

export type BlockSummary = Omit<CandleBlock, 'columns' | 'derived'>;

/** The blocks with these ids, in order of time. */
export const findBlocks = (blocks: Collection<CandleBlock>, ids: readonly string[]): Promise<CandleBlock[]> =>
  blocks
    .find({ _id: { $in: ids } })
    .sort({ _id: 1 })
    .toArray();

/** The blocks with these ids without their candles, in order of time. */
export const findSummaries = (
  blocks: Collection<CandleBlock>,
  ids: readonly string[],
): Promise<BlockSummary[]> =>
  blocks
    .find({ _id: { $in: ids } }, { projection: { columns: 0, derived: 0 } })
    .sort({ _id: 1 })
    .toArray();

/**
 * Candles of an interval for some months, made of the stored shorter ones: each of the longest ones of which one in its time
 * was added as it is, not made itself.
 */
export async function fillingCandles(
  key: SeriesKey<SourceInterval>,
  months: readonly string[],
  { blocks, series }: { blocks: Collection<CandleBlock>; series: Pick<SeriesRepository, 'find'> },
): Promise<Candles> {
  let filled = createCandles(0);
  const bucketMs = intervalMs(key.interval);
  for (const interval of sourceIntervals.slice(0, sourceIntervals.indexOf(key.interval))) {
    const shorter = await series.find({ ...key, interval });
    if (!shorter) continue;
    const range = { bucketMs, firstMs: shorter.first, endMs: shorter.last + intervalMs(interval) };
    const ids = months.map((month) => `${seriesId(shorter)}:${month}`);
    for (const block of (await findBlocks(blocks, ids)).map(decodeMarked)) {
      const made = fromOwn(resampleCandles(block.candles, range), block, bucketMs);
      const derived = new Uint8Array(filled.time.length).fill(1);
      ({ candles: filled } = mergeCandles({ candles: filled, derived }, made));
    }
  }
  return filled;
}

/** Of the candles made of a block, those with one in their time that is not made itself. */
function fromOwn(made: Candles, { candles: { time }, derived }: MarkedCandles, bucketMs: number): Candles {
  if (!derived.includes(1)) return made;
  const own = new Set<number>();
  for (let i = 0; i < time.length; i++)
    if (derived[i] === 0) own.add(Math.floor(time[i] / bucketMs) * bucketMs);
  const places = [...made.time.keys()].filter((i) => own.has(made.time[i]));
  const kept = createCandles(places.length);
  for (const column of candleColumns) places.forEach((from, to) => (kept[column][to] = made[column][from]));
  return kept;
}
