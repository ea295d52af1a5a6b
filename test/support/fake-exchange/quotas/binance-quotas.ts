import type { QuotaAnswer, QuotaUsage, RequestQuota } from './request-quota.js';
import { unitsBy } from './request-quota.js';

type Weight = number | ((params: URLSearchParams) => number);

const minuteMs = 60_000;
const bySymbol =
  (one: number, all: number): Weight =>
  (params) =>
    params.has('symbol') ? one : all;

/** "24hr ticker price change statistics": 2 for a symbol and up to 20 of them, 40 up to 100, 80 for more and for all. */
const tickerWeight: Weight = (params) => {
  if (params.has('symbol')) return 2;
  const names = params.get('symbols')?.split(',').length ?? Infinity;
  if (names <= 20) return 2;
  return names <= 100 ? 40 : 80;
};

/** "Kline/Candlestick Data" of futures: by `limit`, whose default is 500. */
const futuresCandleWeight: Weight = (params) => {
  const limit = Number(params.get('limit') ?? 500);
  if (limit < 100) return 1;
  if (limit < 500) return 2;
  return limit <= 1_000 ? 5 : 10;
};

/** binance-spot-api-docs, rest-api.md: the "Weight" of each endpoint. */
const spotWeights: readonly [RegExp, Weight][] = [
  [/^(POST|DELETE) \/api\/v3\/order/, 1],
  [/^DELETE \/api\/v3\/openOrders$/, 1],
  [/^GET \/api\/v3\/order$/, 4],
  [/^GET \/api\/v3\/openOrders$/, bySymbol(6, 80)],
  [/^GET \/api\/v3\/(allOrders|account|exchangeInfo)$/, 20],
  [/^GET \/api\/v3\/myTrades$/, (params) => (params.has('orderId') ? 5 : 20)],
  [/^GET \/api\/v3\/(trades|historicalTrades)$/, 25],
  [/^GET \/api\/v3\/aggTrades$/, 4],
  [/^GET \/api\/v3\/(klines|avgPrice)$/, 2],
  [/^GET \/api\/v3\/depth$/, 5],
  [/^GET \/api\/v3\/ticker\/24hr$/, tickerWeight],
  [/^GET \/api\/v3\/ticker\//, bySymbol(2, 4)],
  [/^\w+ \/api\//, 1],
];

/** developers.binance.com, "USDS-M Futures", REST API: the "Request Weight" of each endpoint. */
const futuresWeights: readonly [RegExp, Weight][] = [
  [/^POST \/fapi\/v1\/(order|algoOrder)$/, 0],
  [/^GET \/fapi\/v1\/(openOrders|openAlgoOrders)$/, bySymbol(1, 40)],
  [/^GET \/fapi\/v1\/(allOrders|allAlgoOrders|userTrades|accountConfig|symbolConfig|trades)$/, 5],
  [/^GET \/fapi\/v[23]\/(account|balance|positionRisk)$/, 5],
  [/^GET \/fapi\/v1\/(income|positionSide\/dual)$/, 30],
  [/^GET \/fapi\/v1\/aggTrades$/, 20],
  [/^GET \/fapi\/v1\/klines$/, futuresCandleWeight],
  [/^GET \/fapi\/v1\/ticker\/24hr$/, bySymbol(1, 40)],
  [/^GET \/fapi\/v1\/ticker\/bookTicker$/, bySymbol(2, 5)],
  [/^GET \/fapi\/v1\/ticker\/price$/, bySymbol(1, 2)],
  [/^GET \/fapi\/v1\/premiumIndex$/, bySymbol(1, 10)],
  [/^\w+ \/fapi\//, 1],
];

/** developers.binance.com, "Margin Trading" and "Wallet": the "Request Weight (IP)"; each endpoint has a limit of its own. */
const sapiWeights: readonly [RegExp, Weight][] = [
  [/^POST \/sapi\/v1\/margin\/order$/, 0],
  [/^GET \/sapi\/v1\/margin\/allOrders$/, 200],
  [/^(GET|DELETE) \/sapi\/v1\/margin\/(order|openOrders|myTrades|account|isolated\/\w+)$/, 10],
  [/^GET \/sapi\/v1\/capital\/config\/getall$/, 10],
  [/^\w+ \/sapi\//, 1],
];

const weightOf = (weight: Weight | undefined, params: URLSearchParams) => {
  if (weight === undefined) return null;
  return { units: typeof weight === 'number' ? weight : weight(params) };
};

/** "IP Limits": 429 and then 418 from two minutes on, with Retry-After. errors.md: the messages of -1003. */
function tooMuchWeight({ most, nowMs, untilMs, isBlocked }: QuotaUsage): QuotaAnswer {
  const msg = isBlocked
    ? `Way too much request weight used; IP banned until ${untilMs}. Please use WebSocket Streams for live updates to avoid bans.`
    : `Too much request weight used; current limit is ${most} request weight per 1 MINUTE. Please use WebSocket Streams for live updates to avoid polling the API.`;
  return {
    ...{ status: isBlocked ? 418 : 429, body: { code: -1003, msg } },
    headers: { 'Retry-After': String(Math.ceil((untilMs - nowMs) / 1_000)) },
  };
}

/** "Unfilled Order Count": 429 with Retry-After; errors.md: -1015. */
const tooManyOrders =
  (span: string) =>
  ({ most, nowMs, untilMs }: QuotaUsage): QuotaAnswer => ({
    ...{
      status: 429,
      body: { code: -1015, msg: `Too many new orders; current limit is ${most} orders per ${span}.` },
    },
    headers: { 'Retry-After': String(Math.ceil((untilMs - nowMs) / 1_000)) },
  });

const told =
  (header: string) =>
  ({ used }: QuotaUsage) => ({ [header]: String(used) });

const weightQuota = (rows: readonly [RegExp, Weight][], most: number): RequestQuota => ({
  ...{ by: 'address', most, windowMs: minuteMs, begins: 'clock' },
  unitsOf: (request, params) => weightOf(unitsBy(rows, request), params),
  headers: told('X-MBX-USED-WEIGHT-1M'),
  beyond: tooMuchWeight,
  block: { after: 20, ms: 2 * minuteMs },
});

const orderQuota = (
  path: RegExp,
  { most, span, ms }: { most: number; span: string; ms: number },
): RequestQuota => ({
  ...{ by: 'account', most, windowMs: ms, begins: 'clock' },
  // "OCOs add 2 orders to the unfilled order count".
  unitsOf: (request) =>
    path.test(`${request.method} ${request.path}`) ? { units: request.path.endsWith('/oco') ? 2 : 1 } : null,
  headers: told(`X-MBX-ORDER-COUNT-${span === '1 MINUTE' ? '1M' : '10S'}`),
  beyond: tooManyOrders(span),
});

const futuresOrder = /^POST \/fapi\/v1\/(order|algoOrder)$/;
const tenSeconds = { span: '10 SECOND', ms: 10_000 };

/** `rateLimits` of `exchangeInfo` on spot and futures; "General Info" of sapi. */
export const binanceQuotas: readonly RequestQuota[] = [
  weightQuota(spotWeights, 6_000),
  weightQuota(futuresWeights, 2_400),
  {
    ...weightQuota(sapiWeights, 12_000),
    unitsOf: (request, params) => {
      const counted = weightOf(unitsBy(sapiWeights, request), params);
      return counted && { ...counted, counter: `${request.method} ${request.path}` };
    },
    headers: told('X-SAPI-USED-IP-WEIGHT-1M'),
  },
  orderQuota(/^POST \/api\/v3\/(order|orderList\/oco)$/, { most: 100, ...tenSeconds }),
  orderQuota(futuresOrder, { most: 300, ...tenSeconds }),
  orderQuota(futuresOrder, { most: 1_200, span: '1 MINUTE', ms: minuteMs }),
];
