import assert from 'node:assert/strict';
import type { Redis } from 'ioredis';
import { SharedAttemptCounter } from '../../../storage/users/attempt-counter.js';
import { loginKeys } from '../../../storage/users/login-keys.js';
import { passwordMatches } from '../../../storage/users/password.js';
import { connected, failFast, openRedis } from '../../../storage/servers/redis.js';
import { freshRedisUrl } from '../../support/servers/servers.js';
import { temporaryFolder } from '../../support/process/temporary-folder.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';
import { adminCommands, type AdminResult } from './run-admin.js';

describe('admin commands for accounts', function () {
  this.timeout(60_000);

  const context = temporaryStorage();
  const folder = temporaryFolder();
  const runCommand = adminCommands();
  let redisUrl: string;
  let redis: Redis;
  before(async () => {
    redisUrl = await freshRedisUrl();
    redis = openRedis(redisUrl, failFast);
    await connected(redis);
  });
  after(() => redis.disconnect());

  const run = (args: string[], input?: string) =>
    runCommand(args, {
      folder: folder.path,
      env: { REDIS_URL: redisUrl, MONGODB_URL: context.url, MARKET: 'csv' },
      input,
    });
  const user = (command: string, email: string, ...more: string[]) =>
    run(['user', command, '--email', email, ...more]);
  const done = (stdout: string): AdminResult => ({ code: 0, stdout, stderr: '' });
  const failed = (stderr: string): AdminResult => ({ code: 1, stdout: '', stderr: `error: ${stderr}\n` });
  const add = (email: string) =>
    context.storage.users.add({ email, plan: 'free', passwordHash: 'x', emailVerified: false });

  it('take a password from standard input, of which the first line counts', async () => {
    const args = ['user', 'add', '--email', 'ada@example.com'];
    assert.deepEqual(
      await run(args, 'correct horse\nmore\n'),
      done('added user ada@example.com with plan free\n'),
    );
    const { id, passwordHash } = (await context.storage.users.byEmail('ada@example.com'))!;
    assert.equal(await passwordMatches('correct horse', passwordHash), true);
    const { personalTokens } = context.storage;
    await personalTokens.add({ userId: id, name: 'laptop', scopes: [], expiresAt: new Date(9e12) });
    const tokens = await Promise.all([1, 2].map(() => context.storage.sessions.open(id, 'web')));
    const change = ['user', 'password', '--email', 'ADA@example.com'];
    assert.equal((await run([...change, '--password', 'x'], '')).code, 1);
    assert.deepEqual(await run(change), failed('no password came on standard input'));
    assert.deepEqual(await run(change, 'short\n'), failed('"password" must be at least 8 bytes in UTF-8'));
    assert.equal((await context.storage.sessions.ofUser(id)).length, tokens.length);
    assert.deepEqual(
      await run(change, 'battery staple'),
      done('user ada@example.com has another password now; sessions ended: 2\n'),
    );
    const changed = (await context.storage.users.byId(id))!;
    assert.equal(await passwordMatches('battery staple', changed.passwordHash), true);
    assert.deepEqual(await context.storage.sessions.ofUser(id), []);
    assert.deepEqual(await personalTokens.ofUser(id), []);
  });

  it('change plan and operator, list, sign out and remove', async () => {
    const { id } = await add('bob@example.com');
    assert.deepEqual(
      await user('plan', 'bob@example.com', '--plan', 'pro'),
      done('user bob@example.com has plan pro now\n'),
    );
    assert.deepEqual(
      await user('operator', 'bob@example.com', '--operator', 'yes'),
      done('user bob@example.com is an operator now\n'),
    );
    assert.deepEqual(
      await user('verify', 'bob@example.com'),
      done('the e-mail bob@example.com is verified now\n'),
    );
    assert.notEqual((await context.storage.users.byId(id))!.emailVerifiedAt, null);
    assert.deepEqual(
      await user('verify', 'bob@example.com', '--verified', 'no'),
      done('the e-mail bob@example.com is not verified now\n'),
    );
    const listed = JSON.parse((await run(['user', 'list', '--json'])).stdout) as { email: string }[];
    const { createdAt } = (await context.storage.users.byId(id))!;
    assert.deepEqual(
      listed.find(({ email }) => email === 'bob@example.com'),
      {
        ...{ userid: id, email: 'bob@example.com', plan: 'pro', operator: true },
        ...{ password: true, verified: false, created: createdAt.toISOString() },
      },
    );
    assert.deepEqual(
      await user('sessions', 'bob@example.com'),
      done('user bob@example.com is not signed in\n'),
    );
    await context.storage.sessions.open(id, 'ios');
    assert.match(
      (await user('sessions', 'bob@example.com')).stdout,
      /^client +created +expires\nios +\d{4}-\S+Z +\d{4}-\S+Z\n$/,
    );
    assert.deepEqual(
      await user('sign-out', 'bob@example.com'),
      done('sessions of bob@example.com ended: 1\n'),
    );
    assert.deepEqual(await user('remove', 'bob@example.com'), done('removed user bob@example.com\n'));
    assert.equal(await context.storage.users.byId(id), null);
    const cutOff = await add('cut@example.com');
    await context.storage.users.beginRemoval(cutOff.id);
    assert.deepEqual(
      await user('plan', 'cut@example.com', '--plan', 'pro'),
      failed('there is no user "cut@example.com"'),
    );
    assert.deepEqual(await user('remove', 'cut@example.com'), done('removed user cut@example.com\n'));
    assert.deepEqual(await user('remove', 'cut@example.com'), failed('there is no user "cut@example.com"'));
    const table = (await run(['user', 'list'])).stdout;
    assert.match(table, /^email +plan +operator +password +verified +created\n/);
    assert.doesNotMatch(table, /bob@/);
  });

  it('list what happened to accounts', async () => {
    assert.deepEqual(await run(['audit', 'list']), done('there are no such events\n'));
    const ada = await add('audited@example.com');
    const { auditEvents } = context.storage;
    const at = new Date('2026-03-04T05:06:07.008Z');
    const event = { address: '192.0.2.7', client: 'curl/8', details: { by: 'password' } };
    await auditEvents.add([
      { ...event, id: '1', userId: ada.id, at, event: 'sign_in' },
      { ...event, id: '2', userId: 'removed since', at: new Date('2026-01-02'), event: 'sign_in' },
      { id: '3', userId: null, at, event: 'account_removed', address: null, client: null, details: {} },
    ]);
    await auditEvents.count(
      { userId: ada.id, event: 'sign_in', hour: new Date('2026-03-04T05:00Z') },
      1_260,
      'batch',
    );
    const audit = (...more: string[]) => run(['audit', 'list', ...more]);
    const shown = [
      'time                      user                 event    address    client  details',
      '2026-03-04T05:06:07.008Z  audited@example.com  sign_in  192.0.2.7  curl/8  by=password',
      'and 1240 more of sign_in in the hour of 2026-03-04T05:00:00.000Z',
    ];
    assert.deepEqual(await audit('--user', 'audited@example.com'), done(`${shown.join('\n')}\n`));
    const all = JSON.parse((await audit('--json')).stdout) as { events: Record<string, unknown>[] };
    assert.deepEqual(
      all.events.map(({ id, user: of }) => [id, of]),
      [
        ['3', null],
        ['1', 'audited@example.com'],
        ['2', '(removed)'],
      ],
    );
    const since = await audit('--since', '2026-02-01', '--event', 'account_removed');
    assert.match(since.stdout, /\n2026-03-04T05:06:07.008Z {2}- +account_removed +- +-$/m);
    assert.match((await audit('--event', 'nothing')).stderr, /"event" must be one of \[sign_in, /);
  });

  it('refuse a user that is not there and values that are not known', async () => {
    await add('eve@example.com');
    const wrong: [args: [string, string, ...string[]], stderr: string][] = [
      [['plan', 'nobody@example.com', '--plan', 'pro'], 'there is no user "nobody@example.com"'],
      [['plan', 'eve@example.com', '--plan', 'gold'], '"plan" must be one of [free, plus, pro]'],
      [['operator', 'eve@example.com', '--operator', 'maybe'], '"operator" must be one of [yes, no]'],
      [['remove', 'nobody'], '"email" must be a valid email'],
    ];
    for (const [args, stderr] of wrong) assert.deepEqual(await user(...args), failed(stderr));
    assert.equal((await context.storage.users.byEmail('eve@example.com'))?.plan, 'free');
  });

  it('make partners whose key and secret are shown once', async () => {
    const { stdout } = await run(['partner', 'add', '--name', 'Alpha Signals', '--json']);
    const first = JSON.parse(stdout) as { name: string; key: string; secret: string };
    assert.equal((await context.storage.partners.admit(first, '::1'))?.partner.name, 'Alpha Signals');
    assert.deepEqual(
      await run(['partner', 'add', '--name', 'Alpha Signals']),
      failed('partner "Alpha Signals" exists already'),
    );
    const rotated = (await run(['partner', 'rotate', '--name', 'Alpha Signals'])).stdout;
    const [, key, secret] = /svc-api-key: (\S+)\nsvc-api-secret: (\S+)\n$/.exec(rotated)!;
    assert.equal(
      (await context.storage.partners.admit({ key, secret }, '::1'))?.partner.name,
      'Alpha Signals',
    );
    await context.storage.users.add({ email: 'member@example.com', plan: 'free', passwordHash: null });
    const named = ['--partner', 'Alpha Signals', '--email', 'member@example.com'];
    assert.deepEqual(
      await run(['partner', 'member', 'add', ...named]),
      done('member@example.com acts for partner Alpha Signals\n'),
    );
    assert.match(
      (await run(['partner', 'member', 'list', ...named.slice(0, 2)])).stdout,
      /member@example\.com +2/,
    );
    assert.deepEqual(
      await run(['partner', 'member', 'remove', ...named]),
      done('member@example.com no longer acts for partner Alpha Signals\n'),
    );
    assert.deepEqual(
      await run(['partner', 'member', 'remove', ...named]),
      failed('member@example.com does not act for partner "Alpha Signals"'),
    );
    const table = (await run(['partner', 'list'])).stdout;
    assert.ok(table.includes(first.key) && table.includes(key) && !table.includes(secret));
    assert.deepEqual(
      await run(['partner', 'revoke', '--key', first.key]),
      done(`revoked key ${first.key}\n`),
    );
    assert.equal(await context.storage.partners.admit(first, '::1'), null);
    assert.deepEqual(await run(['partner', 'revoke', '--key', 'x']), failed('no partner has key "x"'));
    assert.deepEqual(
      await run(['partner', 'remove', '--name', 'Alpha Signals']),
      done('removed partner Alpha Signals\n'),
    );
    assert.deepEqual(
      await run(['partner', 'remove', '--name', 'Alpha Signals']),
      failed('there is no partner "Alpha Signals"'),
    );
    assert.deepEqual(await run(['partner', 'list']), done('there are no partners\n'));
  });

  it('show and reset the limits of a user and of an address', async () => {
    const { id } = await add('kim@example.com');
    const address = '192.0.2.1';
    await redis.set(`tidemark:rate:free:${id}`, '7', 'EX', 60);
    await redis.set(`tidemark:rate:guest:${address}`, '3', 'EX', 60);
    const delays = { windowMs: 900_000, firstDelayMs: 60_000, longestDelayMs: 900_000 };
    const attempts = new SharedAttemptCounter(redis, { ...delays, limit: 2 });
    const keys = [loginKeys.both('kim@example.com', address), loginKeys.address(address)];
    for (const key of [keys[0], keys[0], keys[1]]) {
      await attempts.begin(key, 'x');
      await attempts.end(key, 'x', 'failed');
    }
    const show = async () => {
      const { stdout } = await run([
        'limits',
        'show',
        '--email',
        'kim@example.com',
        '--address',
        address,
        '--json',
      ]);
      const { points, uses } = JSON.parse(stdout) as {
        points: Record<string, number>;
        uses: { what: string; used: number; limit: number | null; waitSeconds: number }[];
      };
      const used = uses.filter((each) => each.used > 0).map(({ what, used, limit }) => [what, used, limit]);
      return { points, used, waits: uses.map(({ waitSeconds }) => waitSeconds) };
    };
    const before = await show();
    assert.deepEqual(before.points, {
      free: 60,
      plus: 300,
      pro: 1_200,
      guest: 60,
      signed: 100,
      agent: 60,
      hosted: 600,
      oauth: 20,
      unpriced: 600,
      pages: 400,
      visitors: 3_200,
      signals: 100,
      commands: 600,
    });
    const pair = [`failed sign-ins at one account from ${address}`, 2, 5];
    assert.deepEqual(before.used, [
      ['points of plan free', 7, 60],
      pair,
      ['points as guest', 3, 60],
      ['failed sign-ins at any account', 1, 100],
      pair,
    ]);
    assert.ok(before.waits.some((seconds) => seconds > 50 && seconds <= 60));
    assert.match((await run(['limits', 'show'])).stdout, /^caller +points per minute\nfree +60\n/);
    const reset = (...args: string[]) => run(['limits', 'reset', ...args]);
    assert.deepEqual(await reset('--email', 'kim@example.com'), done('limits reset: 2\n'));
    assert.deepEqual(await reset('--address', address), done('limits reset: 2\n'));
    assert.deepEqual((await show()).used, []);
    assert.deepEqual(await reset(), failed('--email or --address is missing'));
    assert.deepEqual(
      await reset('--address', 'here'),
      failed('--address must be an IP address, found "here"'),
    );
  });
});
