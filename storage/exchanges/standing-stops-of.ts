import type { TradingAccount } from '../../compute/model/trading-account.js';
import { paperName } from './exchange-names.js';
import type { KnownExchanges } from './known-exchanges.js';
import { findVenue } from './venues/index.js';

const all: ReadonlySet<TradingAccount> = new Set(['SPOT', 'MARGIN', 'FUTURES']);
const none: ReadonlySet<TradingAccount> = new Set();

/** The accounts of an exchange, by its name in subscriptions, on which a stop order can rest there. */
export function standingStopsOf(
  { entries }: Pick<KnownExchanges, 'entries'>,
  exchange: string,
): ReadonlySet<TradingAccount> {
  if (exchange === paperName) return all;
  const id = entries.find(({ name }) => name === exchange)?.id;
  return (id === undefined ? null : findVenue(id)?.trading?.standingStops) ?? none;
}
