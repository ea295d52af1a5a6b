import type { ExchangeDialect } from '../exchange-dialect.js';
import type { RequestKind } from '../fault-script.js';
import { binanceRights } from '../key-rights.js';
import { binanceQuotas } from '../quotas/binance-quotas.js';
import { binanceSockets } from '../sockets/binance-sockets.js';
import { binancePrivate, binanceStreamEndpoints } from '../streams/binance-private.js';
import { futuresAccountEndpoints } from './futures-account-endpoints.js';
import { futuresOrderEndpoints } from './futures-order-endpoints.js';
import { ledgerEndpoints } from './ledger-endpoints.js';
import { exchangeInfoEndpoints, publicEndpoints } from './public-endpoints.js';
import { signedAccount } from './signed-account.js';
import { spotAccountEndpoints } from './spot-account-endpoints.js';
import { spotOrderEndpoints } from './spot-endpoints.js';

const kinds: readonly [RegExp, RequestKind][] = [
  [/^POST .*\/(order|algoOrder|orderList\/oco)$/, 'create'],
  [/^DELETE .*\/(order|algoOrder|openOrders|allOpenOrders|algoOpenOrders)$/, 'cancel'],
  [/^GET .*\/(order|algoOrder|allOrders|allAlgoOrders)$/, 'find'],
  [/^GET .*\/(openOrders|openAlgoOrders)$/, 'open orders'],
  [/^GET .*\/(myTrades|userTrades)$/, 'trades'],
  [/^GET .*\/(account|balance|positionRisk|apiRestrictions)$/, 'account'],
  [/^POST .*\/(leverage|marginType)$/, 'settings'],
  [/^GET .*\/(ping|time|exchangeInfo|ticker\/.*|trades|aggTrades|depth|klines|status)$/, 'public'],
];

/** Binance: spot, margin and USDT futures. */
export const binanceDialect: ExchangeDialect = {
  apiKeyOf: ({ headers }) => (headers['x-mbx-apikey'] as string | undefined) ?? '',
  kindOf: ({ method, path }) => kinds.find(([pattern]) => pattern.test(`${method} ${path}`))?.[1] ?? 'other',
  paramsOf: ({ query, body }) => new URLSearchParams([query, body].filter((part) => part !== '').join('&')),
  clientOrderIdNames: ['newClientOrderId', 'origClientOrderId', 'belowClientOrderId', 'clientAlgoId'],
  sockets: binanceSockets,
  privateStreams: binancePrivate,
  quotas: binanceQuotas,
  openEndpoints: {
    ...publicEndpoints('/api/v3'),
    ...publicEndpoints('/fapi/v1'),
    ...exchangeInfoEndpoints,
    ...binanceStreamEndpoints,
  },
  signedEndpoints: {
    ...spotOrderEndpoints('spot', '/api/v3'),
    ...spotOrderEndpoints('margin', '/sapi/v1/margin'),
    ...spotAccountEndpoints,
    ...futuresOrderEndpoints,
    ...futuresAccountEndpoints,
    ...ledgerEndpoints,
  },
  signedAccount,
  rights: binanceRights,
  success: (body) => ({ status: 200, body }),
  refusal: ({ status, code, message }) => ({ status, body: { code, msg: message } }),
  faultBody: (code, message) => ({ code, msg: message }),
  listIn: (body) => (Array.isArray(body) ? (body as unknown[]) : null),
};
