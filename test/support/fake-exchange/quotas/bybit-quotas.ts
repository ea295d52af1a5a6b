import { unitsBy, type RequestQuota } from './request-quota.js';

/** "API Rate Limit Table": requests a second of an account. Futures take half as many orders as spot. */
const perSecond: readonly [RegExp, number][] = [
  [/^POST \/v5\/order\/(create|cancel|amend)$/, 20],
  [/^GET \/v5\/(order|execution|position)\//, 50],
  [/^GET \/v5\/account\/(wallet-balance|info)$/, 50],
  [/^GET \/v5\/account\/transaction-log$/, 30],
  [/^POST \/v5\/spot-margin-trade\//, 10],
  [/^\w+ \/v5\/(?!market\/)/, 10],
];

const tenMinutesMs = 600_000;

/** bybit-exchange.github.io/docs/v5/rate-limit, "IP Limit" and "API Rate Limit". */
export const bybitQuotas: readonly RequestQuota[] = [
  {
    ...{ by: 'address', most: 600, windowMs: 5_000, begins: 'always' },
    unitsOf: () => ({ units: 1 }),
    beyond: () => ({ status: 403, body: '403, access too frequent' }),
    block: { after: 1, ms: tenMinutesMs },
  },
  {
    ...{ by: 'account', most: 10, windowMs: 1_000, begins: 'always' },
    unitsOf(request, params) {
      const most = unitsBy(perSecond, request);
      if (most === undefined) return null;
      const category = params.get('category') ?? '';
      const isFuturesOrder = most === 20 && category !== 'spot';
      return { units: 1, counter: `${request.path} ${category}`, most: isFuturesOrder ? 10 : most };
    },
    headers: ({ used, most, nowMs, untilMs }) => ({
      'X-Bapi-Limit': String(most),
      'X-Bapi-Limit-Status': String(Math.max(0, most - used)),
      'X-Bapi-Limit-Reset-Timestamp': String(Math.floor(used > most ? untilMs : nowMs)),
    }),
    beyond: ({ nowMs }) => ({
      status: 200,
      body: {
        ...{ retCode: 10006, retMsg: 'Too many visits. Exceeded the API Rate Limit.' },
        ...{ result: {}, retExtInfo: {}, time: Math.floor(nowMs) },
      },
    }),
  },
];
