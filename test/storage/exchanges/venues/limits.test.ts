import assert from 'node:assert/strict';
import type { ExchangeAnswer } from '../../../../storage/exchanges/fetch-whole.js';
import { readRateLimit, type RateLimit } from '../../../../storage/exchanges/rate-limit.js';

interface Given {
  status?: number;
  headers?: Record<string, string>;
  body?: object | string;
  retryAfterMs?: number;
}

const dateMs = 1_700_000_000_000;
const answerOf = ({ status = 429, headers = {}, body = '', retryAfterMs }: Given): ExchangeAnswer => ({
  status,
  dateMs,
  retryAfterMs: retryAfterMs ?? null,
  headers: new Headers(headers),
  body: () => (typeof body === 'string' ? body : JSON.stringify(body)),
});

const key = (pauseMs: number, status = 429): RateLimit => ({
  scope: 'key',
  pauseMs,
  reason: `too many requests (${status})`,
});
const address = (pauseMs: number, status = 429): RateLimit => ({ ...key(pauseMs, status), scope: 'address' });

// What the exchanges' documentation says of limits: Binance "Limits", Bybit "Rate Limit Rules", KuCoin "Rate Limit".
const cases: [id: string, what: string, given: Given, expected: RateLimit | null][] = [
  ['binance', 'the weight of the address', { headers: { 'X-MBX-USED-WEIGHT-1M': '6001' } }, address(60_000)],
  [
    'binance',
    'the weight of the address for one sapi endpoint',
    { headers: { 'x-sapi-used-ip-weight-1m': '12001' }, retryAfterMs: 9_000 },
    address(9_000),
  ],
  [
    'binance',
    'too much weight by its code',
    { body: { code: -1003, msg: 'Too much request weight used' } },
    address(60_000),
  ],
  [
    'binance',
    'the weight of the account',
    { headers: { 'X-SAPI-USED-UID-WEIGHT-1M': '180001' }, body: { code: -1003 }, retryAfterMs: 5_000 },
    key(5_000),
  ],
  [
    'binance',
    'the orders of the account',
    { headers: { 'X-MBX-USED-WEIGHT-1M': '10' }, body: { code: -1015, msg: 'Too many new orders' } },
    { ...key(10_000), scope: 'orders' },
  ],
  ['binance', 'a 429 that does not say what was counted', {}, key(60_000)],
  [
    'binance',
    'a ban',
    { status: 418, retryAfterMs: 240_000 },
    { scope: 'address', pauseMs: 240_000, reason: 'this address is banned (418)' },
  ],
  ['binance', 'a refused key', { status: 401, body: { code: -2015 } }, null],
  ['binance', 'an answer', { status: 200, body: { code: -1003 } }, null],

  [
    'bybit',
    'the requests of the account, with the end of its window',
    {
      status: 200,
      headers: { 'X-Bapi-Limit-Reset-Timestamp': String(dateMs + 2_500) },
      body: { retCode: 10006, retMsg: 'Too many visits!' },
    },
    key(2_500, 200),
  ],
  ['bybit', 'the requests of the account', { status: 200, body: { retCode: 10006 } }, key(1_000, 200)],
  ['bybit', 'the requests of the address', { status: 200, body: { retCode: 10018 } }, address(600_000, 200)],
  [
    'bybit',
    'a lock of the address',
    { status: 403, body: '403, access too frequent' },
    address(600_000, 403),
  ],
  ['bybit', 'another 403', { status: 403, body: '<html>Request blocked</html>' }, null],
  ['bybit', 'a 429', { retryAfterMs: 3_000 }, key(3_000)],
  [
    'bybit',
    'a note that looks like a code',
    { status: 200, body: { retCode: 0, result: { note: '"retCode":10018', retCode: 10018 } } },
    null,
  ],

  [
    'kucoin',
    'the pool of the user, with the time until it is full',
    { headers: { 'gw-ratelimit-reset': '14000' }, body: { code: '429000', msg: 'too many requests' } },
    key(14_000),
  ],
  ['kucoin', 'the pool of the user', { body: { code: '429000' } }, key(30_000)],
  ['kucoin', 'the limit of one endpoint', { status: 200, body: { code: '200002' } }, key(30_000, 200)],
  [
    'kucoin',
    'too many requests in words',
    { status: 403, body: { code: '403000', msg: 'Exceeded the access frequency' } },
    key(30_000, 403),
  ],
  ['kucoin', 'the limit of the address', { body: 'error code: 1015' }, address(30_000)],
  [
    'kucoin',
    'a remark that reads like a limit',
    { status: 200, body: { code: '200000', data: { remark: 'Exceeded the access frequency' } } },
    null,
  ],

  ['kraken', 'an exchange that is no venue', {}, address(60_000)],
  ['kraken', 'an answer', { status: 200 }, null],
];

describe('the limit that an answer reports', () => {
  for (const [id, what, given, expected] of cases)
    it(`of ${id}: ${what}`, () => {
      assert.deepEqual(readRateLimit(id, answerOf(given), true), expected);
      // A request without a key can only be counted by address.
      assert.deepEqual(
        readRateLimit(id, answerOf(given), false),
        expected && { ...expected, scope: 'address' },
      );
    });
});
