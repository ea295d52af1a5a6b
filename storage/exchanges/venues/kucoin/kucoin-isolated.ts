import type { kucoin as Kucoin } from 'ccxt';
import { Decimal } from '../../../../compute/model/decimal.js';
import { quotientPlaces } from '../../../../compute/model/pair-rules.js';
import { readDecimal } from '../../read-decimal.js';
import type { IsolatedAccount, IsolatedMargin } from '../../venue-trading.js';
import type { WalletAsset } from '../../venue-wallets.js';
import { isolatedRows, type IsolatedRow } from './kucoin-margin.js';
import { openOrdersOfMarket } from './kucoin-orders.js';

/** Isolated margin of KuCoin: the accounts of the pairs to which the user has moved money. */
export const kucoinIsolated: IsolatedMargin<Kucoin> = {
  async accounts(client) {
    const rows = await isolatedRows(client);
    const limits = rows.some(owes) ? await debtLimits(client) : new Map<string, Decimal>();
    return rows.map((row): IsolatedAccount => {
      const { symbol, base, quote } = row;
      const limit = limits.get(symbol);
      return {
        symbol: client.safeSymbol(symbol, undefined, '-'),
        baseNet: base.total.minus(owedOf(base)),
        quoteFree: quote.free,
        liquidationPrice: limit ? liquidationPrice(row, limit) : Decimal.zero,
        isLocked: base.locked.sign !== 0 || quote.locked.sign !== 0,
      };
    });
  },

  openOrders: (client, symbol) =>
    openOrdersOfMarket(client, { account: 'MARGIN', marginMode: 'ISOLATED', symbol }),
};

const owedOf = ({ borrowed, interest }: WalletAsset): Decimal => borrowed.plus(interest);

const owes = ({ base, quote }: IsolatedRow): boolean => [base, quote].some((each) => owedOf(each).sign !== 0);

/**
 * The price at which the share of debt in the account's worth reaches KuCoin's limit for closing it; 0 if there is no such price.
 * With debts b and q and balances B and Q of base and quote: p b + q = limit (p B + Q).
 */
function liquidationPrice({ base, quote }: IsolatedRow, limit: Decimal): Decimal {
  const dividend = limit.times(quote.total).minus(owedOf(quote));
  const divisor = owedOf(base).minus(limit.times(base.total));
  return dividend.sign * divisor.sign > 0
    ? dividend.dividedBy(divisor, quotientPlaces, 'half-even')
    : Decimal.zero;
}

const limitsOf = new WeakMap<Kucoin, Map<string, Decimal>>();

/** The share of debt at which KuCoin closes the account of a pair, by its name of the pair; asked for once. */
async function debtLimits(client: Kucoin): Promise<Map<string, Decimal>> {
  const known = limitsOf.get(client);
  if (known) return known;
  const { data = [] } = (await client.privateGetIsolatedSymbols()) as {
    data?: { symbol: string; flDebtRatio: string }[];
  };
  const limits = new Map(data.map(({ symbol, flDebtRatio }) => [symbol, readDecimal(flDebtRatio)]));
  limitsOf.set(client, limits);
  return limits;
}
