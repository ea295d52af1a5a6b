import type { Balances } from 'ccxt';
import type { TradingAccount } from '../../../compute/model/trading-account.js';
import { readDecimal } from '../read-decimal.js';
import type { VenueHolding } from '../trading-venue.js';
import type { WalletAsset } from '../venue-wallets.js';

/** The balance of an account by asset. On MARGIN the debt is subtracted from the total, which may be below 0. */
export function holdingsOf(balances: Balances, account: TradingAccount): VenueHolding[] {
  const [total, free, debt] = (['total', 'free', 'debt'] as const).map(
    (name) => ((balances as unknown as Record<string, unknown>)[name] ?? {}) as Record<string, unknown>,
  );
  return Object.keys(total)
    .map((asset) => {
      const whole = readDecimal(total[asset] ?? 0);
      return {
        account,
        asset,
        free: readDecimal(free[asset] ?? 0),
        total: account === 'MARGIN' ? whole.minus(readDecimal(debt[asset] ?? 0)) : whole,
      };
    })
    .filter((each) => each.total.sign !== 0);
}

/** The balance of an asset, with debt and interest subtracted from the total. */
export const holdingOf = (
  { asset, free, total, borrowed, interest }: WalletAsset,
  account: TradingAccount,
): VenueHolding => ({ account, asset, free, total: total.minus(borrowed).minus(interest) });
