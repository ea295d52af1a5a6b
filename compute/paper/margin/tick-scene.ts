import type { MarketTick } from '../../model/market-tick.js';
import type { PairPrices } from './margin-account.js';
import type { MarginMarket } from './margin-terms.js';

/** A tick, and the facts that are needed to apply it to an account. */
export interface TickScene {
  readonly tick: MarketTick;
  /** The last prices of all pairs of the account, including the price of the tick. */
  readonly prices: PairPrices;
  readonly market: MarginMarket;
}
