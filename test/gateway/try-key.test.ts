import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tryElsewhere } from '../../gateway/try-key.js';
import { DeadLetters } from '../../storage/dead-letters.js';
import { announceNode } from '../../storage/nodes.js';
import { openCollector } from '../support/collector.js';
import { assertRefused } from '../support/envelope.js';
import type { FakeAccount } from '../support/fake-account.js';
import { FakeBinance } from '../support/fake-binance.js';
import { openTestService, type TestService } from '../support/gateway.js';
import { openKeyTrials, type KeyTrials } from '../support/key-trials.js';
import { logLines } from '../support/log-lines.js';
import { randomCandles } from '../support/random-candles.js';
import { redisTexts } from '../support/redis-texts.js';
import { ask, RoleChild } from '../support/role-child.js';
import { until } from '../support/until.js';

const path = '/backend/exchanges';
const apiKey = 'aKeyOfTheExchange'.padEnd(64, 'k');
const secret = 'theSecretOfThatKey'.padEnd(64, 's');
const body = { exchange: 'BINANCE', apiKey, apiSecret: secret };
const permissionsPath = '/sapi/v1/account/apiRestrictions';

/** Every form in which a text might be written down. */
const formsOf = (text: string) => [
  text,
  Buffer.from(text).toString('hex'),
  // Where it stands in a longer text, its base64 begins in one of three ways.
  ...[0, 1, 2].map((n) => Buffer.from(text.slice(n)).toString('base64').slice(0, 40)),
];

describe('the trial of a key', function () {
  this.timeout(60_000);
  let folder: string;
  let exchange: FakeBinance;
  let account: FakeAccount;
  let service: TestService;
  let token: string;
  let open: { close(): Promise<unknown> }[];
  let env: Record<string, string>;
  const { log, lines } = logLines();

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tidemark-test-'));
    const startMs = Math.floor(Date.now() / 3_600_000) * 3_600_000 - 29 * 3_600_000;
    const candles = randomCandles(30, { startMs });
    exchange = await FakeBinance.open([{ base: 'BTC', quote: 'USDT', candles }]);
    env = { DATA_DIR: folder, EXCHANGES: `BINANCE=binance@${exchange.url}` };
    service = await openTestService({ computeNodes: 1, env, log });
  });
  beforeEach(async () => {
    open = [];
    account = { secret, balances: { BTC: { free: '1' } }, trades: [] };
    exchange.accounts.set(apiKey, account);
    exchange.fault = () => undefined;
    exchange.asked = [];
    // A worker that was killed by the test before is not waited for until it counts as lost.
    await service.deps.redis.del('tidemark:nodes', 'tidemark:circuit:binance');
    token = await service.signIn();
  });
  afterEach(async () => {
    for (const each of open.reverse()) await each.close();
  });
  after(async () => {
    await service.close();
    await exchange.close();
    await rm(folder, { recursive: true });
  });

  /** A market worker that is known and takes nothing. */
  const announceMute = async () => {
    const { redis, cluster } = service.deps;
    const mute = announceNode(redis, 'market', () => ({ threads: null, busy: null, running: 0 }));
    open.push({ close: () => mute.stop() });
    await until('the market worker is known', async () =>
      (await cluster.nodes()).some(({ role }) => role === 'market'),
    );
  };
  const startTrials = async (own: Partial<TestService['settings']> = {}): Promise<KeyTrials> => {
    const { settings, redisUrl } = service;
    const trials = await openKeyTrials({ settings: { ...settings, ...own }, redisUrl, log });
    open.push(trials);
    return trials;
  };
  const connect = (more = {}) => service.post(path, { ...body, ...more }, { 'session-token': token });
  const hang = () =>
    (exchange.fault = (asked) => (asked.path === permissionsPath ? { hang: true } : undefined));
  const askedForPermissions = () =>
    until('the exchange is asked', () => exchange.asked.some((asked) => asked.path === permissionsPath));
  const texts = () => redisTexts(service.deps.redis);
  const assertNothingKept = async () => {
    assert.equal((await service.deps.redis.keys('tidemark:sent-key:*')).length, 0);
    const user = (await service.deps.signedIn.find(token))!.userId;
    assert.deepEqual(await service.storage.connections.ofUser(user), []);
    assert.equal(await service.storage.accounts.find(user, 'BINANCE'), null);
  };
  const unavailable = { status: 503, type: 'CRITICAL' };

  it('is made by a market worker, and compute nodes let it be', async () => {
    await startTrials();
    const answer = await connect();
    assert.equal(answer.status, 200);
    assert.equal(answer.payload.exchanges[1].exchange, 'BINANCE');
    assert.deepEqual(exchange.asked.map((asked) => asked.path).slice(-2), [
      permissionsPath,
      '/api/v3/account',
    ]);
    assert.equal((await service.deps.redis.keys('tidemark:sent-key:*')).length, 0);
  });

  it('is refused at once where no market worker is, and nothing is sent or stored', async () => {
    const jobs = await service.deps.redis.keys('bull:exchanges:*');
    const answer = await connect();
    assertRefused(answer, unavailable);
    assert.match(answer.payload.message, /no market worker is there/);
    await assertNothingKept();
    assert.deepEqual(await service.deps.redis.keys('bull:exchanges:*'), jobs);
    assert.equal(exchange.asked.length, 0);
  });

  it('ends at its time limit where a market worker does not answer', async () => {
    await announceMute();
    const user = (await service.deps.signedIn.find(token))!;
    const caller = { requestId: 'r', user, address: '', signal: new AbortController().signal, timings: {} };
    const key = { apiKey, secret, passphrase: null };
    await assert.rejects(tryElsewhere(service.deps, caller, 300)('BINANCE', key), {
      code: 'exchange_unavailable',
      message: 'the key could not be tried at BINANCE: it took longer than 0.3 s',
    });
    await assertNothingKept();
  });

  it('is made by another worker when one dies over it', async () => {
    const roleEnv = {
      ...env,
      REDIS_URL: service.redisUrl,
      MONGODB_URL: service.mongodbUrl,
      LOG_LEVEL: 'silent',
    };
    const dying = await RoleChild.start('market', roleEnv);
    open.push({ close: () => dying.kill() });
    hang();
    const answering = connect();
    await askedForPermissions();
    await startTrials();
    await dying.kill();
    exchange.fault = () => undefined;
    const answer = await answering;
    assert.equal(answer.status, 200);
  });

  it('says that it was lost, not that nobody waits, where Redis forgets the key', async () => {
    const { redis } = service.deps;
    await announceMute();
    const answering = connect();
    const waits = async () => (await redis.zcard('bull:exchanges:prioritized')) === 1;
    await until('the trial waits', waits);
    await redis.flushdb();
    await until('it is put in again', waits);
    await startTrials();
    const answer = await answering;
    assertRefused(answer, unavailable);
    assert.match(answer.payload.message, /BINANCE: it was lost on its way; try again in a moment$/);
    await assertNothingKept();
    assert.equal(exchange.asked.length, 0);
  });

  it('stores one connection of several that are asked for at once', async () => {
    await startTrials();
    const answers = await Promise.all(Array.from({ length: 4 }, () => connect()));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409]);
    // Each was a trial of its own: no result of one is another's.
    assert.equal(exchange.asked.filter((asked) => asked.path === permissionsPath).length, 4);
  });

  it('asks again for a key that was tried before: what it may do may have changed', async () => {
    await startTrials();
    assert.equal((await connect()).status, 200);
    await fetch(`${service.url}${path}/BINANCE`, { method: 'DELETE', headers: { 'session-token': token } });
    account.mayWithdraw = true;
    const answer = await connect();
    assertRefused(answer, { status: 400, type: 'INVALID_INPUT_API_KEY', field: 'apiKey' });
    assert.match(answer.payload.message, /may withdraw/);
    await assertNothingKept();
  });

  it('ends when the client leaves, and nothing is stored', async () => {
    const trials = await startTrials();
    hang();
    const leaving = new AbortController();
    const answering = fetch(service.url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'session-token': token },
      body: JSON.stringify(body),
      signal: leaving.signal,
    });
    await askedForPermissions();
    leaving.abort();
    await assert.rejects(answering, { name: 'AbortError' });
    await until('nothing in hand', () => trials.running === 0 && service.deps.queues.callers === 0);
    await until('the key is gone', async () => {
      return (await service.deps.redis.keys('tidemark:sent-key:*')).length === 0;
    });
    await assertNothingKept();
    assert.ok(exchange.asked.every((asked) => asked.path !== '/api/v3/account'));
  });

  it('says so when the market worker cannot open what the gateway has sealed', async () => {
    await startTrials({ SECRETS_KEY: 'ab'.repeat(32), DATA_DIR: '/nowhere' });
    const answer = await connect();
    assertRefused(answer, unavailable);
    assert.match(answer.payload.message, /do not have the same SECRETS_KEY/);
    await assertNothingKept();
    // It is a fault of how the service is set up: an operator finds it, and nothing of the key.
    const [letter] = await until('a letter', async () => {
      const found = await new DeadLetters(service.deps.redis).list('exchanges');
      return found.length > 0 && found;
    });
    assert.equal(letter.error.code, 'secret_unreadable');
    assert.deepEqual(Object.keys(letter.payload as object).sort(), ['exchange', 'ticket', 'userId']);
    await assert.rejects(service.deps.cluster.retry(letter.id, 'operator'), {
      code: 'cancelled',
      message: 'nobody waits any more for this key to be tried',
    });
  });

  it('is refused before anything is sent where the gateway cannot seal', async () => {
    await startTrials();
    const unsealed = await openTestService({
      computeNodes: 0,
      redisUrl: service.redisUrl,
      env: { ...env, DATA_DIR: join(folder, 'secrets.key') },
      log,
    });
    open.push(unsealed);
    const own = await unsealed.signIn();
    const answer = await unsealed.post(path, body, { 'session-token': own });
    assert.deepEqual([answer.status, answer.result.type], [500, 'CRITICAL']);
    assert.equal(exchange.asked.length, 0);
    await assertNothingKept();
  });

  for (const [what, change, message] of [
    ['a key that is not accepted', { apiSecret: 'wrong' }, /BINANCE does not accept this key/],
    ['a key that does not say what it may do', {}, /did not say what the key may do/],
  ] as const)
    it(`refuses ${what}, as the market worker says`, async () => {
      await startTrials();
      account.silent = true;
      const answer = await connect(change);
      assertRefused(answer, { status: 400, type: 'INVALID_INPUT_API_KEY', field: 'apiKey' });
      assert.match(answer.payload.message, message);
      await assertNothingKept();
    });

  it('leaves the key readable nowhere: neither in Redis, while it is tried and after, nor in a log', async () => {
    await startTrials();
    hang();
    const answering = connect();
    await askedForPermissions();
    const during = await texts();
    const sent = during.filter(({ key }) => key.startsWith('tidemark:sent-key:'));
    assert.equal(sent.length, 1);
    const { sealed } = JSON.parse(JSON.parse(sent[0].text) as string) as { sealed: string };
    // Not even sealed does it lie with the job, which has the ticket alone.
    const ticket = sent[0].key.split(':').at(-1)!;
    const jobs = during.filter(({ key, text }) => key.startsWith('bull:exchanges:') && text.includes(ticket));
    assert.equal(jobs.length, 1);
    assert.ok(!jobs[0].text.includes(sealed));
    exchange.fault = () => undefined;
    exchange.accounts.delete(apiKey);
    // The exchange lets go of what it has held.
    await exchange.close();
    await exchange.listen();
    assert.ok([400, 503].includes((await answering).status));
    exchange.accounts.set(apiKey, account);
    await service.deps.redis.del('tidemark:circuit:binance');
    assert.equal((await connect()).status, 200);
    const after = await texts();
    assert.ok(after.every(({ text }) => !text.includes(sealed)));
    const written = JSON.stringify([during, after, lines]);
    assert.ok(lines.some(({ job }) => job === 'try-key'));
    for (const form of [secret, apiKey].flatMap(formsOf)) assert.ok(!written.includes(form), form);
  });

  it('leaves the key in no trace and no log of a process, however much these tell', async () => {
    const collector = await openCollector();
    open.push(collector);
    const roleEnv = {
      ...env,
      REDIS_URL: service.redisUrl,
      MONGODB_URL: service.mongodbUrl,
      LOG_LEVEL: 'trace',
      LEAVE_MS: '0',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    };
    const roles = await Promise.all([
      RoleChild.start('gateway', roleEnv),
      RoleChild.start('market', roleEnv),
    ]);
    for (const role of roles) open.push({ close: () => role.kill() });
    const { url } = roles[0].facts;
    const refused = await ask(url, path, { ...body, apiSecret: `${secret}x` }, token);
    assert.equal(refused.status, 400, refused.payload.message);
    assert.equal((await ask(url, path, body, token)).status, 200);
    await Promise.all(roles.map((role) => role.stop()));
    const told = JSON.stringify([collector.spans, roles.map((role) => role.log)]);
    assert.ok(collector.spans.some(({ name }) => name === 'run try-key'));
    assert.match(roles[1].log, /"job":"try-key"/);
    for (const form of [secret, apiKey].flatMap(formsOf)) assert.ok(!told.includes(form), form);
  });
});
