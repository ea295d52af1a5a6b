import type { Decimal } from '../../compute/model/decimal.js';
import { AppError } from '../../compute/model/errors.js';
import type { PairSymbols } from '../../compute/model/market-pair.js';
import type { PairRules } from '../../compute/model/pair-rules.js';
import type { Price } from '../../compute/model/price.js';
import type { TradingAccount } from '../../compute/model/trading-account.js';
import type { Prices } from '../../storage/candles/prices.js';
import type { TradingVenue, VenueMarket } from '../../storage/exchanges/trading-venue.js';
import { usualOldTickMs } from './old-tick.js';

/** What a venue says when a signal is delivered to subscribers who trade on it. */
export interface VenueScene {
  market: string;
  /** null: the venue does not trade the pair. */
  rules: PairRules | null;
  /** What users have of the quote asset and no order locks; those whose account cannot be read are missing. */
  balances: ReadonlyMap<string, Decimal>;
  /** The present price; null: none is known, or it is too old to act on. */
  price: Price | null;
  /** Why the venue did not answer; null if it did. */
  fault: string | null;
  /** Whether stop orders of the account can rest there. */
  stopsStand: boolean;
}

export interface VenueSceneTools {
  prices: Pick<Prices, 'find'>;
  /** The market of the service, which venues without markets follow. */
  market: string;
  /** See `SignalEngineOptions`. */
  oldTickMs?: number;
}

export interface SceneQuestion {
  pair: PairSymbols;
  account: TradingAccount;
  /** Whether the account of the pair on isolated margin is meant. */
  isIsolated?: boolean;
  userIds: readonly string[];
}

/** Asks a venue. An exchange that does not answer is a fault of this venue alone. */
export async function venueScene(
  { prices, market, oldTickMs = usualOldTickMs }: VenueSceneTools,
  venue: TradingVenue,
  { pair, account, isIsolated = false, userIds }: SceneQuestion,
): Promise<VenueScene> {
  const venueMarket = venue.markets?.get(account);
  const name = venueMarket?.name ?? market;
  const stopsStand = venue.standingStops.has(account);
  try {
    const rules = await venue.rules(pair, account);
    const balances = rules
      ? await venue.freeBalances(userIds, pair.quote, account, isIsolated ? pair : undefined)
      : new Map<string, Decimal>();
    const found = venueMarket ? await lastPrice(venueMarket, pair) : await prices.find({ market, ...pair });
    const price = found && Date.now() - found.time <= oldTickMs ? found : null;
    return { market: name, rules, balances, price, fault: null, stopsStand };
  } catch (error) {
    if (!(error instanceof AppError) || !error.code.startsWith('exchange_')) throw error;
    return { market: name, rules: null, balances: new Map(), price: null, fault: error.message, stopsStand };
  }
}

async function lastPrice(market: VenueMarket, pair: PairSymbols): Promise<Price | null> {
  const [tick] = await market.ticks([pair]);
  return tick ? { price: Number(tick.price.toString()), change24hPercent: null, time: tick.at } : null;
}
