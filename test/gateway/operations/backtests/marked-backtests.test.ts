import assert from 'node:assert/strict';
import { storedMs } from '../../../../storage/backtests/backtests.js';
import { numberedBacktest, numberedId } from '../../../support/backtests/numbered-backtests.js';
import { openTestMarket } from '../../../support/candles/market.js';
import type { TestAnswer, TestService } from '../../../support/gateway/gateway.js';

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

describe('stored backtests that are named, kept and shared', () => {
  let service: TestService;
  before(async () => {
    ({ service } = await openTestMarket());
  });
  after(() => service.close());

  async function ask(method: string, path: string, token: string | null, body?: object): Promise<TestAnswer> {
    const headers: Record<string, string> = token === null ? {} : { 'session-token': token };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    const answer = await fetch(service.url + path, { method, headers, ...sent });
    const { result, payload } = (await answer.json()) as Pick<TestAnswer, 'result' | 'payload'>;
    return { status: answer.status, headers: answer.headers, result, payload };
  }

  async function ran() {
    const token = await service.signIn();
    const { userId } = (await service.deps.signedIn.find(token))!;
    const { payload } = await service.post(
      '/backend/core-line/backtest',
      { asset: 'BTC' },
      { 'session-token': token },
    );
    const path = `/backend/backtests/${payload.id}`;
    return { token, userId, path, report: payload as Record<string, unknown> & { id: string } };
  }

  it('keep what is left out, and lose what is null', async () => {
    const { token, path } = await ran();
    interface Marks {
      name: string;
      note: string;
      isKept: boolean;
    }
    const change = async (body: object) => (await ask('PATCH', path, token, body)).payload as Marks;
    const seen = ({ name, note, isKept }: Marks) => [name, note, isKept];
    assert.deepEqual(seen(await change({ name: 'Trend', note: '$createdAt' })), [
      'Trend',
      '$createdAt',
      false,
    ]);
    assert.deepEqual(seen(await change({ isKept: true })), ['Trend', '$createdAt', true]);
    assert.deepEqual(seen(await change({ note: null })), ['Trend', null, true]);
    assert.deepEqual(seen((await ask('GET', path, token)).payload), ['Trend', null, true]);
    assert.deepEqual(seen((await ask('GET', '/backend/backtests', token)).payload.backtests[0]), [
      'Trend',
      null,
      true,
    ]);
    for (const body of [
      { name: 'x'.repeat(81) },
      { name: '' },
      { name: ' Trend' },
      { note: 'x'.repeat(501) },
      { isKept: 'yes' },
      { id: 'x' },
    ])
      assert.equal((await ask('PATCH', path, token, body)).status, 400, JSON.stringify(body));
  });

  it('do not expire while they are kept, however often they are run and however many come after', async () => {
    const { token, userId, path, report } = await ran();
    const { payload } = await ask('PATCH', path, token, { isKept: true });
    assert.equal(payload.expiresAt, '9999-12-31T23:59:59.999Z');
    await service.post('/backend/core-line/backtest', { asset: 'BTC' }, { 'session-token': token });
    const { backtests } = service.storage;
    await backtests.add(upTo(201).map((n) => numberedBacktest(userId, n)));
    const lateMs = Date.now() + 10 * storedMs;
    assert.equal((await backtests.find(userId, 'builtIn', report.id, lateMs))?.backtest.isKept, true);
    assert.equal(await backtests.find(userId, 'builtIn', numberedId(0)), null);
    assert.ok(await backtests.find(userId, 'builtIn', numberedId(1)));
    const ended = (await ask('PATCH', path, token, { isKept: false })).payload;
    assert.equal(Date.parse(ended.expiresAt), Date.parse(ended.createdAt) + storedMs);
  });

  it('are kept 50 at most, also when many are kept at once', async () => {
    const { token, userId } = await ran();
    const { backtests } = service.storage;
    await backtests.add(upTo(60).map((n) => numberedBacktest(userId, n)));
    const keep = (n: number) => ask('PATCH', `/backend/backtests/${numberedId(n)}`, token, { isKept: true });
    for (const n of upTo(46)) assert.equal((await keep(n)).status, 200);
    const statuses = (await Promise.all([46, 47, 48, 49, 50, 51, 52].map(keep))).map(({ status }) => status);
    assert.ok(
      statuses.every((status) => status === 200 || status === 409),
      String(statuses),
    );
    assert.ok(statuses.filter((status) => status === 200).length <= 4);
    for (const n of upTo(60)) await keep(n);
    const { payload } = await ask('GET', '/backend/backtests?limit=100', token);
    assert.equal(payload.backtests.filter(({ isKept }: { isKept: boolean }) => isKept).length, 50);
  });

  it('are read by everybody who has the token, without owner and note, until that ends', async () => {
    const { token, path, report } = await ran();
    await ask('PATCH', path, token, { name: 'Trend', note: 'mine alone' });
    const [first, second] = [
      await ask('POST', `${path}/share`, token),
      await ask('POST', `${path}/share`, token, {}),
    ];
    assert.deepEqual(first.payload, second.payload);
    const { token: shared, url, sharedAt } = first.payload;
    assert.match(shared, /^[\w-]{22}$/);
    assert.equal(url, `/app/shared/${shared}`);
    assert.deepEqual((await ask('GET', path, token)).payload.share, { token: shared, url, sharedAt });
    const { status, payload } = await ask('GET', `/backend/shared/${shared}`, null);
    const { name, ranAt, sharedAt: since, ...rest } = payload;
    assert.deepEqual([status, name, since], [200, 'Trend', sharedAt]);
    assert.ok(Date.parse(ranAt) <= Date.parse(since));
    assert.deepEqual(rest, report);
    for (const n of [1, 2])
      assert.equal((await ask('DELETE', `${path}/share`, token)).status, 200, String(n));
    assert.equal((await ask('GET', `/backend/shared/${shared}`, null)).status, 404);
    const anew = (await ask('POST', `${path}/share`, token)).payload.token;
    assert.notEqual(anew, shared);
    assert.equal((await ask('DELETE', path, token)).status, 200);
    assert.equal((await ask('GET', `/backend/shared/${anew}`, null)).status, 404);
  });

  it('are those of their user alone', async () => {
    const { path } = await ran();
    const other = await service.signIn();
    for (const [method, at] of [
      ['PATCH', path],
      ['POST', `${path}/share`],
      ['DELETE', `${path}/share`],
    ]) {
      assert.equal(
        (await ask(method, at, other, method === 'PATCH' ? { isKept: true } : undefined)).status,
        404,
      );
      assert.equal((await ask(method, at, null)).status, 401);
    }
    for (const none of ['x', 'A'.repeat(21), 'A'.repeat(23)])
      assert.equal((await ask('GET', `/backend/shared/${none}`, null)).status, 400);
  });
});
