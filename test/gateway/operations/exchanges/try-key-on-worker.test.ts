import assert from 'node:assert/strict';
import { join } from 'node:path';
import { tryKeyOnWorker } from '../../../../gateway/operations/exchanges/try-key-on-worker.js';
import { DeadLetters } from '../../../../storage/cluster/dead-letters.js';
import { removeUser } from '../../../../storage/users/remove-user.js';
import { announceNode } from '../../../../storage/cluster/nodes.js';
import { assertRefused } from '../../../support/gateway/envelope.js';
import { openTestService } from '../../../support/gateway/gateway.js';
import {
  apiKey,
  body,
  keyTrialRig,
  path,
  permissionsPath,
  secret,
} from '../../../support/gateway/key-trial-rig.js';
import { until } from '../../../support/process/until.js';

const unavailable = { status: 503, type: 'CRITICAL' };

describe('the trial of a key', function () {
  this.timeout(60_000);
  const rig = keyTrialRig();

  /** A market worker that is known and takes nothing. */
  const announceMute = async () => {
    const { redis, cluster } = rig.service.deps;
    const mute = announceNode(redis, 'market', () => ({ threads: null, busy: null, running: 0 }));
    rig.closeLater({ close: () => mute.stop() });
    await until('the market worker is known', async () =>
      (await cluster.nodes()).some(({ role }) => role === 'market'),
    );
  };

  it('is made by a market worker, and compute nodes let it be', async () => {
    await rig.startTrials();
    const answer = await rig.connect();
    assert.equal(answer.status, 200);
    assert.equal(answer.payload.exchanges[1].exchange, 'BINANCE');
    assert.deepEqual(rig.exchange.asked.map((asked) => asked.path).slice(-3), [
      permissionsPath,
      '/api/v3/account',
      '/api/v3/account',
    ]);
    assert.equal(await rig.sentKeys(), 0);
  });

  it('is not made for a key with control characters, so that no user can close the exchange for the others', async () => {
    await rig.startTrials();
    const text = 'must be printable ASCII in one line';
    const refused = [
      ['apiKey', 'INVALID_INPUT_API_KEY', text],
      ['apiSecret', 'INVALID_INPUT_API_SECRET', `${text}, or a private key in PEM form`],
      ['passphrase', 'INVALID_INPUT_PASSPHRASE', text],
    ] as const;
    for (const [field, type, what] of refused)
      for (const bad of ['abc\ndef', 'abc\r\nx-other: 1', 'abc\tdef', '\0abc', 'abc\u0085', '\u2028']) {
        const answer = await rig.connect({ [field]: bad });
        assertRefused(answer, { status: 400, type, field });
        assert.equal(answer.payload.message, `"${field}" ${what}`);
      }
    assert.deepEqual([rig.exchange.asked.length, await rig.sentKeys()], [0, 0]);
    assert.equal(await rig.service.deps.redis.exists('tidemark:circuit:binance'), 0);
    assert.equal((await rig.connect()).status, 200);
  });

  it('waits for the pause that the exchange asked for this key, and others are tried', async () => {
    await rig.startTrials();
    rig.exchange.fault = (asked) =>
      asked.path === permissionsPath && asked.apiKey === apiKey
        ? {
            kind: 'status',
            status: 429,
            retryAfter: '30',
            headers: { 'X-SAPI-USED-UID-WEIGHT-1M': '180001' },
          }
        : undefined;
    const answer = await rig.connect();
    assertRefused(answer, unavailable);
    assert.match(answer.payload.message, /with this key to binance are paused for 30 s/);
    rig.exchange.fault = () => undefined;
    const asked = rig.exchange.asked.length;
    assertRefused(await rig.connect(), unavailable);
    assert.equal(rig.exchange.asked.length, asked);
    const other = 'o'.repeat(64);
    rig.exchange.accounts.set(other, rig.account);
    assert.equal((await rig.connect({ apiKey: other })).status, 200);
  });

  it('is refused at once where no market worker is, and nothing is sent or stored', async () => {
    const jobs = await rig.service.deps.redis.keys('bull:exchanges:*-*-*');
    const answer = await rig.connect();
    assertRefused(answer, unavailable);
    assert.match(answer.payload.message, /no market worker is running/);
    await rig.assertNothingKept();
    const more = await rig.service.deps.redis.keys('bull:exchanges:*-*-*');
    assert.deepEqual(
      more.filter((job) => !jobs.includes(job)),
      [],
    );
    assert.equal(rig.exchange.asked.length, 0);
  });

  it('ends at its time limit where a market worker does not answer', async () => {
    await announceMute();
    const user = (await rig.service.deps.signedIn.find(rig.token))!;
    const caller = {
      requestId: 'r',
      user,
      address: '',
      client: '',
      signal: new AbortController().signal,
      timings: {},
    };
    const key = { apiKey, secret, passphrase: null };
    await assert.rejects(tryKeyOnWorker(rig.service.deps, caller, 300)('BINANCE', key), {
      code: 'exchange_unavailable',
      message: 'the key could not be tried at BINANCE: it took longer than 0.3 s',
    });
    await rig.assertNothingKept();
  });

  it('is made by another worker when one dies over it', async () => {
    const dying = await rig.startRole('market', { LOG_LEVEL: 'silent' });
    rig.hang();
    const answering = rig.connect();
    await rig.askedForPermissions();
    await rig.startTrials();
    await dying.kill();
    rig.exchange.fault = () => undefined;
    const answer = await answering;
    assert.equal(answer.status, 200);
  });

  it('says that it was lost, not that nobody waits, where Redis forgets the key', async () => {
    const { redis } = rig.service.deps;
    await announceMute();
    const answering = rig.connect();
    const waits = async () => (await redis.zcard('bull:exchanges:prioritized')) === 1;
    await until('the trial waits', waits);
    await redis.flushdb();
    await until('it is put in again', waits);
    await rig.startTrials();
    const answer = await answering;
    assertRefused(answer, unavailable);
    assert.match(answer.payload.message, /BINANCE: the key was lost on the way; try again in a moment$/);
    await rig.assertNothingKept();
    assert.equal(rig.exchange.asked.length, 0);
  });

  it('stores one connection of several that are asked for at once', async () => {
    await rig.startTrials();
    const answers = await Promise.all(Array.from({ length: 4 }, () => rig.connect()));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409]);
    // Each was a trial of its own: no result of one is another's.
    assert.equal(rig.exchange.asked.filter((asked) => asked.path === permissionsPath).length, 4);
  });

  it('stores no key of a user who is removed meanwhile', async () => {
    await rig.startTrials();
    const { deps, storage } = rig.service;
    const { userId } = (await deps.signedIn.find(rig.token))!;
    let goOn: () => void = () => undefined;
    const removed = new Promise<void>((resolve) => (goOn = resolve));
    rig.exchange.fault = ({ path: asked }) =>
      asked === permissionsPath ? { kind: 'held', until: removed } : undefined;
    const answering = rig.connect();
    await rig.askedForPermissions();
    await removeUser(storage, userId);
    goOn();
    assertRefused(await answering, { status: 401, type: 'UNAUTHORIZED' });
    assert.deepEqual(await storage.connections.ofUser(userId), []);
    assert.equal(await storage.accounts.find(userId, 'BINANCE'), null);
  });

  it('asks again for a key that was tried before: what it may do may have changed', async () => {
    await rig.startTrials();
    assert.equal((await rig.connect()).status, 200);
    await fetch(`${rig.service.url}${path}/BINANCE`, {
      method: 'DELETE',
      headers: { 'session-token': rig.token },
    });
    rig.account.setup.mayWithdraw = true;
    const answer = await rig.connect();
    assertRefused(answer, { status: 400, type: 'INVALID_INPUT_API_KEY', field: 'apiKey' });
    assert.match(answer.payload.message, /may withdraw/);
    await rig.assertNothingKept();
  });

  it('ends when the client leaves, and nothing is stored', async () => {
    const trials = await rig.startTrials();
    rig.hang();
    const leaving = new AbortController();
    const answering = fetch(rig.service.url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'session-token': rig.token },
      body: JSON.stringify(body),
      signal: leaving.signal,
    });
    await rig.askedForPermissions();
    leaving.abort();
    await assert.rejects(answering, { name: 'AbortError' });
    await until('nothing in hand', () => trials.running === 0 && rig.service.deps.queues.waiterCount === 0);
    await until('the key is gone', async () => (await rig.sentKeys()) === 0);
    await rig.assertNothingKept();
    assert.ok(rig.exchange.asked.every((asked) => asked.path !== '/api/v3/account'));
  });

  it('says so when the market worker cannot open what the gateway has sealed', async () => {
    await rig.startTrials({ SECRETS_KEY: 'ab'.repeat(32), DATA_DIR: '/nowhere' });
    const answer = await rig.connect();
    assertRefused(answer, unavailable);
    assert.match(answer.payload.message, /do not have the same SECRETS_KEY/);
    await rig.assertNothingKept();
    // It is a fault of how the service is set up: an operator finds it, and nothing of the key.
    const [letter] = await until('a letter', async () => {
      const found = await new DeadLetters(rig.service.deps.redis).list('exchanges');
      return found.length > 0 && found;
    });
    assert.equal(letter.error.code, 'secret_unreadable');
    assert.deepEqual(Object.keys(letter.payload as object).sort(), ['exchange', 'ticket', 'userId']);
    await assert.rejects(rig.service.deps.cluster.retry(letter.id, 'operator'), {
      code: 'cancelled',
      message: 'the request to test this key has ended',
    });
  });

  it('is refused before anything is sent where the gateway cannot seal', async () => {
    await rig.startTrials();
    const unsealed = await openTestService({
      computeNodes: 0,
      redisUrl: rig.service.redisUrl,
      env: { ...rig.env, DATA_DIR: join(rig.folder, 'secrets.key') },
      log: rig.log,
    });
    rig.closeLater(unsealed);
    const own = await unsealed.signIn();
    const answer = await unsealed.post(path, body, { 'session-token': own });
    assert.deepEqual([answer.status, answer.result.type], [500, 'CRITICAL']);
    assert.equal(rig.exchange.asked.length, 0);
    await rig.assertNothingKept();
  });

  for (const [what, change, message] of [
    ['a key that is not accepted', { apiSecret: 'wrong' }, /BINANCE does not accept this key/],
    ['a key that does not say what it may do', {}, /did not say what the key may do/],
  ] as const)
    it(`refuses ${what}, as the market worker says`, async () => {
      await rig.startTrials();
      rig.account.setup.isSilent = true;
      const answer = await rig.connect(change);
      assertRefused(answer, { status: 400, type: 'INVALID_INPUT_API_KEY', field: 'apiKey' });
      assert.match(answer.payload.message, message);
      await rig.assertNothingKept();
    });
});
