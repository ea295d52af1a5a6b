import type { ExchangeDialect } from '../exchange-dialect.js';
import { binanceRights } from '../key-rights.js';
import { binanceSockets } from '../sockets/binance-sockets.js';
import { openEndpoints, signedEndpoints } from './endpoints.js';
import { requestKind } from './request-kind.js';
import { signedAccount } from './signed-account.js';
import { binancePrivate, binanceStreamEndpoints } from '../streams/binance-private.js';
import { binanceQuotas } from '../quotas/binance-quotas.js';

/** Binance: spot, margin and USDT futures. */
export const binanceDialect: ExchangeDialect = {
  apiKeyOf: ({ headers }) => (headers['x-mbx-apikey'] as string | undefined) ?? '',
  kindOf: ({ method, path }) => requestKind(method, path),
  paramsOf: ({ query, body }) => new URLSearchParams([query, body].filter((part) => part !== '').join('&')),
  clientOrderIdNames: ['newClientOrderId', 'origClientOrderId', 'belowClientOrderId', 'clientAlgoId'],
  sockets: binanceSockets,
  privateStreams: binancePrivate,
  quotas: binanceQuotas,
  openEndpoints: { ...openEndpoints, ...binanceStreamEndpoints },
  signedEndpoints,
  signedAccount,
  rights: binanceRights,
  success: (body) => ({ status: 200, body }),
  refusal: ({ status, code, message }) => ({ status, body: { code, msg: message } }),
  faultBody: (code, message) => ({ code, msg: message }),
  listIn: (body) => (Array.isArray(body) ? (body as unknown[]) : null),
};
