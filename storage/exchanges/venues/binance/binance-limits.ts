import type { CcxtRequest, RequestLimit } from '../../request-limit.js';

const minuteMs = 60_000;
const weight = { windowMs: minuteMs, told: { used: 'x-mbx-used-weight-1m' } };
const perTenSeconds = { windowMs: 10_000, told: { used: 'x-mbx-order-count-10s' } };
const futuresOrder = /^fapi\w+ POST (order|algoOrder)$/;

/** For a symbol, up to 20 of them, up to 100, and all. */
function tickersWeight({ symbol, symbols }: CcxtRequest['params']): number {
  if (symbol === undefined && symbols === undefined) return 80;
  const asked = JSON.stringify(symbols ?? '').split(',').length;
  if (asked <= 20) return 2;
  return asked <= 100 ? 40 : 80;
}

/**
 * "Limits" and `rateLimits` of `exchangeInfo` (developers.binance.com, spot and USDS-M futures); sapi: "Wallet, General Info".
 * The cost of ccxt is a fifth of the weight on spot, the weight on futures, and a tenth of it on sapi.
 */
export const binanceLimits: readonly RequestLimit[] = [
  {
    ...weight,
    name: 'spot',
    scope: 'address',
    counts: /^(public|private|socket) /,
    unitsPerCost: 5,
    units: {
      'socket CONNECT': () => 2,
      'socket SUBSCRIBE': () => 2,
      'public GET aggTrades': () => 4,
      'public GET ticker/24hr': tickersWeight,
      'public GET trades': () => 25,
    },
    most: 6_000,
  },
  {
    ...weight,
    name: 'futures',
    scope: 'address',
    counts: /^fapi/,
    unitsPerCost: 1,
    units: {
      'fapiPrivate POST algoOrder': () => 0,
      'fapiPrivate POST order': () => 0,
      'fapiPrivateV3 GET account': () => 5,
      'fapiPrivateV3 GET balance': () => 5,
      'fapiPrivateV3 GET positionRisk': () => 5,
    },
    most: 2_400,
  },
  {
    name: 'sapi',
    scope: 'address',
    counts: /^sapi/,
    isByEndpoint: true,
    unitsPerCost: 10,
    units: { 'sapi DELETE margin/order': () => 10 },
    most: 12_000,
    windowMs: minuteMs,
    told: { used: 'x-sapi-used-ip-weight-1m' },
  },
  // "IP Limits" of the WebSocket API and of streams.
  { name: 'connections', scope: 'address', counts: /^socket CONNECT/, most: 300, windowMs: 5 * minuteMs },
  {
    ...perTenSeconds,
    name: 'spot orders',
    scope: 'account',
    counts: /^private POST (order|sor)/,
    // "OCOs add 2 orders to the unfilled order count".
    units: { 'private POST orderList/oco': () => 2 },
    most: 100,
  },
  { ...perTenSeconds, name: 'futures orders', scope: 'account', counts: futuresOrder, most: 300 },
  {
    name: 'futures orders a minute',
    scope: 'account',
    counts: futuresOrder,
    most: 1_200,
    windowMs: minuteMs,
    told: { used: 'x-mbx-order-count-1m' },
  },
];
