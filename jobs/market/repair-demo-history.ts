import { DemoMarket, hourMs, type DemoPair } from '../../compute/demo/demo-market.js';
import { makeDemoHistory } from '../../compute/demo/make-demo-history.js';
import { firstCandleFrom, sliceCandles } from '../../compute/model/candles.js';
import type { Storage } from '../../storage/index.js';

export interface DemoRepair {
  pairs: number;
  /** Hours that were missing and are stored now. */
  made: number;
}

/** Stores every hour of the demo market that is closed at `nowMs` and missing, wherever in the history it is. */
export async function repairDemoHistory(
  storage: Pick<Storage, 'candles' | 'series'>,
  nowMs: number,
): Promise<DemoRepair> {
  const market = new DemoMarket();
  const { pairs } = market;
  const incomplete: number[] = [];
  for (const [index, pair] of pairs.entries())
    if (!(await isComplete(pair, storage, nowMs))) incomplete.push(index);
  if (incomplete.length === 0) return { pairs: pairs.length, made: 0 };
  const history = makeDemoHistory(market, nowMs);
  let made = 0;
  for (const index of incomplete) {
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
