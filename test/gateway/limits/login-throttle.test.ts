import assert from 'node:assert/strict';
import type { Redis } from 'ioredis';
import { LoginThrottle } from '../../../gateway/limits/login-throttle.js';
import { hashPassword } from '../../../storage/users/password.js';
import { connected, openRedis, quick } from '../../../storage/servers/redis.js';
import { openTestService, type TestService } from '../../support/gateway/gateway.js';
import { ageAttempts } from '../../support/servers/age-attempts.js';
import { OwnServer } from '../../support/servers/own-server.js';

const settings = { LOGIN_FAILURES: 5, LOGIN_FAILURES_ADDRESS: 12 };
const { signal } = new AbortController();

describe('LoginThrottle', () => {
  let server: OwnServer;
  let redis: Redis[];
  let gateways: LoginThrottle[];
  let names = 0;

  before(async () => {
    server = await OwnServer.open('redis');
    redis = [openRedis(server.url, quick), openRedis(server.url, quick)];
    await Promise.all(redis.map(connected));
    gateways = redis.map((each) => new LoginThrottle(each, settings));
  });
  after(async () => {
    for (const each of redis) each.disconnect();
    await server.close();
  });

  const fresh = () => ({ email: `user-${++names}@example.com`, address: `10.0.${names}.1`, signal });
  const wrong = () => Promise.resolve(null);
  const right = () => Promise.resolve('ada');
  const refused = (from: number, to: number) => (error: unknown) => {
    const { code, details } = error as { code: string; details: { retryAfterSeconds: number } };
    assert.equal(code, 'rate_limited');
    const { retryAfterSeconds } = details;
    assert.ok(retryAfterSeconds >= from && retryAfterSeconds <= to, String(retryAfterSeconds));
    return true;
  };
  const failTimes = async (count: number, who: ReturnType<typeof fresh>) => {
    for (let n = 0; n < count; n++) assert.equal(await gateways[n % 2].attempt(who, wrong), null);
  };

  it('refuses the sixth attempt at an account from an address, whichever gateway it comes to', async () => {
    const who = fresh();
    await failTimes(5, who);
    let checked = 0;
    for (const gateway of gateways)
      await assert.rejects(
        gateway.attempt({ ...who, email: who.email.toUpperCase() }, () => Promise.resolve(checked++)),
        refused(55, 60),
      );
    assert.equal(checked, 0);
  });

  const pass = (seconds: number) => ageAttempts(redis[0], seconds * 1_000);

  it('counts failures of 15 minutes', async () => {
    const [within, beyond] = [fresh(), fresh()];
    await failTimes(1, beyond);
    await failTimes(1, within);
    await pass(14 * 60 + 50);
    await failTimes(4, within);
    await assert.rejects(gateways[0].attempt(within, right), refused(55, 60));
    await pass(20);
    await failTimes(4, beyond);
    assert.equal(await gateways[1].attempt(beyond, right), 'ada');
  });

  it('makes whoever goes on failing wait 1, 2, 4, 8, and at most 15 minutes', async () => {
    const who = fresh();
    await failTimes(5, who);
    for (const seconds of [60, 120, 240, 480, 900, 900]) {
      await assert.rejects(gateways[0].attempt(who, right), refused(seconds - 5, seconds));
      await pass(seconds);
      await failTimes(1, who);
    }
  });

  it('blocks at a gateway whose clock is 61 s ahead or behind as long as at the others', async () => {
    const { now } = Date;
    for (const aheadMs of [61_000, -61_000]) {
      const who = fresh();
      await failTimes(5, who);
      Date.now = () => now() + aheadMs;
      try {
        await assert.rejects(gateways[1].attempt(who, right), refused(55, 60));
      } finally {
        Date.now = now;
      }
      await assert.rejects(gateways[0].attempt(who, right), refused(55, 60));
      await pass(61);
      assert.equal(await gateways[0].attempt(who, right), 'ada');
    }
  });

  it('lets the account in from elsewhere, and the address at other accounts', async () => {
    const who = fresh();
    await failTimes(5, who);
    assert.equal(await gateways[0].attempt({ ...who, address: '10.9.9.9' }, right), 'ada');
    assert.equal(await gateways[1].attempt({ ...who, email: 'other@example.com' }, right), 'ada');
    await assert.rejects(gateways[0].attempt(who, right), refused(55, 60));
  });

  it('lets as many fail as may, however many come at once', async () => {
    const who = fresh();
    let checked = 0;
    const attempts = Array.from({ length: 30 }, (_, n) =>
      gateways[n % 2].attempt(who, () => Promise.resolve((checked++, null))),
    );
    const results = await Promise.allSettled(attempts);
    assert.equal(results.filter(({ status }) => status === 'rejected').length, 25);
    assert.equal(checked, 5);
  });

  it('holds up nobody who knows the password, however many come at once', async () => {
    const who = fresh();
    const attempts = Array.from({ length: 30 }, (_, n) => gateways[n % 2].attempt(who, right));
    assert.deepEqual(await Promise.all(attempts), Array(30).fill('ada'));
  });

  it('forgets failures with a success', async () => {
    const who = fresh();
    await failTimes(4, who);
    assert.equal(await gateways[0].attempt(who, right), 'ada');
    await failTimes(5, who);
    await assert.rejects(gateways[0].attempt(who, right), refused(55, 60));
  });

  it('does not count what could not be checked', async () => {
    const who = fresh();
    for (let n = 0; n < 8; n++)
      await assert.rejects(
        gateways[0].attempt(who, () => Promise.reject(new Error('away'))),
        /away/,
      );
    assert.equal(await gateways[0].attempt(who, right), 'ada');
  });

  it('refuses an address that fails at many accounts, also with a success in between', async () => {
    const { address } = fresh();
    const at = (n: number) => ({ email: `victim-${n}@example.com`, address, signal });
    for (let n = 0; n < 12; n++) {
      await failTimes(1, at(n));
      if (n === 6)
        assert.equal(await gateways[0].attempt({ ...at(0), email: 'own@example.com' }, right), 'ada');
    }
    await assert.rejects(gateways[0].attempt(at(99), right), refused(55, 60));
    assert.equal(await gateways[0].attempt({ ...at(99), address: '10.8.8.8' }, right), 'ada');
  });

  it('slows an account that is tried from many addresses, and never refuses it', async () => {
    const { email } = fresh();
    for (let n = 0; n < 24; n++)
      await gateways[n % 2].attempt({ email, address: `10.7.${n}.1`, signal }, wrong);
    const started = performance.now();
    assert.equal(await gateways[0].attempt({ email, address: '10.6.6.6', signal }, right), 'ada');
    // 24 failures are 4 beyond the 20 that are calm: 0.4 s.
    assert.ok(performance.now() - started >= 395);
  });

  it('counts a guess of which the client does not wait for the answer', async () => {
    const who = fresh();
    const gone = AbortSignal.abort();
    for (let n = 0; n < 5; n++) await gateways[0].attempt({ ...who, signal: gone }, wrong);
    await assert.rejects(gateways[0].attempt(who, right), refused(55, 60));
  });

  it('keeps neither e-mails nor passwords in Redis', async () => {
    const keys = await redis[0].keys('*');
    assert.ok(keys.length > 10);
    assert.equal(keys.join().includes('example.com'), false);
  });

  it('remembers over a restart of Redis, and meanwhile each gateway counts for itself', async () => {
    const who = fresh();
    await failTimes(5, who);
    await server.kill();
    const offline = fresh();
    for (let n = 0; n < 5; n++) assert.equal(await gateways[0].attempt(offline, wrong), null);
    await assert.rejects(gateways[0].attempt(offline, right), refused(55, 60));
    await server.start();
    const again = openRedis(server.url, quick);
    await connected(again);
    await assert.rejects(new LoginThrottle(again, settings).attempt(who, right), refused(40, 60));
    again.disconnect();
  });
});

describe('throttling of POST /backend/login', () => {
  let service: TestService;

  before(async () => {
    service = await openTestService({
      computeNodes: 0,
      env: { TRUSTED_HOPS: '1', LOGIN_FAILURES: '5', LOGIN_FAILURES_ADDRESS: '1000' },
    });
    const passwordHash = await hashPassword('correct horse');
    await service.storage.users.add({ email: 'ada@example.com', plan: 'free', passwordHash });
  });
  after(() => service.close());

  const login = (email: string, password: string, address: string) =>
    service.post(
      '/backend/login',
      { email, password },
      { 'x-forwarded-for': address, 'x-request-id': 'same' },
    );

  it('answers the sixth failure 429 with Retry-After, alike for accounts that are there and that are not', async () => {
    const last = [];
    for (const email of ['ada@example.com', 'nobody@example.com']) {
      for (let n = 0; n < 5; n++) assert.equal((await login(email, 'wrong', '192.0.2.1')).status, 401);
      const { status, result, payload, headers } = await login(email, 'correct horse', '192.0.2.1');
      assert.deepEqual([status, result], [429, { type: 'INVALID_INPUT_RATE' }]);
      assert.match(headers.get('retry-after') ?? '', /^(5\d|60)$/);
      last.push(payload.message.replace(/\d+ s$/, 'n s'));
    }
    assert.deepEqual(last, Array(2).fill('too many failed sign-ins; try again in n s'));
    assert.equal((await login('ada@example.com', 'correct horse', '192.0.2.2')).status, 200);
  });

  it('counts an IPv6 network as one address', async () => {
    for (let n = 0; n < 5; n++) await login('ada@example.com', 'wrong', `2001:db8::${n}`);
    assert.equal((await login('ada@example.com', 'correct horse', '2001:db8::ffff')).status, 429);
  });

  it('lets many who know the password in at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => login('ada@example.com', 'correct horse', '192.0.2.9')),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      Array(10).fill(200),
    );
  });
});
