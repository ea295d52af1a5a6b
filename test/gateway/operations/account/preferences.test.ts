import assert from 'node:assert/strict';
import { accountUser, type AccountUser } from '../../../support/gateway/account-user.js';
import { openTestService, type TestService } from '../../../support/gateway/gateway.js';

describe('preferences', () => {
  let service: TestService;
  let user: AccountUser;
  before(async () => {
    service = await openTestService({ computeNodes: 0 });
    user = await accountUser(service);
  });
  after(() => service.close());

  const put = async (body: object) => {
    const headers = { 'session-token': user.token, 'Content-Type': 'application/json' };
    const answer = await fetch(`${service.url}/backend/preferences`, {
      method: 'PUT',
      headers,
      body: JSON.stringify(body),
    });
    return {
      status: answer.status,
      ...((await answer.json()) as { payload: object; result: { type: string } }),
    };
  };
  const read = async () => (await user.get('/backend/preferences')).payload as object;
  const none = { watchlist: [], time: 'local', interval: '1d', indicators: [] };

  it('have defaults, are set as a whole, and are those of their user', async () => {
    assert.deepEqual(await read(), none);
    const all = {
      watchlist: ['ETH', 'BTC'],
      time: 'UTC',
      interval: '4h',
      indicators: [{ name: 'rsi', params: { period: 7 } }],
    };
    assert.deepEqual((await put(all)).payload, all);
    assert.deepEqual(await read(), all);
    assert.deepEqual((await (await accountUser(service)).get('/backend/preferences')).payload, none);
    assert.deepEqual((await put({ watchlist: ['SOL'] })).payload, { ...none, watchlist: ['SOL'] });
  });

  it('refuse what is too much or unknown', async () => {
    const rsi = { name: 'rsi' };
    const assets = Array.from({ length: 51 }, (_, n) => `A${n}`);
    for (const [body, type] of [
      [{ watchlist: assets }, 'INVALID_INPUT_WATCHLIST'],
      [{ watchlist: ['BTC', 'BTC'] }, 'INVALID_INPUT_WATCHLIST'],
      [{ watchlist: 'BTC' }, 'INVALID_INPUT_WATCHLIST'],
      [{ time: 'CET' }, 'INVALID_INPUT_TIME'],
      [{ interval: '5m' }, 'INVALID_INPUT_INTERVAL'],
      [{ indicators: Array(7).fill(rsi) }, 'INVALID_INPUT_INDICATORS'],
      [{ indicators: [{ name: 'nope' }] }, 'INVALID_INPUT_INDICATORS'],
      [{ theme: 'dark' }, 'INVALID_INPUT_CONTENT'],
    ] as const) {
      const { status, result } = await put(body);
      assert.deepEqual([status, result.type], [400, type], JSON.stringify(body).slice(0, 80));
    }
  });
});
