import type { Balances } from 'ccxt';
import type { TradingAccount } from '../../../compute/model/trading-account.js';
import { readDecimal } from '../read-decimal.js';
import type { VenueHolding } from '../trading-venue.js';
import type { WalletAsset } from '../venue-wallets.js';

/** What an account has of each asset. On MARGIN a total is less what is owed, and below 0 where more is owed than there is. */
export function holdingsOf(balances: Balances, account: TradingAccount): VenueHolding[] {
  const [total, free, debt] = (['total', 'free', 'debt'] as const).map(
    (name) => ((balances as unknown as Record<string, unknown>)[name] ?? {}) as Record<string, unknown>,
  );
  return Object.keys(total)
    .map((asset) => {
      const whole = readDecimal(total[asset] ?? 0);
      return {
        ...{ account, asset },
        free: readDecimal(free[asset] ?? 0),
        total: account === 'MARGIN' ? whole.minus(readDecimal(debt[asset] ?? 0)) : whole,
      };
    })
    .filter((each) => each.total.sign !== 0);
}

/** What an account has of an asset, less what is owed. */
export const holdingOf = (
  { asset, free, total, borrowed, interest }: WalletAsset,
  account: TradingAccount,
): VenueHolding => ({ account, asset, free, total: total.minus(borrowed).minus(interest) });
