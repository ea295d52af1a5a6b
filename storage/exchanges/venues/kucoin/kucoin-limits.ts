import type { RequestLimit } from '../../request-limit.js';

const pool = { windowMs: 30_000, told: { most: 'gw-ratelimit-limit', left: 'gw-ratelimit-remaining' } };
const small = { ...pool, most: 2_000 };

/**
 * The pools of a user without a VIP level, and the public one of an address (kucoin.com/docs-new/rate-limit); Cloudflare's limit
 * of an address (kucoin.com/docs/basic-info/request-rate-limit/rest-api, "error code: 1015"). The cost of ccxt is the weight, and on
 * futures twice the weight.
 */
export const kucoinLimits: readonly RequestLimit[] = [
  { name: 'address', scope: 'address', counts: /^(?!socket)/, most: 500, windowMs: 10_000 },
  { ...small, name: 'public', scope: 'address', counts: /^public /, unitsPerCost: 1 },
  { ...small, name: 'public', scope: 'address', counts: /^futuresPublic /, unitsPerCost: 0.5 },
  {
    ...pool,
    name: 'spot',
    scope: 'account',
    counts: /^private \w+ (hf|orders|stop-order|oco|fills|limit)\b/,
    unitsPerCost: 1,
    most: 4_000,
  },
  { ...small, name: 'futures', scope: 'account', counts: /^futuresPrivate /, unitsPerCost: 0.5 },
  {
    ...small,
    name: 'management',
    scope: 'account',
    counts: /^private \w+ (?!hf|orders|stop-order|oco|fills|limit)/,
    unitsPerCost: 1,
  },
];
