import { createHmac } from 'node:crypto';
import { ExchangeRefusal } from '../book/exchange-refusal.js';
import type { MatchingEngine } from '../book/matching-engine.js';
import type { ExchangeDialect } from '../exchange-dialect.js';
import type { RequestKind } from '../fault-script.js';
import type { ReceivedRequest } from '../rest/signed-account.js';
import { bybitRights } from '../key-rights.js';
import { bybitSockets } from '../sockets/bybit-sockets.js';
import { bybitAccountEndpoints } from './bybit-account-endpoints.js';
import { bybitOrderEndpoints } from './bybit-order-endpoints.js';
import { bybitPublicEndpoints } from './bybit-public-endpoints.js';
import { bybitRefusal } from './bybit-refusal.js';
import { bybitPrivate } from '../streams/bybit-private.js';
import { bybitQuotas } from '../quotas/bybit-quotas.js';

const kinds: Readonly<Record<string, RequestKind>> = {
  'POST /v5/order/create': 'create',
  'POST /v5/order/cancel': 'cancel',
  'GET /v5/order/history': 'find',
  'GET /v5/execution/list': 'trades',
  'GET /v5/account/wallet-balance': 'account',
  'GET /v5/account/info': 'account',
  'GET /v5/position/list': 'account',
  'GET /v5/user/query-api': 'account',
  'GET /v5/spot-margin-trade/state': 'account',
  'POST /v5/position/set-leverage': 'settings',
  'POST /v5/account/set-margin-mode': 'settings',
  'POST /v5/spot-margin-trade/set-leverage': 'settings',
};

/** Bybit's API of version 5, for unified accounts. */
export const bybitDialect: ExchangeDialect = {
  apiKeyOf: ({ headers }) => (headers['x-bapi-api-key'] as string | undefined) ?? '',

  kindOf(request) {
    const { method, path } = request;
    if (path === '/v5/order/realtime') return paramsOf(request).has('orderLinkId') ? 'find' : 'open orders';
    return kinds[`${method} ${path}`] ?? (path.startsWith('/v5/market/') ? 'public' : 'other');
  },

  paramsOf,
  clientOrderIdNames: ['orderLinkId'],
  sockets: bybitSockets,
  privateStreams: bybitPrivate,
  quotas: bybitQuotas,
  openEndpoints: bybitPublicEndpoints,
  signedEndpoints: { ...bybitOrderEndpoints, ...bybitAccountEndpoints },
  signedAccount,
  rights: bybitRights,
  success: (result, nowMs) => ({ status: 200, body: bodyOf(0, 'OK', result, nowMs) }),

  refusal(refusal, request, nowMs) {
    const { code, message } = bybitRefusal(refusal, paramsOf(request).get('category') ?? '');
    return { status: refusal.status >= 500 ? refusal.status : 200, body: bodyOf(code, message, {}, nowMs) };
  },

  faultBody: (code, message) => bodyOf(code, message, {}, Date.now()),
  listIn: (body) => (body as { result?: { list?: unknown[] } }).result?.list ?? null,
};

function paramsOf({ query, body }: ReceivedRequest): URLSearchParams {
  if (body === '') return new URLSearchParams(query);
  const fields = Object.entries(JSON.parse(body) as Record<string, unknown>);
  return new URLSearchParams(fields.map(([name, value]): [string, string] => [name, String(value)]));
}

const bodyOf = (retCode: number, retMsg: string, result: unknown, nowMs: number) => ({
  ...{ retCode, retMsg, result, retExtInfo: {} },
  time: Math.floor(nowMs),
});

/** How far ahead of the exchange a client's clock may be. */
const aheadMs = 1_000;

function signedAccount({ headers, query, body }: ReceivedRequest, engine: MatchingEngine, nowMs: number) {
  const header = (name: string) => (headers[`x-bapi-${name}`] as string | undefined) ?? '';
  const [key, timestamp, windowMs] = [header('api-key'), header('timestamp'), header('recv-window')];
  const account = engine.accounts.get(key);
  if (!account) throw new ExchangeRefusal(10003, 'API key is invalid.');
  const text = `${timestamp}${key}${windowMs}${body === '' ? query : body}`;
  const expected = createHmac('sha256', account.setup.secret).update(text).digest('hex');
  if (header('sign') !== expected)
    throw new ExchangeRefusal(10004, 'error sign! please check your signature generation algorithm.');
  const lateMs = nowMs - Number(timestamp);
  if (lateMs > Number(windowMs) || lateMs <= -aheadMs)
    throw new ExchangeRefusal(
      10002,
      `invalid request, please check your server timestamp or recv_window param. req_timestamp[${timestamp}]`,
    );
  return account;
}
