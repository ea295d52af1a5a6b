import assert from 'node:assert/strict';
import { judgeBybit } from '../../../../../storage/exchanges/venues/bybit/judge-bybit.js';
import type { OrderVerdict } from '../../../../../storage/exchanges/venue-trading.js';

const judged = (status: number, body: string): OrderVerdict =>
  judgeBybit({ status, dateMs: null, retryAfterMs: null, headers: new Headers(), body: () => body });
const ofCode = (retCode: number): OrderVerdict => judged(200, JSON.stringify({ retCode, retMsg: 'as told' }));

describe('what an answer of Bybit says of an order', () => {
  const codes: Record<OrderVerdict, readonly number[]> = {
    not_found: [110001, 170213, 110008, 110010, 170139, 170142, 170143, 170190],
    postponed: [10002, 10006, 10009, 10018, 10429, 170005, 170222],
    duplicate: [110072, 170141, 12141, 10014],
    unknown: [10000, 10016, 110079, 170001, 170007, 170032, 170035, 170146, 170149, 170234],
    refused: [10001, 10003, 10005, 110007, 110017, 110094, 170131, 170134, 170140, 176034],
  };
  for (const [verdict, some] of Object.entries(codes))
    for (const code of some)
      it(`is ${verdict} by the code ${code}`, () => assert.equal(ofCode(code), verdict));

  it('is unknown after an answer of 500 or more, whatever its body says, and after one without a code', () => {
    assert.equal(judged(503, '{"retCode":110007}'), 'unknown');
    assert.equal(judged(200, '<html>Bad Gateway</html>'), 'unknown');
    assert.equal(judged(200, '{}'), 'unknown');
    assert.equal(ofCode(0), 'unknown');
  });

  it('is postponed by the limits of the address and of the user', () => {
    for (const status of [403, 429]) assert.equal(judged(status, ''), 'postponed');
  });
});
