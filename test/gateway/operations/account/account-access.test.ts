import assert from 'node:assert/strict';
import { RateLimits } from '../../../../gateway/limits/rate-limits.js';
import { accountUser } from '../../../support/gateway/account-user.js';
import type { TestService } from '../../../support/gateway/gateway.js';
import { openTestMarket } from '../../../support/candles/market.js';

const path = '/backend/account';

describe('the access to an account', () => {
  let service: TestService;
  before(async () => void ({ service } = await openTestMarket({ env: { RATE_FREE: '50' } })));
  after(() => service.close());

  it('tells plan, points of the minute as the headers do, sessions and what is stored', async () => {
    const user = await accountUser(service);
    await user.post('/backend/core-line/backtest', { asset: 'BTC' });
    const { payload, headers } = await user.get(path);
    const { sessions, points, email, ...rest } = payload;
    assert.deepEqual(rest, {
      ...{ isVerified: true, plan: 'free', tokens: [], apps: [] },
      backtests: { used: 1, limit: 200 },
      sessionCount: { used: 1, limit: 100 },
    });
    assert.match(email as string, /^user-\w+@example\.com$/);
    assert.deepEqual(points, {
      limit: 50,
      used: 11,
      remaining: Number(headers.get('ratelimit-remaining')),
      resetSeconds: points.resetSeconds,
    });
    assert.equal(points.remaining, 39);
    assert.ok(points.resetSeconds >= 1 && points.resetSeconds <= 60);
    const [session] = sessions;
    assert.deepEqual([sessions.length, session.client, session.isCurrent], [1, 'web', true]);
    assert.ok(Date.parse(session.expiresAt as string) > Date.now());
  });

  it('counts the same on every gateway, before any request of the user there', async () => {
    const user = await accountUser(service);
    await user.post('/backend/core-line/backtest', { asset: 'BTC' });
    const other = new RateLimits(service.deps.redis, service.settings);
    try {
      const read = () => other.read({ bucket: 'free', key: user.userId });
      // Points are sent to Redis within 100 ms.
      for (let n = 0; n < 100 && (await read()).remaining === 50; n++) await user.get('/healthz');
      assert.deepEqual([(await read()).limit, (await read()).remaining], [50, 40]);
      assert.equal((await other.read({ bucket: 'free', key: 'nobody' })).remaining, 50);
    } finally {
      await other.close();
    }
  });

  it('shows nothing of a token or of other users, and needs a session', async () => {
    const [owner, other] = [await accountUser(service), await accountUser(service)];
    const text = JSON.stringify((await owner.get(path)).payload);
    assert.ok(!text.includes(owner.token) && !text.includes(other.userId));
    assert.notEqual((await other.get(path)).payload.email, (await owner.get(path)).payload.email);
    assert.equal((await fetch(service.url + path)).status, 401);
    assert.equal((await owner.get(`${path}?userId=${other.userId}`)).status, 400);
  });
});
