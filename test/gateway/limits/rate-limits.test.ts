import assert from 'node:assert/strict';
import type { Redis } from 'ioredis';
import { RateLimits } from '../../../gateway/limits/rate-limits.js';
import { AppError } from '../../../compute/model/errors.js';
import { connected, openRedis, quick } from '../../../storage/servers/redis.js';
import { readSettings } from '../../../storage/process/read-settings.js';
import type { Plan } from '../../../storage/users/users.js';
import { openTestService, type TestService } from '../../support/gateway/gateway.js';
import { openTestMarket } from '../../support/candles/market.js';
import { OwnServer } from '../../support/servers/own-server.js';
import { until } from '../../support/process/until.js';

const settings = readSettings({ RATE_FREE: '12', RATE_GUEST: '3' }, '/');

const remaining = async (limits: RateLimits, key: string, points: number) =>
  (await limits.consume('free', key, points)).remaining;

const refusal = (remainingPoints: number) => (error: unknown) => {
  assert.ok(error instanceof AppError);
  assert.equal(error.code, 'rate_limited');
  assert.equal(error.details.remaining, remainingPoints);
  const seconds = Number(error.details.retryAfterSeconds);
  assert.ok(seconds >= 1 && seconds <= 60, String(seconds));
  return true;
};

describe('RateLimits', () => {
  let server: OwnServer;
  let redis: Redis[];
  let limits: RateLimits[];

  before(async () => {
    server = await OwnServer.open('redis');
    redis = [openRedis(server.url, quick), openRedis(server.url, quick)];
    await Promise.all(redis.map(connected));
    limits = redis.map((each) => new RateLimits(each, settings));
  });
  after(async () => {
    for (const each of redis) each.disconnect();
    await server.close();
  });

  it('are shared by all gateways and kept apart by key', async () => {
    assert.deepEqual([await remaining(limits[0], 'ada', 1), await remaining(limits[1], 'ada', 10)], [11, 1]);
    assert.equal(await remaining(limits[1], 'bob', 1), 11);
  });

  it('refuse what costs more than is left, and leave what is left', async () => {
    await remaining(limits[0], 'eve', 10);
    for (let n = 0; n < 3; n++) await assert.rejects(limits[n % 2].consume('free', 'eve', 10), refusal(2));
    assert.equal(await remaining(limits[0], 'eve', 2), 0);
    await assert.rejects(limits[1].consume('free', 'eve', 1), refusal(0));
  });

  it('let no more through than there are points, however many ask at once', async () => {
    const asked = Array.from({ length: 50 }, (_, n) => limits[n % 2].consume('guest', '10.0.0.1', 1));
    const passed = (await Promise.allSettled(asked)).filter(({ status }) => status === 'fulfilled');
    assert.equal(passed.length, 3);
  });

  it('let through at once whoever has spent less than half, and tell the others a moment later', async () => {
    assert.equal(await remaining(limits[0], 'kim', 1), 11);
    server.freeze();
    const started = performance.now();
    assert.equal(await remaining(limits[0], 'kim', 1), 10);
    assert.ok(performance.now() - started < 50);
    server.thaw();
    await until('Redis knows', async () => (await redis[1].get('tidemark:rate:free:kim')) === '2');
    assert.equal(await remaining(limits[1], 'kim', 10), 0);
    await assert.rejects(limits[0].consume('free', 'kim', 2), refusal(0));
  });

  it('tell of what was taken before they ask whether more may be', async () => {
    await remaining(limits[0], 'lea', 1);
    const asked = [remaining(limits[0], 'lea', 1), remaining(limits[0], 'lea', 6)];
    assert.deepEqual(await Promise.all(asked), [10, 4]);
  });

  it('tell of everything before they close', async () => {
    const closing = new RateLimits(redis[0], settings);
    await remaining(closing, 'mia', 1);
    await remaining(closing, 'mia', 1);
    await closing.close();
    assert.equal(await remaining(limits[1], 'mia', 1), 9);
  });

  it('let through what other gateways have not told of yet, an eighth each at most, and no more', async () => {
    const wide = readSettings({ RATE_FREE: '200' }, '/');
    const four = Array.from({ length: 4 }, (_, n) => new RateLimits(redis[n % 2], wide));
    for (const each of four) await remaining(each, 'nia', 1);
    const asked = Array.from({ length: 600 }, (_, n) => four[n % 4].consume('free', 'nia', 1));
    const passed = (await Promise.allSettled(asked)).filter(({ status }) => status === 'fulfilled');
    await Promise.all(four.map((each) => each.close()));
    // 4 were taken before; 25 of each of the other three may come too late.
    assert.ok(passed.length >= 196 && passed.length <= 196 + 75, String(passed.length));
  });

  it('are kept by each gateway for itself while Redis is away, frozen or killed', async () => {
    server.freeze();
    const started = performance.now();
    assert.equal(await remaining(limits[0], 'frozen', 10), 2);
    await assert.rejects(limits[0].consume('free', 'frozen', 10), refusal(2));
    assert.ok(performance.now() - started < 500);
    server.thaw();
    await server.kill();
    assert.equal(await remaining(limits[1], 'killed', 12), 0);
    await assert.rejects(limits[1].consume('free', 'killed', 1), refusal(0));
  });
});

describe('rate limits of surface B', () => {
  let service: TestService;

  before(async () => {
    service = await openTestService({ env: { RATE_GUEST: '5', RATE_FREE: '25', TRUSTED_HOPS: '1' } });
  });
  after(() => service.close());

  const chart = (headers: Record<string, string>) =>
    service.post('/backend/core-line/chart', { asset: 'NOPE' }, headers);

  it('count a guest by address, tell what is left, and answer 429 with Retry-After beyond it', async () => {
    const from = { 'x-forwarded-for': '192.0.2.7' };
    for (let left = 4; left >= 0; left--) {
      const { status, headers } = await chart(from);
      assert.deepEqual(
        [status, headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')],
        [400, '5', String(left)],
      );
      assert.match(headers.get('ratelimit-reset') ?? '', /^[1-9]\d?$/);
    }
    const { status, headers, result, payload } = await chart(from);
    assert.deepEqual([status, result], [429, { type: 'INVALID_INPUT_RATE' }]);
    assert.match(payload.message, /^at most 5 points a minute; try again in \d+ s$/);
    assert.equal(headers.get('ratelimit-remaining'), '0');
    assert.equal(headers.get('retry-after'), headers.get('ratelimit-reset'));
    assert.equal((await chart({ 'x-forwarded-for': '192.0.2.8' })).status, 400);
  });

  it('count one IPv6 network as one guest', async () => {
    for (let n = 0; n < 5; n++) await chart({ 'x-forwarded-for': `2001:db8::${n}` });
    assert.equal((await chart({ 'x-forwarded-for': '2001:db8::ffff' })).status, 429);
    assert.equal((await chart({ 'x-forwarded-for': '2001:db8:0:1::1' })).status, 400);
  });

  it('count a user by plan, wherever the requests come from, ten points for a backtest', async () => {
    const token = await service.signIn();
    const ask = (n: number) =>
      service.post(
        '/backend/core-line/backtest',
        { asset: 'NOPE' },
        { 'session-token': token, 'x-forwarded-for': `192.0.2.${n}` },
      );
    assert.deepEqual([(await ask(1)).status, (await ask(2)).status, (await ask(3)).status], [400, 400, 429]);
    const light = await chart({ 'session-token': token });
    assert.deepEqual([light.status, light.headers.get('ratelimit-remaining')], [400, '4']);
  });
});

describe('the usual limits of surface B', () => {
  const usual = { RATE_GUEST: '', RATE_FREE: '', RATE_PLUS: '', RATE_PRO: '' };
  let service: TestService;
  let token: string;
  let people = 0;

  before(async () => {
    ({ service, token } = await openTestMarket({ env: usual }));
  });
  after(() => service.close());

  const signInWith = async (plan: Plan) => {
    const email = `user-${++people}@example.com`;
    const { id } = await service.storage.users.add({ email, plan, passwordHash: null });
    return service.storage.sessions.open(id, 'web');
  };
  const left = ({ headers }: Pick<Response, 'headers'>) =>
    ['limit', 'remaining'].map((name) => Number(headers.get(`ratelimit-${name}`)));

  it('are 60 points a minute for guests and plan free, 300 for plus and 1,200 for pro', async () => {
    const chart = (headers: Record<string, string> = {}) =>
      service.post('/backend/core-line/chart', { asset: 'BTC' }, headers);
    assert.deepEqual(left(await chart()), [60, 59]);
    for (const [plan, limit] of Object.entries({ free: 60, plus: 300, pro: 1_200 } as const)) {
      const headers = { 'session-token': await signInWith(plan as Plan) };
      assert.deepEqual(left(await chart(headers)), [limit, limit - 1], plan);
    }
  });

  const costs: [method: string, path: string, body: object | undefined, cost: number][] = [
    ['POST', '/backend/core-line/backtest', { asset: 'BTC', period: '3M' }, 10],
    ['POST', '/backend/core-line/portfolio', {}, 5],
    ['POST', '/backend/core-line/chart', { asset: 'BTC' }, 1],
    ['POST', '/backend/core-line/flip-intelligence', { asset: 'BTC' }, 1],
    ['GET', '/backend/activepositions', undefined, 1],
    ['GET', '/backend/sessions', undefined, 1],
  ];
  for (const [method, path, body, cost] of costs)
    it(`take ${cost} for ${path}, whether it succeeds or is refused`, async () => {
      const headers = { 'Content-Type': 'application/json', 'session-token': await signInWith('plus') };
      for (const [times, query, text] of [
        [1, '', JSON.stringify(body)],
        [2, '?nothing=1', '{"nothing":1}'],
      ] as const) {
        const init = { method, headers, ...(body === undefined ? {} : { body: text }) };
        const answer = await fetch(service.url + (body === undefined ? path + query : path), init);
        assert.equal(answer.status, times === 1 ? 200 : 400);
        assert.deepEqual(left(answer), [300, 300 - times * cost]);
        await answer.text();
      }
    });

  it('let 6 of 50 backtests that one user asks at once through, and are another user’s own', async () => {
    const ask = (n: number, as = token) =>
      service.post(
        '/backend/core-line/backtest',
        { asset: 'BTC', feePercent: n / 10 },
        { 'session-token': as },
      );
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => ask(n)));
    const refused = answers.filter(({ status }) => status !== 200);
    assert.equal(refused.length, 44);
    for (const { status, result, headers } of refused) {
      assert.deepEqual([status, result], [429, { type: 'INVALID_INPUT_RATE' }]);
      assert.match(headers.get('retry-after') ?? '', /^([1-9]|[1-5]\d|60)$/);
    }
    assert.equal((await ask(1, await signInWith('free'))).status, 200);
  });
});
