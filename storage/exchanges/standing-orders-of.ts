import type { TradingAccount } from '../../compute/model/trading-account.js';
import { paperName } from './exchange-names.js';
import type { KnownExchanges } from './known-exchanges.js';
import type { TradingVenue } from './trading-venue.js';
import { findVenue } from './venues/index.js';

/** What can rest on an exchange. */
export interface StandingOrders {
  /** Accounts on which a stop order can. */
  stops: ReadonlySet<TradingAccount>;
  /** See `TradingVenue`. */
  targets: NonNullable<TradingVenue['restingTargets']>;
}

const none: StandingOrders = { stops: new Set(), targets: new Map() };
const onPaper: StandingOrders = { ...none, stops: new Set(['SPOT', 'MARGIN', 'FUTURES']) };

/** What can rest on an exchange, by its name in subscriptions. */
export function standingOrdersOf(
  { entries }: Pick<KnownExchanges, 'entries'>,
  exchange: string,
): StandingOrders {
  if (exchange === paperName) return onPaper;
  const id = entries.find(({ name }) => name === exchange)?.id;
  const trading = id === undefined ? undefined : findVenue(id)?.trading;
  return trading ? { stops: trading.standingStops, targets: trading.restingTargets } : none;
}
