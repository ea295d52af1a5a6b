import { Decimal } from '../../../compute/model/decimal.js';
import type { FreeBalances } from '../../../storage/exchanges/trading-venue.js';

/** The free balance of a user as text; what the venue said where it is not known. */
export const balanceText = (balances: FreeBalances, userId: string): string | undefined => {
  const balance = balances.get(userId);
  return balance instanceof Decimal ? balance.toString() : JSON.stringify(balance);
};
