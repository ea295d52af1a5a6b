import type { MarketTick } from '../../model/market-tick.js';
import type { PairPrices } from './margin-account.js';
import type { MarginMarket } from './margin-terms.js';

/** What a tick met. */
export interface TickScene {
  readonly tick: MarketTick;
  /** The last prices of all pairs of the account, that of the tick included. */
  readonly prices: PairPrices;
  readonly market: MarginMarket;
}
