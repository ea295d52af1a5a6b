import { createHmac } from 'node:crypto';
import { ExchangeRefusal } from '../book/exchange-refusal.js';
import type { MatchingEngine } from '../book/matching-engine.js';
import type { ExchangeDialect } from '../exchange-dialect.js';
import type { RequestKind } from '../fault-script.js';
import type { ReceivedRequest } from '../rest/signed-account.js';
import { kucoinLedgerEndpoints } from './kucoin-ledger-endpoints.js';
import { kucoinRights } from '../key-rights.js';
import { kucoinSockets } from '../sockets/kucoin-sockets.js';
import { kucoinAccountEndpoints } from './kucoin-account-endpoints.js';
import { kucoinFuturesEndpoints } from './kucoin-futures-endpoints.js';
import { kucoinPublicEndpoints } from './kucoin-public-endpoints.js';
import { kucoinRefusal } from './kucoin-refusal.js';
import { kucoinSpotEndpoints } from './kucoin-spot-endpoints.js';
import { kucoinPrivate, kucoinStreamEndpoints } from '../streams/kucoin-private.js';
import { kucoinQuotas } from '../quotas/kucoin-quotas.js';

const kinds: readonly [RegExp, RequestKind][] = [
  [/^POST .*\/(hf\/orders|margin\/order|v1\/orders)$/, 'create'],
  [/^DELETE .*\/orders\//, 'cancel'],
  [/^GET .*\/(orders\/active|active\/symbols|stopOrders|v1\/orders)$/, 'open orders'],
  [/^GET .*\/(byClientOid|client-order\/[^/]+|orders\/[^/]+)$/, 'find'],
  [/^GET .*\/(fills|execution)$/, 'trades'],
  [/^GET .*\/(accounts|account|positions|account-overview|api-key|opened|mode|balance)$/, 'account'],
  [/^POST .*\/(changeCrossUserLeverage|changeMarginMode|update-user-leverage)$/, 'settings'],
  [/^GET .*\/(timestamp|symbols|allTickers|active|histories|history|candles|query)$/, 'public'],
];

/** KuCoin: high-frequency spot and margin, and futures. */
export const kucoinDialect: ExchangeDialect = {
  apiKeyOf: ({ headers }) => (headers['kc-api-key'] as string | undefined) ?? '',
  kindOf: ({ method, path }) => kinds.find(([pattern]) => pattern.test(`${method} ${path}`))?.[1] ?? 'other',

  paramsOf({ path, query, body }) {
    const given =
      body === ''
        ? new URLSearchParams(query)
        : new URLSearchParams(Object.entries(JSON.parse(body) as Record<string, string>));
    const clientOid = /client-order\/([^/]+)$/.exec(path)?.[1];
    if (clientOid !== undefined) given.set('clientOid', clientOid);
    return given;
  },

  clientOrderIdNames: ['clientOid'],
  sockets: kucoinSockets,
  privateStreams: kucoinPrivate,
  quotas: kucoinQuotas,
  openEndpoints: kucoinPublicEndpoints,
  signedEndpoints: {
    ...kucoinSpotEndpoints,
    ...kucoinFuturesEndpoints,
    ...kucoinAccountEndpoints,
    ...kucoinLedgerEndpoints,
    ...kucoinStreamEndpoints,
  },
  signedAccount,
  rights: kucoinRights,
  success: (data) => ({ status: 200, body: { code: '200000', data } }),

  refusal(refusal) {
    const { code, message: msg } = kucoinRefusal(refusal);
    return { status: refusal.status >= 500 ? refusal.status : 200, body: { code, msg } };
  },

  faultBody: (code, msg) => ({ code: String(code), msg }),

  listIn(body) {
    const { data } = body as { data?: unknown[] | { items?: unknown[] } };
    return Array.isArray(data) ? data : (data?.items ?? null);
  },
};

/** For how long the time of a signature is accepted, and how far ahead it may be. */
const windowMs = 5_000;

function signedAccount(request: ReceivedRequest, engine: MatchingEngine, nowMs: number) {
  const { method, path, query, body, headers } = request;
  const header = (name: string) => (headers[`kc-api-${name}`] as string | undefined) ?? '';
  const account = engine.accounts.get(header('key'));
  if (!account) throw new ExchangeRefusal(400003, 'KC-API-KEY not exists');
  const { secret, passphrase = '' } = account.setup;
  const sign = (text: string) => createHmac('sha256', secret).update(text).digest('base64');
  if (header('passphrase') !== sign(passphrase))
    throw new ExchangeRefusal(400004, 'Invalid KC-API-PASSPHRASE');
  const endpoint = query === '' ? path : `${path}?${query}`;
  if (header('sign') !== sign(`${header('timestamp')}${method}${endpoint}${body}`))
    throw new ExchangeRefusal(400005, 'Invalid KC-API-SIGN');
  if (Math.abs(nowMs - Number(header('timestamp'))) > windowMs)
    throw new ExchangeRefusal(400002, 'Invalid KC-API-TIMESTAMP');
  return account;
}
