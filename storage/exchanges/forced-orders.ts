import type { Trade } from 'ccxt';
import type { ForcedClose } from '../../compute/signals/execution.js';

/** The orders of trades by which an exchange has closed a position, by id. */
export function forcedOrders(
  trades: readonly Trade[],
  closedBy: (trade: Trade) => ForcedClose | undefined,
): Map<string, ForcedClose> {
  const forced = new Map<string, ForcedClose>();
  for (const trade of trades) {
    const why = closedBy(trade);
    if (why) forced.set(trade.order!, why);
  }
  return forced;
}
