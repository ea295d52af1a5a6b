import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { routeTable } from '../../../gateway/routes/table.js';
import { assertRefused, send } from '../../support/gateway/envelope.js';
import { Scrape } from '../../support/servers/scrape.js';
import { openTestService, type TestAnswer, type TestService } from '../../support/gateway/gateway.js';
import { rawExchange } from '../../support/gateway/raw-http.js';
import { headAt } from '../../support/gateway/raw-requests.js';

const path = '/backend/core-line/backtest';
const dayMs = 86_400_000;
const json = { 'Content-Type': 'application/json' };
const refusal = { status: 401, type: 'UNAUTHORIZED' };

describe('session tokens', () => {
  let service: TestService;
  let token: string;
  let ada: string;

  before(async () => {
    service = await openTestService({ computeNodes: 0 });
    token = await service.signIn();
    const user = { email: 'ada@example.com', plan: 'free', passwordHash: 'none' } as const;
    ({ id: ada } = await service.storage.users.add(user));
  });
  after(() => service.close());

  it('are refused in the same words whatever is wrong with them', async () => {
    const { sessions } = service.storage;
    const expired = await sessions.open(ada, 'web', Date.now() - 7 * dayMs - 1_000);
    const expiredOnPhone = await sessions.open(ada, 'ios', Date.now() - 30 * dayMs - 1_000);
    const ofRemoved = await sessions.open('0'.repeat(24), 'web');
    const ofNobody = randomBytes(32).toString('base64url');
    const tokens = {
      random: ofNobody,
      expired,
      expiredOnPhone,
      ofRemoved,
      ...{
        empty: '',
        short: 'abc',
        'cut off': token.slice(0, -1),
        longer: `${token}A`,
        twice: `${token}, ${token}`,
      },
      ...{ operator: '{"$ne":null}', base64: `${token.slice(0, -1)}=`, Bearer: `Bearer ${token}` },
      ...{ latin: 'é'.repeat(43), '4 kB': 'a'.repeat(4_096), '8 kB': 'a'.repeat(8_192) },
    };
    const answers: Record<string, TestAnswer> = {
      missing: await service.post(path, { asset: 'BTC' }, { 'x-request-id': 'same' }),
    };
    for (const [what, value] of Object.entries(tokens)) {
      const headers = { 'session-token': value, 'x-request-id': 'same' };
      answers[what] = await service.post(path, { asset: 'BTC' }, headers);
    }
    const expected = JSON.stringify([answers.missing.result, answers.missing.payload]);
    for (const [what, answer] of Object.entries(answers)) {
      assertRefused(answer, refusal, what);
      assert.equal(JSON.stringify([answer.result, answer.payload]), expected, what);
    }
  });

  it('are refused when the header comes twice, even with the same good token', async () => {
    const body = '{"asset":"BTC"}';
    const twice = await rawExchange(service.url, [
      `${headAt(path)}Content-Length: ${body.length}\r\n`,
      `Connection: close\r\nx-request-id: same\r\nsession-token: ${token}\r\nsession-token: ${token}\r\n\r\n${body}`,
    ]);
    const [answer] = twice.answers;
    assert.equal(answer.status, 401);
    const missing = await service.post(path, {}, { 'x-request-id': 'same' });
    assert.equal(answer.body, JSON.stringify({ result: missing.result, payload: missing.payload }));
  });

  it('are asked for at every route that is somebody’s, in the same words', async () => {
    const routes = routeTable.filter(({ operation }) => ['user', 'operator'].includes(operation.scope));
    assert.ok(routes.length > 8);
    const headers = { 'x-request-id': 'same' };
    const texts = routes.map(async ({ method, path }) => {
      const answer = await fetch(service.url + path, { method, headers });
      assert.equal(answer.status, 401, path);
      return answer.text();
    });
    assert.equal(new Set(await Promise.all(texts)).size, 1);
  });

  it('are looked at before the body', async () => {
    for (const body of ['', '{', 'null', '{"asset":1}', ' '.repeat(70_000)])
      assertRefused(await send(service, path, body), refusal, body.slice(0, 20));
    assertRefused(await send(service, path, 'x', { 'Content-Type': 'text/plain' }), refusal);
    assertRefused(await send(service, path, 'x', { ...json, 'Content-Encoding': 'junk' }), refusal);
  });

  it('are good until their last day', async () => {
    const { sessions } = service.storage;
    const lastDay = await sessions.open(ada, 'web', Date.now() - 7 * dayMs + 60_000);
    const onPhone = await sessions.open(ada, 'android', Date.now() - 30 * dayMs + 60_000);
    for (const good of [token, lastDay, onPhone])
      assertRefused(await service.post(path, { asset: 'NOPE' }, { 'session-token': good }), {
        status: 400,
        type: 'INVALID_INPUT_ASSET',
        field: 'asset',
      });
  });

  it('are not asked for where anybody may ask', async () => {
    for (const open of ['/backend/core-line/chart', '/backend/core-line/flip-intelligence'])
      assertRefused(await service.post(open, { asset: 'NOPE' }, { 'session-token': 'nonsense' }), {
        status: 400,
        type: 'INVALID_INPUT_ASSET',
        field: 'asset',
      });
  });
});

describe('made-up session tokens', () => {
  let service: TestService;
  before(async () => {
    const env = { RATE_GUEST: '6', RATE_FREE: '20', TRUSTED_HOPS: '1' };
    service = await openTestService({ computeNodes: 0, measured: true, env });
  });
  after(() => service.close());

  const madeUp = () => randomBytes(32).toString('base64url');
  const ask = async (address: string, token: string, path = '/backend/sessions') => {
    const headers = { 'session-token': token, 'x-forwarded-for': address };
    const answer = await fetch(service.url + path, { headers });
    await answer.arrayBuffer();
    return answer;
  };
  const reads = async () =>
    new Scrape(await service.metrics.gateway.registry.metrics()).sum('tidemark_round_trip_seconds_count', {
      command: 'find',
    });

  for (const path of ['/backend/sessions', '/backend/analysis/list-assets'])
    it(`meet the limit of their address before MongoDB is asked, at ${path}`, async () => {
      const address = path.length > 20 ? '192.0.2.1' : '192.0.2.2';
      const before = await reads();
      const answers = await Promise.all(Array.from({ length: 60 }, () => ask(address, madeUp(), path)));
      const refused = answers.filter(({ status }) => status === 429);
      assert.equal(refused.length, 54);
      for (const { headers } of refused) assert.match(headers.get('retry-after') ?? '', /^\d+$/);
      // A token that is looked up costs one read, and an answer without a user at most another.
      const asked = (await reads()) - before;
      assert.ok(asked >= 6 && asked <= 12, String(asked));
      assert.equal((await ask('192.0.2.3', madeUp())).status, 401);
    });

  it('are not needed for a refused read to read nothing', async () => {
    const read = () =>
      service.post('/backend/core-line/chart', { asset: 'NOPE' }, { 'x-forwarded-for': '192.0.2.9' });
    const before = await reads();
    for (let n = 0; n < 6; n++) assert.equal((await read()).status, 400);
    assert.ok((await reads()) > before);
    assert.equal((await read()).status, 429);
    const allowed = await reads();
    for (let n = 0; n < 10; n++) assert.equal((await read()).status, 429);
    assert.equal(await reads(), allowed);
  });

  it('cost one point each, as a request without a token does', async () => {
    const left = async (token: string) =>
      (await ask('192.0.2.4', token, '/backend/analysis/list-strategies')).headers.get('ratelimit-remaining');
    assert.deepEqual(
      [await left(madeUp()), await left(''), await left('x'), await left(madeUp())],
      [...['5', '4', '3', '2']],
    );
  });

  it('do not use up what a session that is in use needs', async () => {
    const token = await service.signIn();
    assert.equal((await ask('192.0.2.5', token)).status, 200);
    for (let n = 0; n < 10; n++) await ask('192.0.2.5', madeUp());
    assert.equal((await ask('192.0.2.5', token)).status, 200);
    assert.equal((await ask('192.0.2.6', await service.signIn())).status, 200);
  });

  it('are not what new sessions count as: those cost their address nothing', async () => {
    const tokens = await Promise.all(Array.from({ length: 20 }, () => service.signIn()));
    for (const token of tokens) {
      const { status, headers } = await ask('192.0.2.7', token);
      assert.deepEqual([status, headers.get('ratelimit-remaining')], [200, '19']);
    }
  });

  it('are no longer looked up for nothing once a session has ended', async () => {
    const token = await service.signIn();
    assert.equal((await ask('192.0.2.8', token)).status, 200);
    const headers = { 'session-token': token, 'x-forwarded-for': '192.0.2.8' };
    assert.equal((await service.post('/backend/logout', {}, headers)).status, 200);
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask('192.0.2.8', token)));
    const before = await reads();
    assert.equal(answers.filter(({ status }) => status === 401).length <= 7, true);
    for (let n = 0; n < 10; n++) assert.equal((await ask('192.0.2.8', token)).status, 429);
    assert.equal(await reads(), before);
  });
});
