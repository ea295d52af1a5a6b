import { field, type Values } from '../../../compute/model/field.js';
import { tradingAccounts } from '../../../compute/model/trading-account.js';
import { isDollar } from '../../../storage/candles/pegged.js';
import type { Deps } from '../../context.js';
import { describedOperation } from '../analysis/described-operation.js';
import { accountBalances, type AccountBalance } from '../../../storage/accounts/account-balances.js';
import { accountStatusField, exchangeFilterField } from './get-portfolio-status.js';
import { priceFinder } from './account-positions.js';

const balanceFields = {
  exchange: field.text('name of the exchange'),
  account: field.choice('account on which it is', tradingAccounts),
  asset: field.text('asset symbol'),
  free: field.nullable(
    field.text('what orders and positions do not lock, a decimal; null where the exchange has not said'),
  ),
  locked: field.nullable(
    field.text('what orders and positions lock, a decimal; null where the exchange has not said'),
  ),
  total: field.text('free and locked together, with what was borrowed, a decimal'),
  borrowed: field.text('what was borrowed and is still owed, without interest, a decimal'),
  interest: field.text('interest that is owed, a decimal'),
  value: field.nullable(
    field.number('value of the total less what is owed, at the newest price; null while there is none', {
      unit: 'quote',
    }),
  ),
  sharePercent: field.nullable(
    field.number('share of the value of all balances of the exchange, or of all exchanges', {
      unit: 'percent',
    }),
  ),
};

const unreadField = field.object('an account', {
  exchange: field.text('name of the exchange'),
  account: field.choice('account that was not read', tradingAccounts),
  readAt: field.nullable(field.time('time of its latest read; null before the first')),
  fault: field.text('why the latest read failed'),
});

type BalanceRow = Values<typeof balanceFields>;

const output = {
  balances: field.list(
    'the largest value first, those without a price last',
    field.object('a balance', balanceFields),
  ),
  totalValue: field.number('value of all balances with a price, hidden ones included', { unit: 'quote' }),
  unpriced: field.list('assets without a price, which are not part of it', field.text('asset symbol')),
  hidden: field.count('balances below `minValue`, which are not listed'),
  asOf: field.nullable(field.time('time of the oldest price; null without a price')),
  source: field.text('market whose prices value what is held on paper; demo: a made-up market'),
  accounts: field.list('when the accounts were read', accountStatusField),
  unread: field.list(
    'accounts that could not be read the last time: their balances are those of the time before',
    unreadField,
  ),
};

/** The balances of the user's accounts by asset. They do not include unrealised gains of open positions. */
export const getBalances = describedOperation({
  id: 'get-balances',
  summary:
    'Free, locked and borrowed balances on SPOT, MARGIN and FUTURES of each connected exchange, with their value and share of the total.',
  scope: 'user',
  tokenScope: 'read:portfolio',
  isLight: true,
  input: {
    exchange: exchangeFilterField,
    minValue: field.number('balances that are worth less are not listed', {
      min: 0,
      default: 1,
      unit: 'quote',
    }),
  },
  output,
  async handle({ exchange, minValue }, deps, { user }) {
    const { storage, exchanges } = deps;
    if (exchange !== null) exchanges.exchanges.requireName(exchange);
    const [{ balances: all, unread }, shown] = await Promise.all([
      accountBalances(user!.userId, storage, deps.settings),
      storage.positions.find(user!.userId),
    ]);
    const isAsked = (each: { exchange: string }) => exchange === null || each.exchange === exchange;
    const { rows, asOf } = await valued(all.filter(isAsked), deps);
    const totalValue = rows.reduce((sum, { value }) => sum + (value ?? 0), 0);
    const listed = rows.filter(({ value }) => value === null || Math.abs(value) >= minValue);
    return {
      payload: {
        balances: listed
          .sort((one, other) => (other.value ?? -Infinity) - (one.value ?? -Infinity))
          .map((row) => ({
            ...row,
            sharePercent: row.value === null || totalValue <= 0 ? null : (100 * row.value) / totalValue,
          })),
        totalValue,
        unpriced: [...new Set(rows.filter(({ value }) => value === null).map(({ asset }) => asset))].sort(),
        hidden: rows.length - listed.length,
        asOf,
        source: deps.settings.MARKET,
        accounts: (shown?.accounts ?? []).filter(isAsked),
        unread: unread.filter(isAsked),
      },
    };
  },
});

/** The balances with their values, and the time of the oldest price in ms. */
async function valued(
  balances: readonly AccountBalance[],
  deps: Pick<Deps, 'exchanges'>,
): Promise<{ rows: Omit<BalanceRow, 'sharePercent'>[]; asOf: number | null }> {
  const priceOf = await priceFinder(balances, ({ asset }) => asset, deps);
  const times: number[] = [];
  const rows = balances.map((balance) => {
    const { exchange, account, asset, total, free, locked, borrowed, interest } = balance;
    const price = priceOf(balance);
    if (price) times.push(price.time);
    const each = price?.price ?? (isDollar(asset) ? 1 : null);
    return {
      exchange,
      account,
      asset,
      free: free?.toString() ?? null,
      locked: locked?.toString() ?? null,
      total: total.toString(),
      borrowed: borrowed.toString(),
      interest: interest.toString(),
      value: each === null ? null : each * Number(total.minus(borrowed).minus(interest).toString()),
    };
  });
  return { rows, asOf: times.length === 0 ? null : Math.min(...times) };
}
