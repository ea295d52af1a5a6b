import assert from 'node:assert/strict';
import { openTestService, type TestService } from '../support/gateway.js';
import { randomCandles } from '../support/random-candles.js';

describe('POST /backend/core-line/backtest', () => {
  let service: TestService;
  let token: string;

  before(async () => {
    service = await openTestService();
    await service.storage.candles.add({ market: 'csv', base: 'BTC', quote: 'USDT' }, randomCandles(24 * 500));
    token = await service.signIn();
  });
  after(() => service.close());

  it('answers a signed-in user with the figures of the interface', async () => {
    const { status, result, payload } = await service.post(
      '/backend/core-line/backtest',
      { asset: 'BTC', interval: '1h' },
      { 'session-token': token },
    );
    assert.equal(status, 200);
    assert.deepEqual(result, { type: 'OPERATION_PERFORMED', ttl: 3600 });
    assert.equal(payload.source, 'csv');
    assert.equal(payload.tradeCount, payload.trades.length);
  });
});
