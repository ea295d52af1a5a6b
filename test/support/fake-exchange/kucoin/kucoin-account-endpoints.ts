import type { Balance } from '../book/spot-funds.js';
import { uidOf } from '../key-rights.js';
import { accountOf, type Endpoint, type RestCall } from '../rest/rest-call.js';

/** What a key may do, the kind of account, and balances on spot. */
export const kucoinAccountEndpoints: Record<string, Endpoint> = {
  'GET /api/v1/user/api-key': (call) => {
    const { setup } = accountOf(call);
    const { mayTrade = true, mayTradeSpot = true, mayTradeMargin = true } = setup;
    const { mayTradeFutures = true, mayWithdraw = false } = setup;
    const names = {
      ...{ General: true, Spot: mayTrade && mayTradeSpot, Margin: mayTrade && mayTradeMargin },
      ...{ Futures: mayTrade && mayTradeFutures, Withdrawal: mayWithdraw },
    };
    const permission = Object.entries(names).flatMap(([name, isGiven]) => (isGiven ? [name] : []));
    return { permission: permission.join(), uid: uidOf(setup) };
  },
  'GET /api/v1/hf/accounts/opened': (call) => accountOf(call).setup.isHighFrequency !== false,
  'GET /api/ua/v1/account/mode': (call) => ({
    selfAccountMode: accountOf(call).setup.isUnified ? 'UNIFIED' : 'CLASSIC',
  }),
  'GET /api/v1/accounts': (call) => {
    const type = accountOf(call).setup.isHighFrequency === false ? 'trade' : 'trade_hf';
    const rows = spotRowsOf(call).map(({ asset, total, held, free }, n) => ({
      ...{ id: String(n), currency: asset, type, balance: String(total) },
      ...{ available: String(free), holds: String(held) },
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
            currencies: spotRowsOf(call).map(({ asset, total, held, free }) => ({
              ...{ currency: asset, equity: String(total), hold: String(held), balance: String(total) },
              ...{ available: String(free), liability: '0' },
            })),
          },
        ],
  }),
  // Those of the account that orders of high frequency do not use.
  'GET /api/v1/margin/account': () => ({ accounts: [] }),
};

const spotRowsOf = (call: RestCall): Balance[] =>
  accountOf(call).spot.balances(call.engine.openOrders(call.apiKey, 'spot'));
