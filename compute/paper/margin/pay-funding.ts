import { Decimal } from '../../model/decimal.js';
import type { MarketTick } from '../../model/market-tick.js';
import { positionOf, sizeOf, withPosition, type MarginAccount } from './margin-account.js';
import { mostLossOf } from './margin-money.js';
import type { MarginTerms } from './margin-terms.js';

const places = 12;

/**
 * The account after each funding time up to the tick for which the position of its pair was held and did not pay yet, at the
 * price of the tick. An isolated position pays out of its margin, a cross position out of the wallet that backs it, and neither
 * pays more than there is.
 */
export function payFunding(account: MarginAccount, tick: MarketTick, terms: MarginTerms): MarginAccount {
  const position = positionOf(account, tick.pair);
  if (!position) return account;
  const { fundingEveryMs, fundingRate, funding } = terms;
  const times = Math.floor(tick.at / fundingEveryMs) - Math.floor(position.fundedUntil / fundingEveryMs);
  if (times <= 0) return account;
  const value = sizeOf(position.quantity).times(tick.price);
  const due = value
    .times(fundingRate)
    .times(Decimal.read(String(times)))
    .round(places, 'ceil');
  const receives = funding === 'between' && position.quantity.sign < 0;
  const most = mostLossOf(account, position);
  const amount = receives ? due : (due.compare(most) < 0 ? due : most).negated();
  const paid = { ...position, fundedUntil: tick.at, funding: position.funding.plus(amount) };
  const margin = position.mode === 'ISOLATED' ? position.margin.plus(amount) : position.margin;
  return withPosition({ ...account, wallet: account.wallet.plus(amount) }, { ...paid, margin });
}
