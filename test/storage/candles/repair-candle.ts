import { decodeBlock, encodeBlock, type CandleBlock } from '../../../storage/candles/candle-block.js';
import type { Pair } from '../../../storage/candles/series.js';
import { pickCandles } from './candle-parts.js';
import type { TemporaryStorage } from '../../support/servers/temporary-storage.js';

/** Changes the close of a stored 1h candle, as only a repair may, and makes 4h, 1d and the series follow from it. */
export async function repairCandle(
  { db, storage }: TemporaryStorage,
  pair: Pair,
  timeMs: number,
  close: number,
): Promise<void> {
  const blocks = db.collection<CandleBlock>('candles');
  const ofPair = { $regex: `^${pair.market}:${pair.base}/${pair.quote}:1h:` };
  const block = await blocks.findOne({ _id: ofPair, first: { $lte: timeMs }, last: { $gte: timeMs } });
  const candles = decodeBlock(block!);
  const at = candles.time.indexOf(timeMs);
  candles.close[at] = close;
  await blocks.replaceOne({ _id: block!._id }, encodeBlock({ ...pair, interval: '1h' }, candles));
  await storage.candles.add(pair, pickCandles(candles, [at]));
}
