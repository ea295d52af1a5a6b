import assert from 'node:assert/strict';
import { binanceQuotas } from './binance-quotas.js';
import { bybitQuotas } from './bybit-quotas.js';
import { kucoinQuotas } from './kucoin-quotas.js';
import { QuotaCounter, type RequestQuota } from './request-quota.js';

/** A minute begins. */
const startMs = 1_700_000_040_000;

/** Counts requests as one account does, and answers what the last one is told. */
function asking(quotas: readonly RequestQuota[]) {
  const counter = new QuotaCounter(quotas);
  return (endpoint: string, { times = 1, atMs = 0, params = '', apiKey = 'key' } = {}) => {
    const [method, path] = endpoint.split(' ');
    const request = { method, path, query: params, body: '', headers: {} };
    const terms = { params: new URLSearchParams(params), apiKey, nowMs: startMs + atMs };
    let told = counter.count(request, terms);
    for (let n = 1; n < times; n++) told = counter.count(request, terms);
    return told;
  };
}

describe('the limits of the fake exchange', () => {
  it('are a weight a minute of the address and orders of each account on Binance', () => {
    const ask = asking(binanceQuotas);
    const { headers } = ask('GET /api/v3/account', { times: 299 });
    assert.deepEqual(headers, { 'X-MBX-USED-WEIGHT-1M': '5980' });
    assert.equal(ask('GET /api/v3/myTrades', { params: 'orderId=7', apiKey: 'another' }).refusal, null);
    const { refusal } = ask('GET /api/v3/openOrders', { atMs: 41_500 });
    assert.deepEqual([refusal?.status, refusal?.headers], [429, { 'Retry-After': '19' }]);
    assert.match(JSON.stringify(refusal?.body), /-1003.*current limit is 6000 request weight per 1 MINUTE/);
    // Futures and each endpoint of sapi have limits of their own.
    assert.equal(ask('GET /fapi/v3/account').headers['X-MBX-USED-WEIGHT-1M'], '5');
    assert.equal(ask('GET /sapi/v1/margin/account').headers['X-SAPI-USED-IP-WEIGHT-1M'], '10');
    assert.equal(ask('GET /sapi/v1/account/apiRestrictions').headers['X-SAPI-USED-IP-WEIGHT-1M'], '1');
    assert.equal(ask('GET /api/v3/time', { atMs: 60_000 }).refusal, null);

    const order = ask('POST /api/v3/order', { times: 100, atMs: 60_000 });
    assert.equal(order.headers['X-MBX-ORDER-COUNT-10S'], '100');
    const late = ask('POST /api/v3/order', { atMs: 61_000 }).refusal;
    assert.match(JSON.stringify(late?.body), /-1015.*100 orders per 10 SECOND/);
    assert.equal(ask('POST /api/v3/order', { atMs: 61_000, apiKey: 'another' }).refusal, null);
  });

  it('become a ban on Binance where 429 is not heeded', () => {
    const ask = asking(binanceQuotas);
    ask('GET /api/v3/account', { times: 320 });
    const { refusal } = ask('GET /api/v3/ping');
    assert.deepEqual([refusal?.status, refusal?.headers], [418, { 'Retry-After': '120' }]);
    assert.equal(ask('GET /api/v3/ping', { atMs: 119_000 }).refusal?.status, 418);
    assert.equal(ask('GET /api/v3/ping', { atMs: 120_000 }).refusal, null);
  });

  it('are requests a second of each account and endpoint on Bybit, and a lock of the address', () => {
    const ask = asking(bybitQuotas);
    const spot = { params: 'category=spot' };
    assert.equal(ask('POST /v5/order/create', { times: 20, ...spot }).refusal, null);
    const { refusal, headers } = ask('POST /v5/order/create', { atMs: 400, ...spot });
    assert.match(JSON.stringify(refusal?.body), /"retCode":10006/);
    assert.deepEqual(headers, {
      'X-Bapi-Limit': '20',
      'X-Bapi-Limit-Status': '0',
      'X-Bapi-Limit-Reset-Timestamp': String(startMs + 1_000),
    });
    assert.equal(ask('POST /v5/order/create', { times: 11, params: 'category=linear' }).refusal?.status, 200);
    for (let n = 0; n < 570; n++) ask('GET /v5/market/time', { atMs: 500, apiKey: '' });
    assert.equal(ask('GET /v5/market/time', { atMs: 500 }).refusal?.status, 403);
    assert.equal(ask('GET /v5/market/time', { atMs: 599_000 }).refusal?.status, 403);
  });

  it('are pools of half a minute on KuCoin, which begin with the first request', () => {
    const ask = asking(kucoinQuotas);
    const told = ask('GET /api/v3/margin/accounts', { times: 133, atMs: 7_000 });
    assert.deepEqual(told.headers, {
      'gw-ratelimit-limit': '2000',
      'gw-ratelimit-remaining': '5',
      'gw-ratelimit-reset': '30000',
    });
    const { refusal } = ask('GET /api/v1/user/api-key', { atMs: 20_000 });
    assert.deepEqual([refusal?.status, refusal?.body], [429, { code: '429000', msg: 'too many requests' }]);
    assert.equal(ask('POST /api/v1/hf/orders', { atMs: 20_000 }).refusal, null);
    assert.equal(ask('GET /api/v1/user/api-key', { atMs: 37_000 }).refusal, null);
    assert.equal(
      ask('GET /api/v1/market/candles', { times: 500, atMs: 40_000 }).refusal?.body,
      'error code: 1015',
    );
  });
});
