import type { Storage } from '../../storage/index.js';
import { firstCandleFrom, sliceCandles } from '../../compute/model/candles.js';
import { makeHistory } from './demo-history.js';
import { DemoMarket, hourMs, type DemoPair } from '../../compute/demo/demo-market.js';

/** What a look at the stored hours of the demo market came to. */
export interface DemoRepair {
  pairs: number;
  /** Hours that were missing and are there now. */
  made: number;
}

/** Makes and stores every hour of the demo market that is over at `nowMs` and missing, wherever it is. */
export async function repairDemoHistory(
  storage: Pick<Storage, 'candles' | 'series'>,
  nowMs: number,
): Promise<DemoRepair> {
  const market = new DemoMarket();
  const { pairs } = market;
  const lacking: number[] = [];
  for (const [index, pair] of pairs.entries())
    if (!(await isComplete(pair, storage, nowMs))) lacking.push(index);
  if (lacking.length === 0) return { pairs: pairs.length, made: 0 };
  const history = makeHistory(market, nowMs);
  let made = 0;
  for (const index of lacking) {
    const { [index]: candles } = history;
    const { base, quote, firstMs } = pairs[index];
    const listed = sliceCandles(candles, firstCandleFrom(candles.time, firstMs), candles.time.length);
    made += (await storage.candles.add({ market: 'demo', base, quote }, listed)).stored;
  }
  return { pairs: pairs.length, made };
}

async function isComplete(
  { base, quote, firstMs }: DemoPair,
  { series }: Pick<Storage, 'series'>,
  nowMs: number,
): Promise<boolean> {
  const stored = await series.find({ market: 'demo', base, quote, interval: '1h' });
  const hours = Math.max(0, Math.floor(nowMs / hourMs) - Math.ceil(firstMs / hourMs));
  return hours === 0 || stored?.count === hours;
}
