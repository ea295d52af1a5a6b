import { createHmac } from 'node:crypto';
import type { FakeAccount } from './fake-account.js';
import {
  tradesBetween,
  type ExchangeFormat,
  type FakeAnswer,
  type FakeRequest,
  type FakeState,
} from './fake-exchange.js';

const weekMs = 7 * 86_400_000;

const data = (answer: unknown): FakeAnswer => ({ status: 200, body: { code: '200000', data: answer } });
const refusal = (status: number, code: string, msg: string): FakeAnswer => ({ status, body: { code, msg } });

const symbolOf = (base: string, quote: string) => `${base}-${quote}`;

const open: Record<string, (state: FakeState) => unknown> = {
  '/api/v1/timestamp': ({ nowMs }) => nowMs,
  '/api/v3/currencies': () => [],
  '/api/v2/symbols': ({ pairs }) =>
    pairs.map(({ base, quote }) => ({
      symbol: symbolOf(base, quote),
      name: symbolOf(base, quote),
      baseCurrency: base,
      quoteCurrency: quote,
      feeCurrency: quote,
      market: quote,
      baseMinSize: '0.00001',
      quoteMinSize: '0.1',
      baseMaxSize: '10000000000',
      quoteMaxSize: '99999999',
      baseIncrement: '0.00000001',
      quoteIncrement: '0.000001',
      priceIncrement: '0.1',
      priceLimitRate: '0.1',
      isMarginEnabled: false,
      enableTrading: true,
    })),
  '/api/v1/market/allTickers': ({ pairs, nowMs }) => ({
    time: nowMs,
    ticker: pairs.map(({ base, quote, price }) => ({
      symbol: symbolOf(base, quote),
      symbolName: symbolOf(base, quote),
      buy: price,
      sell: price,
      changeRate: '-0.0055',
      changePrice: '-1',
      high: price,
      low: price,
      vol: '1',
      volValue: price,
      last: price,
      averagePrice: price,
      takerFeeRate: '0.001',
      makerFeeRate: '0.001',
      takerCoefficient: '1',
      makerCoefficient: '1',
    })),
  }),
};

type SignedAnswer = (account: FakeAccount, query: URLSearchParams, state: FakeState) => FakeAnswer;

/** The kind of account says where its coins are: in the classic place, in that for high frequency (`hf`), or `unified`. */
const signed: Record<string, SignedAnswer> = {
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
  '/api/v1/fills': ({ kind, ...account }, query, state) => {
    const size = Math.min(500, Math.max(10, Number(query.get('pageSize') ?? 50)));
    const items = kind === undefined ? fills(account, query, state) : [];
    return typeof items === 'string'
      ? refusal(400, '400100', items)
      : data({
          currentPage: 1,
          pageSize: size,
          totalNum: items.length,
          totalPage: Math.ceil(items.length / size),
          items: items.slice(0, size),
        });
  },
  '/api/v1/hf/fills': ({ kind, ...account }, query, state) => {
    const limit = Math.min(100, Number(query.get('limit') ?? 20));
    const items = kind === 'hf' ? fills(account, query, state) : [];
    return typeof items === 'string'
      ? refusal(400, '400100', items)
      : data({ items: items.slice(0, limit), lastId: 1 });
  },
  '/api/ua/v1/unified/account/balance': ({ balances, kind }, _query, { nowMs }) => {
    const currencies = Object.entries(balances).map(([currency, { free, locked = '0' }]) => {
      const total = addUp(free, locked);
      return { currency, equity: total, hold: locked, balance: total, available: free, liability: '0' };
    });
    const accounts = kind === 'unified' ? [{ currencies }] : [];
    return data({ accountType: 'UNIFIED', ts: nowMs, accounts });
  },
  '/api/ua/v1/unified/order/execution': ({ kind, ...account }, query, state) => {
    const limit = Math.min(100, Number(query.get('pageSize') ?? 20));
    const items = kind === 'unified' ? fills(account, query, state, unifiedRow) : [];
    return typeof items === 'string'
      ? refusal(400, '400100', items)
      : data({ tradeType: query.get('tradeType'), lastId: 1, items: items.slice(0, limit) });
  },
};

/** A fill in the words of the unified account. */
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

/** What it lists of trades, or why it does not. */
function fills(
  account: FakeAccount,
  query: URLSearchParams,
  { changeRows }: FakeState,
  form: (fill: Fill) => Record<string, unknown> = (fill) => ({ ...fill }),
): unknown[] | string {
  const [from, until] = [Number(query.get('startAt')), Number(query.get('endAt'))];
  if (until - from > weekMs) return 'The query scope cannot exceed 7 days';
  const found = tradesBetween(account, query.get('symbol'), [from, until]);
  return changeRows(found.map((trade) => form(fillOf(trade))));
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

function signedBy(request: FakeRequest, { accounts, nowMs }: FakeState): FakeAccount | FakeAnswer {
  const header = (name: string) => String(request.headers[name] ?? '');
  const account = accounts.get(header('kc-api-key'));
  if (!account) return refusal(401, '400003', 'KC-API-KEY not exists');
  const timestamp = header('kc-api-timestamp');
  if (Math.abs(nowMs - Number(timestamp)) > 5_000) return refusal(400, '400002', 'Invalid KC-API-TIMESTAMP');
  const sign = (text: string) => createHmac('sha256', account.secret).update(text).digest('base64');
  if (header('kc-api-passphrase') !== sign(account.passphrase ?? ''))
    return refusal(401, '400004', 'Invalid KC-API-PASSPHRASE');
  if (header('kc-api-sign') !== sign(`${timestamp}GET${request.target}`))
    return refusal(401, '400005', 'Invalid KC-API-SIGN');
  return account;
}

/** Sum of two decimals of up to ten places. */
const addUp = (left: string, right: string): string => (Number(left) + Number(right)).toFixed(10);

/** The REST format of KuCoin's spot account, after the examples of its documentation. */
export const kucoinFormat: ExchangeFormat = {
  symbolOf,
  tradesPath: (kind) =>
    kind === 'unified'
      ? '/api/ua/v1/unified/order/execution'
      : kind === 'hf'
        ? '/api/v1/hf/fills'
        : '/api/v1/fills',
  answer(request, state) {
    const { path, query } = request;
    if (Object.hasOwn(open, path)) return data(open[path](state));
    if (!Object.hasOwn(signed, path)) return refusal(404, '404', `Not Found ${path}`);
    const account = signedBy(request, state);
    return 'status' in account ? account : signed[path](account, query, state);
  },
  tooMany: refusal(429, '429000', 'too many requests'),
};
