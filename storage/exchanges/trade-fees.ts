import type { Trade } from 'ccxt';
import { Decimal } from '../../compute/model/decimal.js';
import type { PairSymbols } from '../../compute/model/market-pair.js';
import type { AssetAmount } from '../../compute/paper/paper-money.js';
import { readDecimal } from './read-decimal.js';

/** ccxt gives a trade with fees in several assets the list `fees`, which its types leave out. */
type ChargedTrade = Trade & { fees?: Trade['fee'][] };

/** The fees of a trade in the assets of its pair, and in any others. */
export function feesOf(
  { fee, fees }: ChargedTrade,
  { base, quote }: PairSymbols,
): { baseFee: Decimal; quoteFee: Decimal; otherFees: AssetAmount[] } {
  const sums = new Map<string, Decimal>();
  for (const charged of fees?.length ? fees : [fee]) {
    if (charged?.currency === undefined || charged.cost === undefined) continue;
    const { currency } = charged;
    sums.set(currency, (sums.get(currency) ?? Decimal.zero).plus(readDecimal(charged.cost)));
  }
  const [baseFee, quoteFee] = [base, quote].map((asset) => sums.get(asset) ?? Decimal.zero);
  const otherFees = [...sums]
    .filter(([asset, amount]) => asset !== base && asset !== quote && amount.sign !== 0)
    .map(([asset, amount]) => ({ asset, amount }));
  return { baseFee, quoteFee, otherFees };
}
