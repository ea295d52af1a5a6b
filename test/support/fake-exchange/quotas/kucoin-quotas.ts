import { unitsBy, type QuotaUsage, type RequestQuota } from './request-quota.js';

/** kucoin.com/docs-new, "API-RATE-LIMIT-POOL" and "API-RATE-LIMIT-WEIGHT" of each endpoint. */
const weights: Record<'spot' | 'futures' | 'management' | 'public', readonly [RegExp, number][]> = {
  spot: [
    [/^POST \/api\/v1\/hf\/orders/, 1],
    [/^DELETE \/api\/v1\/hf\/orders\//, 1],
    [/^GET \/api\/v1\/hf\//, 2],
    [/^(POST|DELETE) \/api\/v3\/hf\/margin\/order/, 2],
    [/^GET \/api\/v3\/hf\/margin\/(order\/active|account)/, 2],
    [/^GET \/api\/v3\/hf\/margin\/orders\/active$/, 4],
    [/^GET \/api\/v3\/hf\/margin\//, 5],
  ],
  futures: [
    [/^POST \/api\/v1\/orders$/, 2],
    [/^DELETE \/api\/v1\/orders\//, 1],
    [/^GET \/api\/v1\/(orders|positions)$/, 2],
    [/^GET \/api\/v1\/stopOrders$/, 6],
    [/^GET \/api\/v1\/(orders\/|fills|account-overview|funding-history)/, 5],
    [/^(GET|POST) \/api\/v[12]\/(position\/|change|getCross|transaction-history)/, 2],
  ],
  management: [
    [/^GET \/api\/v1\/user\//, 20],
    [/^GET \/api\/v1\/accounts$/, 5],
    [/^GET \/api\/v3\/(margin|isolated)\/accounts$/, 15],
  ],
  public: [
    [/^GET \/api\/v1\/market\/allTickers$/, 15],
    [/^GET \/api\/v2\/symbols$/, 4],
    [/^GET \/api\/v1\/market\//, 3],
    [/^GET \/api\/v1\/contracts\/active$/, 3],
    [/^GET \/api\/v1\/kline\/query$/, 3],
    [/^GET \/api\/v1\/(allTickers|trade\/history)$/, 5],
    [/^GET \/api\/v1\/timestamp$/, 2],
    [/^POST \/api\/v1\/bullet-public$/, 10],
  ],
};

/** kucoin.com/docs-new/rate-limit: 429 and 429000; how long to wait is in the headers. A window begins with the first request. */
const pool = (name: keyof typeof weights, by: RequestQuota['by'], most: number): RequestQuota => ({
  ...{ by, most, windowMs: 30_000, begins: 'first request' },
  unitsOf(request) {
    const units = unitsBy(weights[name], request);
    return units === undefined ? null : { units };
  },
  headers: ({ used, nowMs, untilMs }: QuotaUsage) => ({
    'gw-ratelimit-limit': String(most),
    'gw-ratelimit-remaining': String(Math.max(0, most - used)),
    'gw-ratelimit-reset': String(Math.ceil(untilMs - nowMs)),
  }),
  beyond: () => ({ status: 429, body: { code: '429000', msg: 'too many requests' } }),
});

export const kucoinQuotas: readonly RequestQuota[] = [
  {
    // kucoin.com/docs/basic-info/request-rate-limit/rest-api: "error code: 1015".
    ...{ by: 'address', most: 500, windowMs: 10_000, begins: 'always' },
    unitsOf: () => ({ units: 1 }),
    beyond: () => ({ status: 429, body: 'error code: 1015' }),
    block: { after: 1, ms: 30_000 },
  },
  pool('public', 'address', 2_000),
  pool('spot', 'account', 4_000),
  pool('futures', 'account', 2_000),
  pool('management', 'account', 2_000),
];
