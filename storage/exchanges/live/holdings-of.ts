import type { Balances } from 'ccxt';
import { Decimal } from '../../../compute/model/decimal.js';
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
      const owed = account === 'MARGIN' ? readDecimal(debt[asset] ?? 0) : Decimal.zero;
      const own = { account, asset, free: readDecimal(free[asset] ?? 0), total: whole.minus(owed) };
      return { ...own, ...(owed.sign > 0 && { debt: owed }) };
    })
    .filter(({ total: left, debt: owed }) => left.sign !== 0 || owed);
}

/** The balance of an asset, with debt and interest subtracted from the total. */
export const holdingOf = (
  { asset, free, total, borrowed, interest }: WalletAsset,
  account: TradingAccount,
): VenueHolding => {
  const debt = borrowed.plus(interest);
  return { account, asset, free, total: total.minus(debt), ...(debt.sign > 0 && { debt }) };
};
