import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import { SecretBox } from '../../../storage/accounts/secret-box.js';
import { connected, failFast, openRedis } from '../../../storage/servers/redis.js';
import { isHaltedBy } from '../../../storage/signals/halts.js';
import { dueNever, mostFaults } from '../../../storage/signals/step-fault.js';
import { temporaryFolder } from '../../support/process/temporary-folder.js';
import { freshRedisUrl } from '../../support/servers/servers.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';
import { makeStoredExecution } from '../../support/signals/make-stored-execution.js';
import { newSubscription } from '../../support/signals/new-subscription.js';
import { newSignal } from '../../support/signals/signal-terms.js';
import { adminCommands } from './run-admin.js';

describe('admin commands for signals', function () {
  this.timeout(60_000);

  const context = temporaryStorage();
  const box = new SecretBox([randomBytes(32)]);
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

  const run = (...args: string[]) =>
    runCommand(args, {
      folder: folder.path,
      env: { REDIS_URL: redisUrl, MONGODB_URL: context.url, MARKET: 'csv' },
    });
  const json = async <T>(...args: string[]): Promise<T> =>
    JSON.parse((await run(...args, '--json')).stdout) as T;
  const failure = async (...args: string[]) => (await run(...args)).stderr;

  it('add and list channels with defaults', async () => {
    await context.storage.partners.add('Alpha', box);
    const added = await json<{ id: string; defaults: object }>(
      ...[
        'channel',
        'add',
        '--partner',
        'Alpha',
        '--name',
        'Majors',
        '--targets',
        '5,10',
        '--trailing-stop',
        '4',
      ],
      ...['--sides', 'long'],
    );
    assert.deepEqual(added.defaults, {
      ...{ targetPercents: ['5', '10'], stopLossPercent: null, trailingStopPercent: '4', sides: ['long'] },
    });
    const listed = await json<{ id: string; partner: string; name: string }[]>('channel', 'list');
    assert.deepEqual(
      listed.map(({ id, partner, name }) => [id, partner, name]),
      [[added.id, 'Alpha', 'Majors']],
    );
    assert.match((await run('channel', 'list')).stdout, /^id +partner +channel +created\n/);
    const twice = ['channel', 'add', '--partner', 'Alpha', '--name', 'Majors'];
    assert.equal(await failure(...twice), 'error: the partner has a channel "Majors" already\n');
    assert.equal(
      await failure('channel', 'add', '--partner', 'Beta', '--name', 'x'),
      'error: there is no partner "Beta"\n',
    );
    for (const targets of ['10,5', '0', '5,5', 'x', '1,2,3,4,5,6,7'])
      assert.match(await failure(...twice, '--targets', targets), /^error: --targets must be/);
  });

  it('bind a key to addresses and a channel', async () => {
    const { key } = await context.storage.partners.add('Gamma', box);
    const channel = await json<{ id: string }>('channel', 'add', '--partner', 'Gamma', '--name', 'Alts');
    const from = '192.0.2.0/24,2001:db8::1';
    assert.equal((await run('partner', 'allow', '--key', key, '--from', from)).code, 0);
    assert.equal(
      (await run('partner', 'bind', '--name', 'Gamma', '--key', key, '--channel', 'Alts')).code,
      0,
    );
    const [bound] = (await context.storage.partners.named('Gamma'))!.keys;
    assert.deepEqual([bound.addresses, bound.channelId], [from.split(','), channel.id]);
    assert.equal((await run('partner', 'allow', '--key', key, '--from', 'anywhere')).code, 0);
    assert.deepEqual((await context.storage.partners.named('Gamma'))!.keys[0].addresses, []);
    for (const wrong of ['192.0.2.300', '192.0.2.0/33', 'host', ''])
      assert.match(
        await failure('partner', 'allow', '--key', key, '--from', wrong),
        /^error: --from must/,
        wrong,
      );
    assert.equal(
      await failure('partner', 'bind', '--name', 'Alpha', '--key', key, '--channel', 'Majors'),
      `error: no partner has key "${key}"\n`,
    );
  });

  it('list subscriptions and signals, and show a signal', async () => {
    const { storage } = context;
    const partner = (await storage.partners.named('Alpha'))!;
    const channel = (await storage.channels.first(partner.id))!;
    const user = await storage.users.add({ email: 'ada@example.com', plan: 'free', passwordHash: 'x' });
    const { id } = await storage.subscriptions.add(newSubscription(user.id, channel.id));
    const listed = await json<{ id: string; email: string; channel: string }[]>('subscription', 'list');
    assert.deepEqual(
      listed.map((each) => [each.id, each.email, each.channel]),
      [[id, 'ada@example.com', 'Majors']],
    );
    const signal = await storage.signals.add(newSignal(partner.id, { channelId: channel.id }));
    assert.ok(typeof signal === 'object');
    await storage.executions.addAll([makeStoredExecution({ signalId: signal.id, status: 'open' })]);
    const [found] = await json<{ id: string; pair: string; executions: object }[]>(
      'signal',
      'list',
      '--partner',
      'Alpha',
    );
    assert.deepEqual([found.id, found.pair, found.executions], [signal.id, 'BTC/USDT', { open: 1 }]);
    const shown = await json<{ terms: object; events: { type: string }[] }>(
      'signal',
      'show',
      '--id',
      signal.id,
    );
    assert.deepEqual([shown.terms, shown.events[0].type], [signal.terms, 'created']);
    assert.match(
      (await run('signal', 'show', '--id', signal.id)).stdout,
      /^BTC\/USDT long of Alpha, active\n/,
    );
    assert.equal(await failure('signal', 'show', '--id', 'x'), 'error: there is no signal "x"\n');
  });

  it('list what has failed and waits for an operator, and try it again', async () => {
    const { storage } = context;
    const fault = { message: 'it broke', count: mostFaults, at: new Date(1_000) };
    const execution = makeStoredExecution({ fault, dueAt: dueNever });
    const once = makeStoredExecution({ fault: { ...fault, count: 1 }, dueAt: new Date() });
    await storage.executions.addAll([execution, once]);
    const signal = await storage.signals.add(newSignal('of a fault'));
    assert.ok(signal !== 'key_reused');
    await storage.signals.fail(signal, { fault, dueAt: dueNever });
    const shown = { message: 'it broke', failures: mostFaults, at: new Date(1_000).toISOString() };
    const { id, signalId, userId } = execution;
    const both = [
      { what: 'delivery', id: signal.id, signal: signal.id, user: null, ...shown },
      { what: 'execution', id, signal: signalId, user: userId, ...shown },
    ];
    assert.deepEqual(await json('signal', 'faults'), both);
    assert.match((await run('signal', 'faults')).stdout, /it broke/);
    for (const each of both) assert.equal((await run('signal', 'retry', '--id', each.id)).code, 0);
    assert.equal((await run('signal', 'faults')).stdout, 'no delivery or execution waits for an operator\n');
    const [again] = await storage.executions.ofIds([id]);
    assert.deepEqual([again.fault?.count, again.dueAt! <= new Date()], [0, true]);
    assert.deepEqual((await storage.signals.due(Date.now(), 1, 'of a fault'))[0].id, signal.id);
    assert.equal(
      await failure('signal', 'retry', '--id', 'x'),
      'error: nothing with the id "x" has failed; see "signal faults"\n',
    );
  });

  it('remove no user whose signals are executed on a real exchange, unless the positions are given up', async () => {
    const { storage } = context;
    const email = 'bob@example.com';
    const { id: userId } = await storage.users.add({ email, plan: 'free', passwordHash: 'x' });
    const [live, paper] = ['BINANCE', 'PAPER'].map((exchange) => makeStoredExecution({ userId, exchange }));
    await storage.executions.addAll([live, paper]);
    assert.match(
      await failure('user', 'remove', '--email', email),
      /^error: signals that are still executed on BINANCE: 1, .* --abandon-positions yes leaves them/,
    );
    assert.equal((await storage.executions.ofIds([live.id, paper.id])).length, 2);
    const removed = await run('user', 'remove', '--email', email, '--abandon-positions', 'yes');
    assert.equal(removed.stdout, `removed user ${email}\n`);
    assert.deepEqual(await storage.executions.ofIds([live.id, paper.id]), []);
  });

  it('say what goes on of a removed partner, and halt it by its id', async () => {
    const { storage } = context;
    await storage.partners.add('Gone', box);
    const { id: partnerId } = (await storage.partners.named('Gone'))!;
    await storage.executions.addAll([makeStoredExecution({ partnerId })]);
    await run('trading', 'halt', '--partner', 'Gone');
    assert.equal(
      (await run('partner', 'remove', '--name', 'Gone')).stdout,
      `removed partner Gone\n1 execution of its signals goes on; trading halt --partner ${partnerId} halts new entries\n`,
    );
    assert.match(
      await failure('trading', 'resume', '--partner', 'Gone'),
      /^error: there is no partner "Gone"/,
    );
    const resumed = await json<{ changed: boolean; executions: number }>(
      ...['trading', 'resume', '--partner', partnerId],
    );
    assert.deepEqual([resumed.changed, resumed.executions], [true, 1]);
    assert.deepEqual(await storage.halts.list(), []);
    assert.equal((await run('signal', 'list', '--partner', partnerId)).code, 0);
  });

  it('halt and resume new entries, of all, of an exchange or of a partner, and tell the executions', async () => {
    const { storage } = context;
    const partnerId = (await storage.partners.named('Alpha'))!.id;
    const [own, other] = [makeStoredExecution({ partnerId }), makeStoredExecution({ partnerId: 'another' })];
    await storage.executions.addAll([own, other]);
    const revisions = async () => {
      const found = await storage.executions.ofIds([own.id, other.id]);
      return [own, other].map(({ id }) => found.find((each) => each.id === id)!.revision);
    };
    const halted = await json<{ changed: boolean; executions: number }>(
      'trading',
      'halt',
      '--partner',
      'Alpha',
    );
    assert.deepEqual([halted.changed, halted.executions], [true, 1]);
    assert.deepEqual(await revisions(), [1, 0]);
    const paper = { exchange: 'PAPER', channelId: 'any' };
    const halts = await storage.halts.list();
    assert.deepEqual(
      [isHaltedBy(halts, { ...paper, partnerId }), isHaltedBy(halts, { ...paper, partnerId: 'another' })],
      [true, false],
    );
    assert.equal((await run('trading', 'halt', '--exchange', 'PAPER')).code, 0);
    assert.equal(isHaltedBy(await storage.halts.list(), { ...paper, partnerId: 'another' }), true);
    assert.equal(
      isHaltedBy(await storage.halts.list(), { ...paper, exchange: 'BINANCE', partnerId: 'another' }),
      false,
    );
    assert.match((await run('trading', 'resume')).stdout, /^there is no halt everywhere\n/);
    for (const scope of [
      ['--partner', 'Alpha'],
      ['--exchange', 'PAPER'],
    ])
      assert.equal((await json<{ changed: boolean }>('trading', 'resume', ...scope)).changed, true);
    assert.deepEqual(await storage.halts.list(), []);
    assert.deepEqual(await revisions(), [4, 2]);
    assert.match(await failure('trading', 'halt', '--exchange', 'NOPE'), /must be one of PAPER/);
  });

  it('halt and resume one channel, and list what is halted and why', async () => {
    const { storage } = context;
    const partnerId = (await storage.partners.named('Alpha'))!.id;
    const channel = await storage.channels.add({ partnerId, name: 'Churning' });
    const of = { exchange: 'PAPER', partnerId };
    assert.equal((await run('trading', 'list')).stdout, 'nothing is halted\n');
    const scope = { exchange: null, partnerId, channelId: channel.id };
    assert.equal(await storage.halts.add({ ...scope, cause: 'it churns' }), true);
    assert.equal(await storage.halts.add({ ...scope, cause: 'another reason' }), false);
    const halts = await storage.halts.list();
    assert.deepEqual(
      [channel.id, 'another'].map((channelId) => isHaltedBy(halts, { ...of, channelId })),
      [true, false],
    );
    assert.match((await run('trading', 'list')).stdout, new RegExp(`${channel.id} .* it churns`));
    const resumed = await run('trading', 'resume', '--channel', channel.id);
    assert.match(resumed.stdout, /^new entries of channel Churning: resumed; 0 executions are told\n/);
    assert.ok((await storage.channels.find(channel.id))!.resumedAt);
    assert.match(await failure('trading', 'halt', '--channel', 'nope'), /there is no channel "nope"/);
  });

  it('list orders of unknown origin of every user', async () => {
    assert.equal((await run('trading', 'foreign')).stdout, 'there are no such orders\n');
    const seenAt = new Date();
    const order = { clientOrderId: 'web-1', account: 'SPOT' as const, pair: 'BTC/USDT', hasOwnId: false };
    await context.storage.foreignOrders.put({ userId: 'u1', exchange: 'BINANCE', orders: [order], seenAt });
    const old = {
      userId: 'u2',
      exchange: 'BINANCE',
      orders: [order],
      seenAt: new Date(Date.now() - 7_300_000),
    };
    await context.storage.foreignOrders.put(old);
    assert.deepEqual(await json('trading', 'foreign'), [
      { userId: 'u1', exchange: 'BINANCE', ...order, seenAt: seenAt.toISOString() },
    ]);
    assert.match((await run('trading', 'foreign')).stdout, /u1 +BINANCE +SPOT +BTC\/USDT +web-1 +no /);
  });
});
