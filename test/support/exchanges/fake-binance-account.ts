import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FakeAccount, FakeTrade } from './fake-account.js';
import type { FakeAnswer } from './fake-exchange.js';

type Answer = (account: FakeAccount, query: URLSearchParams, nowMs: number) => unknown;

const answers: Record<string, Answer> = {
  '/api/v3/account': ({ balances }, _query, nowMs) => ({
    makerCommission: 10,
    takerCommission: 10,
    canTrade: true,
    canWithdraw: true,
    canDeposit: true,
    updateTime: Math.floor(nowMs),
    accountType: 'SPOT',
    balances: Object.entries(balances).map(([asset, { free, locked = '0.00000000' }]) => ({
      asset,
      free,
      locked,
    })),
    permissions: ['SPOT'],
  }),

  '/api/v3/myTrades': ({ trades }, query) => {
    const fromId = Number(query.get('fromId') ?? 0);
    const limit = Math.min(1_000, Number(query.get('limit') ?? 500));
    return trades
      .map((trade, id) => ({ ...trade, id: id + 1 }))
      .filter(({ symbol, id }) => symbol === query.get('symbol') && id >= fromId)
      .slice(0, limit)
      .map(describeTrade);
  },

  '/sapi/v1/account/apiRestrictions': ({ mayTrade = true, mayWithdraw = false, silent = false, kind }) => ({
    ipRestrict: false,
    createTime: 1698645219000,
    enableReading: true,
    ...(silent ? {} : { enableWithdrawals: mayWithdraw }),
    enableInternalTransfer: false,
    enableMargin: false,
    enableFutures: false,
    permitsUniversalTransfer: false,
    enableVanillaOptions: false,
    enablePortfolioMarginTrading: kind === 'portfolio',
    enableSpotAndMarginTrading: mayTrade,
  }),
};

/** The answer to a signed request, with the checks of the exchange; null for a public path. */
export function answerSigned(
  request: IncomingMessage,
  accounts: ReadonlyMap<string, FakeAccount>,
  nowMs: number,
): FakeAnswer | null {
  const { pathname, search, searchParams } = new URL(request.url ?? '/', 'http://exchange');
  if (!Object.hasOwn(answers, pathname)) return null;
  const key = request.headers['x-mbx-apikey'];
  if (typeof key !== 'string' || !/^[A-Za-z0-9]{16,64}$/.test(key))
    return refusal(401, -2014, 'API-key format invalid.');
  const account = accounts.get(key);
  if (!account) return refusal(401, -2015, 'Invalid API-key, IP, or permissions for action.');
  const [signedText, signature] = search.slice(1).split('&signature=');
  const expected = createHmac('sha256', account.secret).update(signedText).digest('hex');
  if (signature !== expected) return refusal(400, -1022, 'Signature for this request is not valid.');
  const timestamp = Number(searchParams.get('timestamp'));
  if (timestamp > nowMs + 1_000)
    return refusal(400, -1021, "Timestamp for this request was 1000ms ahead of the server's time.");
  if (nowMs - timestamp > Number(searchParams.get('recvWindow') ?? 5_000))
    return refusal(400, -1021, 'Timestamp for this request is outside of the recvWindow.');
  return { status: 200, body: answers[pathname](account, searchParams, nowMs) };
}

const refusal = (status: number, code: number, msg: string): FakeAnswer => ({
  status,
  body: { code, msg },
});

function describeTrade({
  symbol,
  side,
  quantity,
  price,
  fee = '0 BNB',
  time = 1_700_000_000_000,
  id,
}: FakeTrade & { id: number }): object {
  const [commission, commissionAsset] = fee.split(' ');
  return {
    symbol,
    id,
    orderId: 100 + id,
    orderListId: -1,
    price,
    qty: quantity,
    quoteQty: String(Number(quantity) * Number(price)),
    commission,
    commissionAsset,
    time,
    isBuyer: side === 'buy',
    isMaker: false,
    isBestMatch: true,
  };
}
