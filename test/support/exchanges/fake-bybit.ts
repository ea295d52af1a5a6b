import { createHmac } from 'node:crypto';
import type { FakeAccount } from './fake-account.js';
import {
  addUp,
  tradesBetween,
  weekMs,
  type ExchangeFormat,
  type FakeAnswer,
  type FakeRequest,
  type FakeState,
} from './fake-exchange.js';

const answerOf = (retCode: number, retMsg: string, result: unknown): FakeAnswer => ({
  status: 200,
  body: { retCode, retMsg, result, retExtInfo: {}, time: Date.now() },
});
const done = (result: unknown): FakeAnswer => answerOf(0, 'OK', result);
const refusal = (code: number, message: string): FakeAnswer => answerOf(code, message, {});

const symbolOf = (base: string, quote: string) => `${base}${quote}`;

const open: ExchangeFormat['open'] = {
  '/v5/market/time': ({ nowMs }) => ({
    status: 200,
    body: { retCode: 0, retMsg: 'OK', result: { timeSecond: String(Math.floor(nowMs / 1000)) }, time: nowMs },
  }),
  '/v5/market/instruments-info': ({ pairs }) =>
    done({
      category: 'spot',
      list: pairs.map(({ base, quote }) => ({
        symbol: symbolOf(base, quote),
        baseCoin: base,
        quoteCoin: quote,
        innovation: '0',
        status: 'Trading',
        marginTrading: 'none',
        lotSizeFilter: {
          basePrecision: '0.00000001',
          quotePrecision: '0.00000001',
          minOrderQty: '0.00004',
          maxOrderQty: '63',
          minOrderAmt: '1',
          maxOrderAmt: '100000',
        },
        priceFilter: { tickSize: '0.01' },
      })),
    }),
  '/v5/market/tickers': ({ pairs }) =>
    done({
      category: 'spot',
      list: pairs.map(({ base, quote, price }) => ({
        symbol: symbolOf(base, quote),
        bid1Price: price,
        bid1Size: '2',
        ask1Price: price,
        ask1Size: '1',
        lastPrice: price,
        prevPrice24h: price,
        price24hPcnt: '0.0068',
        highPrice24h: price,
        lowPrice24h: price,
        turnover24h: price,
        volume24h: '1',
      })),
    }),
};

const signed: ExchangeFormat['signed'] = {
  '/v5/user/query-api': ({ mayTrade = true, mayWithdraw = false }) =>
    done({
      id: '13770661',
      note: 'x',
      readOnly: mayTrade ? 0 : 1,
      secret: '',
      permissions: {
        Spot: mayTrade ? ['SpotTrade'] : [],
        Wallet: ['AccountTransfer', ...(mayWithdraw ? ['Withdraw'] : [])],
      },
      unified: 0,
      uta: 1,
    }),
  '/v5/account/info': () =>
    done({ marginMode: 'REGULAR_MARGIN', updatedTime: '1697078946000', unifiedMarginStatus: 6 }),
  '/v5/account/wallet-balance': ({ balances }, query) =>
    query.get('accountType') !== 'UNIFIED'
      ? refusal(10001, 'accountType only support UNIFIED.')
      : done({
          list: [
            {
              accountType: 'UNIFIED',
              totalEquity: '1',
              coin: Object.entries(balances).map(([coin, { free, locked = '0' }]) => ({
                coin,
                // Deprecated by Bybit, and empty in newer accounts.
                availableToWithdraw: '',
                equity: addUp(free, locked),
                walletBalance: addUp(free, locked),
                locked,
                borrowAmount: '0',
                accruedInterest: '0',
                totalOrderIM: '0',
                totalPositionIM: '0',
                unrealisedPnl: '0',
              })),
            },
          ],
        }),
  '/v5/execution/list': (account, query, { changeRows }) => {
    const [from, until] = [Number(query.get('startTime')), Number(query.get('endTime'))];
    if (until - from > weekMs)
      return refusal(10001, 'The time range between startTime and endTime is too long');
    const limit = Math.min(100, Number(query.get('limit') ?? 50));
    const found = tradesBetween(account, query.get('symbol'), [from, until]);
    const first = Number(query.get('cursor')?.split(':')[1] ?? 0);
    const rows = found
      .slice(first, first + limit)
      .map(({ symbol, side, quantity, price, fee = '0 USDT', time, id }) => ({
        symbol,
        orderId: `15386863532403397${id}`,
        orderLinkId: '',
        side: side === 'buy' ? 'Buy' : 'Sell',
        orderPrice: price,
        orderQty: quantity,
        leavesQty: '0',
        orderType: 'Limit',
        stopOrderType: '',
        execFee: fee.split(' ')[0],
        execId: `2210000000097330${id}`,
        execPrice: price,
        execQty: quantity,
        execType: 'Trade',
        execValue: String(Number(quantity) * Number(price)),
        execTime: String(time),
        // The side implies the currency of the fee; only another currency is named.
        ...(fee.endsWith('MNT') ? { feeCoin: 'MNT' } : {}),
        isMaker: false,
        feeRate: '0.001',
      }));
    const nextPageCursor = found.length > first + limit ? `2210000000097330:${first + limit}` : '';
    return done({ nextPageCursor, category: 'spot', list: changeRows(rows) });
  },
};

function signedBy(request: FakeRequest, { accounts, nowMs }: FakeState): FakeAccount | FakeAnswer {
  const header = (name: string) => String(request.headers[name] ?? '');
  const account = accounts.get(header('x-bapi-api-key'));
  if (!account) return refusal(10003, 'API key is invalid.');
  const [timestamp, window] = [header('x-bapi-timestamp'), header('x-bapi-recv-window')];
  if (Number(timestamp) > nowMs + 1_000 || Number(timestamp) < nowMs - Number(window))
    return refusal(10002, 'invalid request, please check your server timestamp or recv_window param.');
  const text = timestamp + header('x-bapi-api-key') + window + request.target.slice(request.path.length + 1);
  const expected = createHmac('sha256', account.secret).update(text).digest('hex');
  if (header('x-bapi-sign') !== expected) return refusal(10004, 'error sign! origin_string[...]');
  return account;
}

/** The REST format of Bybit's unified account, as in the examples of its documentation. */
export const bybitFormat: ExchangeFormat = {
  symbolOf,
  tradesPath: () => '/v5/execution/list',
  tradeFields: {
    quantity: ['execQty'],
    price: ['execPrice'],
    id: ['execId'],
    time: ['execTime'],
    fee: ['execFee'],
  },
  open,
  signed,
  signedBy,
  tooMany: refusal(10006, 'Too many visits. Exceeded the API Rate Limit.'),
};
