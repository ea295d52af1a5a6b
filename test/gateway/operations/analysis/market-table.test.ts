import assert from 'node:assert/strict';
import { openTestMarket } from '../../../support/candles/market.js';
import type { TestAnswer, TestService } from '../../../support/gateway/gateway.js';

describe('GET /backend/market', () => {
  let service: TestService;

  before(async () => {
    ({ service } = await openTestMarket());
  });
  after(() => service.close());

  const ask = async (query = '', headers: Record<string, string> = {}) => {
    const answer = await fetch(`${service.url}/backend/market${query}`, { headers });
    const text = await answer.text();
    const { result, payload } = JSON.parse(text || '{}') as Pick<TestAnswer, 'result' | 'payload'>;
    return { status: answer.status, headers: answer.headers, text, result, payload };
  };

  it('says of every asset what the endpoints of each say, the largest volume first', async () => {
    for (const interval of ['1h', '1d']) {
      const { payload } = await ask(`?interval=${interval}`);
      const scanned = await service.post('/backend/analysis/scan-states', { interval });
      assert.deepEqual(
        payload.assets.map(({ asset }: { asset: string }) => asset),
        scanned.payload.states.map(({ asset }: { asset: string }) => asset),
      );
      for (const [n, row] of payload.assets.entries()) {
        const { asset, state, since, daysInState, volume24h } = row;
        const of = scanned.payload.states[n];
        assert.deepEqual(
          [state, since, daysInState, volume24h],
          [of.state, of.since, of.daysInState, of.volume24h],
        );
        const [price] = (await service.post('/backend/analysis/prices', { assets: [asset] })).payload.prices;
        assert.equal(row.price, Number(price.price));
        if (price.change24hPercent !== null)
          assert.ok(Math.abs(row.change24h - Number(price.change24hPercent)) < 1e-6);
        const closes = await service.post('/backend/analysis/candles', { asset, interval: '4h', limit: 42 });
        const read = closes.status === 200 ? closes.payload.candles : [];
        assert.deepEqual(
          row.closes,
          read.map(({ close }: { close: number }) => close),
        );
      }
    }
  });

  it('is one answer for everybody, which is sent once', async () => {
    const [guest, user] = [await ask(), await ask('', { 'session-token': await service.signIn() })];
    assert.equal(guest.text, user.text);
    assert.equal(guest.payload.interval, '1d');
    const etag = guest.headers.get('etag')!;
    // Of its own, fetch asks caches to stand aside.
    const again = await ask('', { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' });
    assert.deepEqual([again.status, again.text], [304, '']);
    const other = await ask('?interval=4h', { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' });
    assert.equal(other.status, 200);
  });

  it('refuses an interval that there is not', async () => {
    const { status, result } = await ask('?interval=5m');
    assert.deepEqual([status, result.type], [400, 'INVALID_INPUT_INTERVAL']);
  });
});
