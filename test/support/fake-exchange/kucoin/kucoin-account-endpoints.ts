import { Decimal } from '../../../../compute/model/decimal.js';
import type { BookOrder } from '../book/book-order.js';
import type { SpotFunds } from '../book/spot-funds.js';
import type { Endpoint, RestCall } from '../rest/rest-call.js';

const zero = Decimal.zero;

const accountOf = ({ engine, apiKey }: RestCall) => engine.accounts.get(apiKey)!;

/** What a key may do, the kind of account, and balances on spot and cross margin. */
export const kucoinAccountEndpoints: Record<string, Endpoint> = {
  'GET /api/v1/user/api-key': (call) => {
    const { mayTrade = true, mayWithdraw = false } = accountOf(call).setup;
    const names = ['General', ...(mayTrade ? ['Spot', 'Margin', 'Futures'] : [])];
    return { permission: [...names, ...(mayWithdraw ? ['Withdrawal'] : [])].join(), apiVersion: 3 };
  },
  'GET /api/v1/hf/accounts/opened': (call) => accountOf(call).setup.isHighFrequency !== false,
  'GET /api/ua/v1/account/mode': (call) => ({
    selfAccountMode: accountOf(call).setup.isUnified ? 'UNIFIED' : 'CLASSIC',
  }),
  'GET /api/v1/accounts': (call) =>
    kucoinRowsOf(accountOf(call).spot, call.engine.openOrders(call.apiKey, 'spot')).map(
      ({ asset, total, held }, n) => ({
        ...{ id: String(n), currency: asset, type: 'trade_hf' },
        balance: String(total),
        available: String(total.minus(held)),
        holds: String(held),
      }),
    ),
  'GET /api/v1/margin/account': (call) => ({
    debtRatio: '0',
    accounts: kucoinRowsOf(accountOf(call).margin, call.engine.openOrders(call.apiKey, 'margin')).map(
      ({ asset, total, held }) => {
        const owned = total.sign < 0 ? zero : total;
        const free = owned.minus(held);
        return {
          currency: asset,
          totalBalance: String(owned),
          availableBalance: String(free.sign < 0 ? zero : free),
          holdBalance: String(held),
          liability: String(total.sign < 0 ? zero.minus(total) : zero),
          interest: '0',
        };
      },
    ),
  }),
};

/** Amounts of a margin account. */
export const kucoinRowsOf = (funds: SpotFunds, open: readonly BookOrder[]) => {
  const locked = funds.locked(open);
  return [...new Set([...funds.totals.keys(), ...locked.keys()])].map((asset) => ({
    asset,
    total: funds.totals.get(asset) ?? zero,
    held: locked.get(asset) ?? zero,
  }));
};
