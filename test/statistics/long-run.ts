import type { Candles } from '../../compute/model/candles.js';
import type { Interval } from '../../compute/model/interval.js';
import type { MarketProcess } from '../support/processes/market-process.js';

/** Shares no seed with the sets that claims are measured on. */
const seed = 0xfffffff0;

/** A series so long that a share or mean over it is as good as the truth. */
export const longRun = (
  process: MarketProcess,
  { interval, count = 150_000 }: { interval: Interval; count?: number },
): Candles => process.draw({ count, interval, seed })[0];
