import assert from 'node:assert/strict';
import { judgeKucoin } from '../../../../../storage/exchanges/venues/kucoin/judge-kucoin.js';
import type { OrderVerdict } from '../../../../../storage/exchanges/venue-trading.js';

const judged = (status: number, body: string): OrderVerdict =>
  judgeKucoin({ status, dateMs: null, retryAfterMs: null, headers: new Headers(), body: () => body });

describe('what an answer of KuCoin says of an order', () => {
  const answers: readonly [OrderVerdict, string, string][] = [
    ['not_found', '100001', 'error.getOrder.orderNotExist'],
    ['not_found', '400100', 'order_not_exist_or_not_allow_to_cancel'],
    ['not_found', '400100', 'The order does not exist.'],
    ['not_found', '400100', 'order not exist'],
    ['not_found', '100004', 'Order is in not cancelable state'],
    ['postponed', '400002', 'Invalid KC-API-TIMESTAMP'],
    ['postponed', '429000', 'too many requests'],
    ['postponed', '200002', 'Too many requests in a short period of time'],
    ['postponed', '403', 'Exceeded the access frequency'],
    ['duplicate', '126044', 'as told'],
    ['duplicate', '126033', 'Duplicate order'],
    ['duplicate', '400100', 'clientOid is already used'],
    ['unknown', '408000', 'Network timeout, please try again later'],
    ['unknown', '500000', 'Internal Server Error'],
    ['unknown', '126038', 'Third-party service call failed'],
    ['unknown', '200000', ''],
    ['refused', '200004', 'Balance insufficient!'],
    ['refused', '300003', 'The available balance is insufficient.'],
    ['refused', '330005', "The order's margin mode does not match the selected one."],
    ['refused', '400003', 'KC-API-KEY not exists'],
    ['refused', '400100', 'Unsupported trading pair.'],
    ['refused', '600101', 'The order funds should more then 0.1 USDT.'],
  ];
  for (const [verdict, code, msg] of answers)
    it(`is ${verdict} by "${code} ${msg}"`, () =>
      assert.equal(judged(200, JSON.stringify({ code, msg })), verdict));

  it('is unknown after an answer of 500 or more, and after one without a code', () => {
    assert.equal(judged(502, '{"code":"200004"}'), 'unknown');
    assert.equal(judged(200, '<html>Bad Gateway</html>'), 'unknown');
  });

  it('is postponed by the limits of the address and of the user', () => {
    assert.equal(judged(429, 'error code: 1015'), 'postponed');
  });
});
