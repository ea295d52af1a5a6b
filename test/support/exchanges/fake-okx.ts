import { createHmac } from 'node:crypto';
import type { FakeAccount } from './fake-account.js';
import {
  addUp,
  tradesBetween,
  type ExchangeFormat,
  type FakeAnswer,
  type FakeRequest,
  type FakeState,
} from './fake-exchange.js';

const done = (data: unknown[]): FakeAnswer => ({ status: 200, body: { code: '0', msg: '', data } });
const refusal = (status: number, code: string, msg: string): FakeAnswer => ({
  status,
  body: { code, msg, data: [] },
});

const symbolOf = (base: string, quote: string) => `${base}-${quote}`;

const open: ExchangeFormat['open'] = {
  '/api/v5/public/time': ({ nowMs }) => done([{ ts: String(Math.floor(nowMs)) }]),
  '/api/v5/public/instruments': ({ pairs }) =>
    done(
      pairs.map(({ base, quote }) => ({
        instType: 'SPOT',
        instId: symbolOf(base, quote),
        baseCcy: base,
        quoteCcy: quote,
        state: 'live',
        lotSz: '0.00000001',
        minSz: '0.00001',
        tickSz: '0.1',
      })),
    ),
  '/api/v5/market/tickers': ({ pairs, nowMs }) =>
    done(
      pairs.map(({ base, quote, price }) => ({
        instType: 'SPOT',
        instId: symbolOf(base, quote),
        last: price,
        open24h: price,
        high24h: price,
        low24h: price,
        vol24h: '1',
        volCcy24h: price,
        ts: String(Math.floor(nowMs)),
      })),
    ),
};

const signed: ExchangeFormat['signed'] = {
  '/api/v5/account/config': ({ mayTrade = true, mayWithdraw = false }) =>
    done([
      { perm: ['read_only', ...(mayTrade ? ['trade'] : []), ...(mayWithdraw ? ['withdraw'] : [])].join() },
    ]),
  '/api/v5/account/balance': ({ balances }) => {
    const details = Object.entries(balances).map(([ccy, { free, locked = '0' }]) => ({
      ccy,
      eq: addUp(free, locked),
      availEq: '',
      availBal: free,
      frozenBal: locked,
    }));
    return done([{ uTime: '1705564223311', details }]);
  },
  '/api/v5/trade/fills-history': (account, query, { changeRows }) => {
    const span: [number, number] = [Number(query.get('begin')), Number(query.get('end'))];
    const found = tradesBetween(account, query.get('instId'), span).slice(0, 100);
    return done(
      changeRows(
        found.map(({ symbol, side, quantity, price, fee = '0 USDT', time, id }) => ({
          instType: 'SPOT',
          instId: symbol,
          tradeId: `${1_000 + id}`,
          ordId: `${2_000 + id}`,
          billId: `${3_000 + id}`,
          side,
          fillSz: quantity,
          fillPx: price,
          fee: `-${fee.split(' ')[0]}`,
          feeCcy: fee.split(' ')[1],
          execType: 'T',
          ts: String(time),
        })),
      ),
    );
  },
};

function signedBy(request: FakeRequest, { accounts, nowMs }: FakeState): FakeAccount | FakeAnswer {
  const header = (name: string) => String(request.headers[name] ?? '');
  const account = accounts.get(header('ok-access-key'));
  if (!account) return refusal(401, '50111', 'Invalid OK-ACCESS-KEY');
  const timestamp = header('ok-access-timestamp');
  if (Math.abs(nowMs - Date.parse(timestamp)) > 30_000)
    return refusal(401, '50102', 'Timestamp request expired');
  if (header('ok-access-passphrase') !== account.passphrase)
    return refusal(401, '50105', 'OK-ACCESS-PASSPHRASE incorrect');
  const text = `${timestamp}GET${request.target}`;
  if (header('ok-access-sign') !== createHmac('sha256', account.secret).update(text).digest('base64'))
    return refusal(401, '50113', 'Invalid Sign');
  return account;
}

/** The REST format of OKX's trading account, as in the examples of its documentation. */
export const okxFormat: ExchangeFormat = {
  symbolOf,
  tradesPath: () => '/api/v5/trade/fills-history',
  tradeFields: { quantity: ['fillSz'], price: ['fillPx'], id: ['tradeId'], time: ['ts'], fee: ['fee'] },
  open,
  signed,
  signedBy,
  tooMany: refusal(429, '50011', 'Too Many Requests'),
};
