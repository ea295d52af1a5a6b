import type { Decimal } from '../../../compute/model/decimal.js';
import type { PairSymbols } from '../../../compute/model/market-pair.js';
import type { TradingVenue } from '../../../storage/exchanges/trading-venue.js';

/** A venue under test with a market whose price the test sets. */
export interface VenueRig {
  venue: TradingVenue;
  /** A second client of the same venue, as another process has. */
  other: TradingVenue;
  /** A pair that is traded. Its price is some 60,000 quote units. */
  pair: PairSymbols;
  /** A new user with so much of the quote currency. */
  user: (quote: string) => Promise<string>;
  /** Moves the price. Resolves when the venue has matched every order against it. */
  price: (price: string) => Promise<void>;
  /** What the user has of an asset in all, what orders lock included. */
  total: (userId: string, asset: string) => Promise<Decimal>;
}
