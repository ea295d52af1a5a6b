import type { FakeAccount } from './fake-account.js';
import {
  addUp,
  tradesBetween,
  weekMs,
  type ExchangeFormat,
  type FakeAnswer,
  type FakeState,
} from './fake-exchange.js';
import { data, refusal } from './fake-kucoin-answer.js';

/** KuCoin's answers about an account. Its kind is `hf` (high frequency), `unified`, or undefined (classic). */
export const kucoinAccount: ExchangeFormat['signed'] = {
  '/api/v1/user/api-key': ({ mayTrade = true, mayWithdraw = false }) => {
    const names = ['General', ...(mayTrade ? ['Spot'] : []), ...(mayWithdraw ? ['Withdrawal'] : [])];
    return data({
      remark: 'x',
      apiVersion: 3,
      permission: names.join(),
      createdAt: 1,
      uid: 1,
      isMaster: true,
    });
  },
  '/api/v1/hf/accounts/opened': ({ kind }) => data(kind === 'hf'),
  '/api/ua/v1/account/mode': ({ kind }) =>
    data({ selfAccountMode: kind === 'unified' ? 'UNIFIED' : 'CLASSIC', subAccountMode: [] }),
  '/api/v1/accounts': ({ balances, kind }, query) => {
    const own = kind === 'hf' ? 'trade_hf' : 'trade';
    const rows = Object.entries(balances).map(([currency, { free, locked = '0' }], n) => ({
      id: `5c6a4fd399a1d81c4f9cc${n}`,
      currency,
      type: own,
      balance: addUp(free, locked),
      available: free,
      holds: locked,
    }));
    const main = { ...rows[0], type: 'main', balance: '777', available: '777', holds: '0' };
    return data([main, ...rows].filter(({ type }) => type === query.get('type')));
  },
  '/api/v1/fills': (account, query, state) => {
    const size = Math.min(500, Math.max(10, Number(query.get('pageSize') ?? 50)));
    return fills(account, query, state, {
      kind: undefined,
      page: (items) => ({
        currentPage: 1,
        pageSize: size,
        totalNum: items.length,
        totalPage: Math.ceil(items.length / size),
        items: items.slice(0, size),
      }),
    });
  },
  '/api/v1/hf/fills': (account, query, state) => {
    const limit = Math.min(100, Number(query.get('limit') ?? 20));
    const lastId = Number(query.get('lastId') ?? Infinity);
    return fills(account, query, state, {
      kind: 'hf',
      form: (fill) => ({ id: fill.row, ...fill }),
      page: (items) => ({ items: before(items, lastId).slice(0, limit), lastId: 1 }),
    });
  },
  '/api/ua/v1/unified/account/balance': ({ balances, kind }, _query, { nowMs }) => {
    const currencies = Object.entries(balances).map(([currency, { free, locked = '0' }]) => {
      const total = addUp(free, locked);
      return { currency, equity: total, hold: locked, balance: total, available: free, liability: '0' };
    });
    const accounts = kind === 'unified' ? [{ currencies }] : [];
    return data({ accountType: 'UNIFIED', ts: nowMs, accounts });
  },
  '/api/ua/v1/unified/order/execution': (account, query, state) => {
    const limit = Math.min(100, Number(query.get('pageSize') ?? 20));
    return fills(account, query, state, {
      kind: 'unified',
      form: unifiedRow,
      page: (items) => ({ tradeType: query.get('tradeType'), lastId: 1, items: items.slice(0, limit) }),
    });
  },
};

/** The rows below a number; rows without one are malformed, and kept. */
const before = (items: unknown[], lastId: number): unknown[] =>
  items.filter((item) => ((item as { id?: number } | null)?.id ?? -1) < lastId);

/** A fill in the format of the unified account. */
const unifiedRow = ({
  tradeId,
  orderId,
  symbol,
  side,
  price,
  size,
  funds,
  fee,
  feeCurrency,
  createdAt,
}: Fill) => ({
  orderId,
  symbol,
  orderType: 'LIMIT',
  side: side.toUpperCase(),
  tradeId,
  size,
  price,
  value: funds,
  executionTime: createdAt === undefined ? undefined : Number(`${createdAt}000000`),
  fee,
  feeCurrency,
  tax: '',
  liquidityRole: 'TAKER',
  fillType: 'NORMAL',
});

interface FillList {
  /** The kind of account whose trades this path lists; for other kinds it lists none. */
  kind: string | undefined;
  form?: (fill: Fill) => Record<string, unknown>;
  page: (items: unknown[]) => object;
}

/** The list of trades, or the refusal. */
function fills(
  account: FakeAccount,
  query: URLSearchParams,
  { changeRows }: FakeState,
  { kind, form = (fill) => ({ ...fill }), page }: FillList,
): FakeAnswer {
  const [from, until] = [Number(query.get('startAt')), Number(query.get('endAt'))];
  if (until - from > weekMs) return refusal(400, '400100', 'The query scope cannot exceed 7 days');
  if (account.kind !== kind) return data(page([]));
  const found = tradesBetween(account, query.get('symbol'), [from, until]);
  return data(page(changeRows(found.map((trade) => form(fillOf(trade))))));
}

type Fill = ReturnType<typeof fillOf>;

function fillOf({
  symbol,
  side,
  quantity,
  price,
  fee = '0 USDT',
  time,
  id,
}: ReturnType<typeof tradesBetween>[number]) {
  const [cost, feeCurrency] = fee.split(' ');
  return {
    row: id,
    symbol,
    tradeId: `5c35c02709e4f67d${id}`,
    orderId: `5c35c02703aa673c${id}`,
    counterOrderId: `5c1ab46003aa676e${id}`,
    side,
    liquidity: 'taker',
    forceTaker: true,
    price,
    size: quantity,
    funds: String(Number(quantity) * Number(price)),
    fee: cost,
    feeRate: '0.001',
    feeCurrency,
    stop: '',
    tradeType: 'TRADE',
    type: 'limit',
    createdAt: time,
  };
}
