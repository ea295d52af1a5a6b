import { Decimal } from '../../../../compute/model/decimal.js';
import type { BookOrder } from '../book/book-order.js';
import { uidOf } from '../key-rights.js';
import type { SpotFunds } from '../book/spot-funds.js';
import type { Endpoint, RestCall } from '../rest/rest-call.js';

const zero = Decimal.zero;

const accountOf = ({ engine, apiKey }: RestCall) => engine.accounts.get(apiKey)!;

/** What a key may do, the kind of account, and balances on spot. */
export const kucoinAccountEndpoints: Record<string, Endpoint> = {
  'GET /api/v1/user/api-key': (call) => {
    const { mayTrade = true, mayWithdraw = false } = accountOf(call).setup;
    const { mayTradeMargin = true, mayTradeFutures = true } = accountOf(call).setup;
    const names = [
      'General',
      ...(mayTrade ? ['Spot'] : []),
      ...(mayTrade && mayTradeMargin ? ['Margin'] : []),
      ...(mayTrade && mayTradeFutures ? ['Futures'] : []),
    ];
    const permission = [...names, ...(mayWithdraw ? ['Withdrawal'] : [])].join();
    return { permission, apiVersion: 3, uid: uidOf(accountOf(call).setup) };
  },
  'GET /api/v1/hf/accounts/opened': (call) => accountOf(call).setup.isHighFrequency !== false,
  'GET /api/ua/v1/account/mode': (call) => ({
    selfAccountMode: accountOf(call).setup.isUnified ? 'UNIFIED' : 'CLASSIC',
  }),
  'GET /api/v1/accounts': (call) => {
    const type = accountOf(call).setup.isHighFrequency === false ? 'trade' : 'trade_hf';
    const rows = spotRowsOf(call).map(({ asset, total, held }, n) => ({
      ...{ id: String(n), currency: asset, type, balance: String(total) },
      ...{ available: String(total.minus(held)), holds: String(held) },
    }));
    // The account for deposits, which trades nothing.
    const main = rows.slice(0, 1).map((row) => ({ ...row, type: 'main', balance: '777', available: '777' }));
    return [...main, ...rows].filter((row) => row.type === (call.params.get('type') ?? type));
  },
  'GET /api/ua/v1/unified/account/balance': (call) => ({
    ...{ accountType: 'UNIFIED', ts: Math.floor(call.nowMs) },
    accounts: !accountOf(call).setup.isUnified
      ? []
      : [
          {
            currencies: spotRowsOf(call).map(({ asset, total, held }) => ({
              ...{ currency: asset, equity: String(total), hold: String(held), balance: String(total) },
              ...{ available: String(total.minus(held)), liability: '0' },
            })),
          },
        ],
  }),
  // Those of the account that orders of high frequency do not use.
  'GET /api/v1/margin/account': () => ({ debtRatio: '0', accounts: [] }),
};

const spotRowsOf = (call: RestCall) =>
  kucoinRowsOf(accountOf(call).spot, call.engine.openOrders(call.apiKey, 'spot'));

/** Amounts of an account by asset. */
export const kucoinRowsOf = (funds: SpotFunds, open: readonly BookOrder[]) => {
  const locked = funds.locked(open);
  return [...new Set([...funds.totals.keys(), ...locked.keys()])].map((asset) => ({
    asset,
    total: funds.totals.get(asset) ?? zero,
    held: locked.get(asset) ?? zero,
  }));
};
