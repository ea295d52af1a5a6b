import { createHmac } from 'node:crypto';
import type { FakeAccount } from './fake-account.js';
import type { ExchangeFormat, FakeAnswer, FakeRequest, FakeState } from './fake-exchange.js';
import { kucoinAccount } from './fake-kucoin-account.js';
import { data, refusal } from './fake-kucoin-answer.js';

const symbolOf = (base: string, quote: string) => `${base}-${quote}`;

const open: ExchangeFormat['open'] = {
  '/api/v1/timestamp': ({ nowMs }) => data(nowMs),
  '/api/v3/currencies': () => data([]),
  '/api/v2/symbols': ({ pairs }) =>
    data(
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
    ),
  '/api/v1/market/allTickers': ({ pairs, nowMs }) =>
    data({
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

/** The REST format of KuCoin's spot account, as in the examples of its documentation. */
export const kucoinFormat: ExchangeFormat = {
  symbolOf,
  tradesPath: (kind) =>
    kind === 'unified'
      ? '/api/ua/v1/unified/order/execution'
      : kind === 'hf'
        ? '/api/v1/hf/fills'
        : '/api/v1/fills',
  tradeFields: {
    quantity: ['size'],
    price: ['price'],
    id: ['tradeId', 'id'],
    time: ['createdAt', 'executionTime'],
    fee: ['fee'],
  },
  open,
  signed: kucoinAccount,
  signedBy,
  tooMany: refusal(429, '429000', 'too many requests'),
};
