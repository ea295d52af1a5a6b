import type { Collection } from 'mongodb';
import type { CandleBlock } from './candle-block.js';

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
