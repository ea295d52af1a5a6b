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
  (await limits.consume([{ bucket: 'free', key }], points)).remaining;

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
    for (let n = 0; n < 3; n++)
      await assert.rejects(limits[n % 2].consume([{ bucket: 'free', key: 'eve' }], 10), refusal(2));
    assert.equal(await remaining(limits[0], 'eve', 2), 0);
    await assert.rejects(limits[1].consume([{ bucket: 'free', key: 'eve' }], 1), refusal(0));
  });

  it('let no more through than there are points, however many ask at once', async () => {
    const asked = Array.from({ length: 50 }, (_, n) =>
      limits[n % 2].consume([{ bucket: 'guest', key: '10.0.0.1' }], 1),
    );
    const passed = (await Promise.allSettled(asked)).filter(({ status }) => status === 'fulfilled');
    assert.equal(passed.length, 3);
  });

  it('let through at once whoever has spent less than half, and tell the others a moment later', async () => {
    assert.equal(await remaining(limits[0], 'kim', 1), 11);
    server.freeze();
    // In the same turn of the event loop: it waits for nothing.
    const waited = new Promise<string>((resolve) => setImmediate(() => resolve('waited')));
    assert.equal(await Promise.race([remaining(limits[0], 'kim', 1), waited]), 10);
    server.thaw();
    await until('Redis knows', async () => (await redis[1].get('tidemark:rate:free:kim')) === '2');
    assert.equal(await remaining(limits[1], 'kim', 10), 0);
    await assert.rejects(limits[0].consume([{ bucket: 'free', key: 'kim' }], 2), refusal(0));
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

  it('spend the points of two keys or of none, and tell what is left of the scarcer', async () => {
    const both = [
      { bucket: 'free', key: 'ann' },
      { bucket: 'free', key: 'network:192.0.2.1', sharedBy: 'the neighbours' },
    ] as const;
    await remaining(limits[0], 'network:192.0.2.1', 4);
    assert.equal((await limits[0].consume(both, 2)).remaining, 6);
    await assert.rejects(limits[0].consume(both, 7), (error: AppError) => {
      assert.match(
        error.message,
        /^at most 12 points a minute .* in \d+ s; the points are shared by the neighbours$/,
      );
      return refusal(6)(error);
    });
    assert.equal(await remaining(limits[0], 'ann', 1), 9);
    await assert.rejects(limits[0].consume(both, 10), refusal(9));
    assert.equal((await limits[0].consume(both, 6)).remaining, 0);
    assert.equal(await remaining(limits[0], 'ann', 3), 0);
  });

  it('ask Redis for two keys in one round trip', async () => {
    await remaining(limits[0], 'amy', 7);
    await remaining(limits[0], 'network:192.0.2.2', 7);
    const written = redis[0].stream as unknown as { write: (...args: unknown[]) => boolean };
    const write = written.write.bind(written);
    let writes = 0;
    written.write = (...args) => {
      writes++;
      return write(...args);
    };
    const keys = ['amy', 'network:192.0.2.2'].map((key) => ({ bucket: 'free', key }) as const);
    assert.equal((await limits[0].consume(keys, 1)).remaining, 4);
    written.write = write;
    assert.equal(writes, 1);
  });

  it('give points back, and never more than there were', async () => {
    const key = { bucket: 'free', key: 'zoe' } as const;
    for (let n = 0; n < 30; n++) {
      await remaining(limits[0], 'zoe', 1);
      limits[0].refund(key, 1);
    }
    assert.equal(await remaining(limits[0], 'zoe', 11), 1);
    await assert.rejects(limits[0].consume([{ bucket: 'free', key: 'zoe' }], 2), refusal(1));
    assert.equal(await remaining(limits[0], 'zoe', 1), 0);
    await assert.rejects(limits[0].consume([{ bucket: 'free', key: 'zoe' }], 1), refusal(0));
  });

  it('let work run ahead until they know that no points are left', async () => {
    const key = [{ bucket: 'guest', key: '192.0.2.3' }] as const;
    assert.equal(limits[0].mayRunAhead(key, 1), true);
    for (let n = 0; n < 3; n++) await limits[0].consume([{ bucket: 'guest', key: '192.0.2.3' }], 1);
    assert.equal(limits[0].mayRunAhead(key, 1), false);
    assert.equal(limits[1].mayRunAhead(key, 1), true);
    await assert.rejects(limits[1].consume([{ bucket: 'guest', key: '192.0.2.3' }], 1), refusal(0));
    assert.equal(limits[1].mayRunAhead(key, 1), false);
  });

  it('let through what other gateways have not told of yet, an eighth each at most, and no more', async () => {
    const wide = readSettings({ RATE_FREE: '200' }, '/');
    const four = Array.from({ length: 4 }, (_, n) => new RateLimits(redis[n % 2], wide));
    for (const each of four) await remaining(each, 'nia', 1);
    const asked = Array.from({ length: 600 }, (_, n) =>
      four[n % 4].consume([{ bucket: 'free', key: 'nia' }], 1),
    );
    const passed = (await Promise.allSettled(asked)).filter(({ status }) => status === 'fulfilled');
    await Promise.all(four.map((each) => each.close()));
    // 4 were taken before; 25 of each of the other three may come too late.
    assert.ok(passed.length >= 196 && passed.length <= 196 + 75, String(passed.length));
  });

  it('are kept by each gateway for itself while Redis does not answer, frozen or killed', async () => {
    server.freeze();
    assert.equal(await remaining(limits[0], 'frozen', 10), 2);
    // The first waits for Redis, the second for nothing.
    const second = limits[0].consume([{ bucket: 'free', key: 'frozen' }], 10);
    const waited = new Promise((resolve) => setImmediate(() => resolve('waited')));
    await assert.rejects(Promise.race([second, waited]), refusal(2));
    server.thaw();
    await server.kill();
    assert.equal(await remaining(limits[1], 'killed', 12), 0);
    await assert.rejects(limits[1].consume([{ bucket: 'free', key: 'killed' }], 1), refusal(0));
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

describe('limits of users whose e-mail is not verified', () => {
  let service: TestService;
  let people = 0;
  before(async () => {
    service = await openTestService({
      computeNodes: 0,
      env: { RATE_FREE: '12', RATE_PRO: '24', TRUSTED_HOPS: '1' },
    });
  });
  after(() => service.close());

  const from = (address: string, token?: string) => ({
    'x-forwarded-for': address,
    ...(token === undefined ? {} : { 'session-token': token }),
  });
  const ask = (address: string, token: string) =>
    service.post('/backend/core-line/chart', { asset: 'NOPE' }, from(address, token));
  const signUp = async (address: string): Promise<{ token: string; email: string }> => {
    const email = `new-${++people}@example.com`;
    const body = { email, password: 'a long password' };
    // Where the machine holds MongoDB up, the answer is 503: ask again.
    await until('an account', async () => {
      const { status } = await service.post('/backend/signup', body, from(address));
      assert.ok(status === 200 || status === 503, String(status));
      return status === 200;
    });
    const answer = await service.post('/backend/login', body, from(address));
    assert.equal(answer.status, 200);
    return { token: answer.payload.token as string, email };
  };
  /** How many of 12 requests of each token pass. */
  const passed = async (address: string, tokens: readonly string[]) => {
    let count = 0;
    for (const token of tokens)
      for (let n = 0; n < 12; n++) if ((await ask(address, token)).status !== 429) count++;
    return count;
  };

  it('are those of one account for all accounts that signed up in a network', async () => {
    const tokens = await Promise.all(
      Array.from({ length: 5 }, async () => (await signUp('192.0.2.1')).token),
    );
    assert.equal(await passed('192.0.2.1', tokens), 12);
    const { status, result, payload, headers } = await ask('192.0.2.1', tokens[4]);
    assert.deepEqual([status, result], [429, { type: 'INVALID_INPUT_RATE' }]);
    assert.match(
      payload.message,
      /^at most 12 points a minute; .*shared by all users of your network whose e-mail is not verified$/,
    );
    assert.equal(headers.get('ratelimit-remaining'), '0');
    assert.equal((await ask('192.0.2.2', tokens[4])).status, 400);
  });

  it('count one IPv6 network as one', async () => {
    const tokens = await Promise.all([1, 2].map(async () => (await signUp('2001:db8:a::1')).token));
    assert.equal(await passed('[2001:db8:a::2]:443', tokens.slice(0, 1)), 12);
    assert.equal((await ask('2001:db8:a::3', tokens[1])).status, 429);
    assert.equal((await ask('2001:db8:a:1::3', tokens[1])).status, 400);
  });

  // Without the message about the change it would be seen after 60 s.
  it('are their own as soon as the e-mail is verified, and leave verified neighbours alone', async () => {
    const [noisy, quiet] = [await signUp('192.0.2.5'), await signUp('192.0.2.5')];
    assert.equal(await passed('192.0.2.5', [noisy.token]), 12);
    assert.equal((await ask('192.0.2.5', quiet.token)).status, 429);
    const { id } = (await service.storage.users.byEmail(quiet.email))!;
    await service.storage.users.setEmailVerified(id, true);
    await until('the change', async () => (await ask('192.0.2.5', quiet.token)).status === 400);
    const { id: neighbour } = await service.storage.users.add({
      ...{ email: 'neighbour@example.com', plan: 'free', passwordHash: null },
    } as const);
    const token = await service.storage.sessions.open(neighbour, 'web');
    assert.equal(await passed('192.0.2.5', [token]), 12);
  });

  it('leave a user of a higher plan the points of that plan', async () => {
    const [noisy, paying] = [await signUp('192.0.2.6'), await signUp('192.0.2.6')];
    assert.equal(await passed('192.0.2.6', [noisy.token]), 12);
    await service.storage.users.setPlan((await service.storage.users.byEmail(paying.email))!.id, 'pro');
    await until('the change', async () => (await ask('192.0.2.6', paying.token)).status === 400);
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

describe('the limits of visitors in browsers', () => {
  let service: TestService;

  before(async () => {
    service = await openTestService({
      computeNodes: 0,
      env: { RATE_GUEST: '', RATE_PAGES: '', TRUSTED_HOPS: '1' },
    });
  });
  after(() => service.close());

  /** A browser at an address, with the cookie that the application gives it. */
  async function openAt(address: string) {
    const shell = await fetch(`${service.url}/app/asset/BTC`);
    await shell.text();
    const [cookie] = shell.headers.getSetCookie().map((each) => each.split(';')[0]);
    return async (path = '/backend/session') => {
      const answer = await fetch(service.url + path, { headers: { cookie, 'X-Forwarded-For': address } });
      const text = await answer.text();
      return { status: answer.status, text, limit: answer.headers.get('ratelimit-limit') };
    };
  }

  /** What an asset's page asks for when it is opened. */
  const readingsOfPage = 14;

  it('serve one who opens twenty pages in a minute', async () => {
    const read = await openAt('198.51.100.1');
    for (let n = 0; n < 20 * readingsOfPage; n++) assert.equal((await read()).status, 200);
  });

  it('refuse one who hammers in words that say when to come again, and nobody else behind the address', async () => {
    const [hostile, other] = [await openAt('198.51.100.2'), await openAt('198.51.100.2')];
    let refused = await hostile();
    for (let n = 0; refused.status === 200; n++) {
      assert.ok(n < 1_000, 'never refused');
      refused = await hostile();
    }
    assert.equal(refused.status, 429);
    assert.match(refused.text, /at most 400 points a minute; try again in \d+ s/);
    for (let n = 0; n < readingsOfPage; n++) assert.equal((await other()).status, 200);
    // A program without the cookie has the points of its address, which the visitors have not spent.
    const program = await fetch(`${service.url}/backend/session`, {
      headers: { 'X-Forwarded-For': '198.51.100.2' },
    });
    assert.deepEqual([program.status, program.headers.get('ratelimit-limit')], [200, '60']);
    await program.text();
  });

  it('bound a browser that pretends to be many', async () => {
    const { redisUrl, mongodbUrl } = service;
    const env = { RATE_PAGES: '5', TRUSTED_HOPS: '1' };
    const strict = await openTestService({ computeNodes: 0, redisUrl, mongodbUrl, env });
    let served = 0;
    for (let n = 0; n < 60; n++) {
      const headers = { cookie: `browser=${String(n).padStart(43, 'a')}`, 'X-Forwarded-For': '198.51.100.3' };
      const answer = await fetch(`${strict.url}/backend/session`, { headers });
      if (answer.status === 200) served++;
      else assert.match(await answer.text(), /try again in \d+ s; the points are shared by all visitors/);
    }
    assert.equal(served, 8 * 5);
    await strict.close();
  });
});
