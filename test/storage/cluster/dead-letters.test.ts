import assert from 'node:assert/strict';
import { DeadLetters, type JobFailure } from '../../../storage/cluster/dead-letters.js';
import { connected, openRedis, patient } from '../../../storage/servers/redis.js';
import { OwnServer } from '../../support/servers/own-server.js';
import { temporaryRedis } from '../../support/servers/temporary-redis.js';

const failure = (n: number, more: Partial<JobFailure> = {}): JobFailure => ({
  id: `id${n}`,
  queue: 'analysis',
  name: 'trend',
  payload: { key: { base: 'BTC' }, n },
  error: { code: 'unexpected', message: `failed ${n}`, stack: null },
  traceId: `trace ${n}`,
  attempts: 1,
  node: 'host:1',
  ...more,
});

describe('dead letters', () => {
  const context = temporaryRedis();
  let letters: DeadLetters;
  before(() => (letters = new DeadLetters(context.redis)));
  afterEach(() => letters.dropAll());
  const ids = async (queue?: string) => (await letters.list(queue)).map(({ id }) => id).sort();

  it('are kept with what was asked and why it failed', async () => {
    await letters.add(failure(1));
    const { at, ...letter } = (await letters.find('id1'))!;
    assert.deepEqual(letter, { ...failure(1), complete: true, times: 1 });
    assert.ok(Math.abs(Date.now() - Date.parse(at)) < 60_000);
    assert.equal(await letters.find('id2'), null);
  });

  it('count how often the same question has failed, and keep its last failure', async () => {
    for (const n of [1, 1, 1]) await letters.add(failure(n));
    await letters.add(failure(1, { traceId: 'last' }));
    const all = await letters.list();
    assert.deepEqual(
      all.map(({ times, traceId }) => [times, traceId]),
      [[4, 'last']],
    );
  });

  it('are listed by queue, dropped by id and all together', async () => {
    await letters.add(failure(1));
    await letters.add(failure(2, { queue: 'scan' }));
    await letters.add(failure(3, { queue: 'scan' }));
    assert.deepEqual([await ids('scan'), await ids('analysis')], [['id2', 'id3'], ['id1']]);
    assert.deepEqual([await letters.drop('id2'), await letters.drop('id2')], [true, false]);
    assert.deepEqual(await ids(), ['id1', 'id3']);
    assert.equal(await letters.dropAll(), 2);
    assert.deepEqual(await context.redis.keys('tidemark:dead*'), []);
  });

  it('are the last 200 of a queue, and none of another goes for them', async () => {
    await letters.add(failure(0, { queue: 'scan' }));
    for (let n = 1; n <= 205; n++) await letters.add(failure(n));
    const [first] = await ids('scan');
    assert.equal(first, 'id0');
    assert.equal((await letters.list('analysis')).length, 200);
    assert.equal(await letters.find('id205').then((letter) => letter?.id), 'id205');
  });

  it('are kept for two weeks', async () => {
    await letters.add(failure(1));
    const longAgo = Date.now() - 14 * 86_400_000 - 1_000;
    await context.redis.zadd('tidemark:dead:analysis', longAgo, 'id1');
    const [, rest] = /^\d+( .*)$/.exec((await context.redis.hget('tidemark:dead', 'id1'))!)!;
    await letters.add(failure(2));
    assert.deepEqual(await ids(), ['id2']);
    await context.redis.hset('tidemark:dead', 'id1', `${longAgo}${rest}`);
    assert.equal(await letters.dropAll('old'), 1);
    assert.deepEqual(await ids(), ['id2']);
  });

  it('hold no secret, and say that they cannot run again without it', async () => {
    const stack = 'Error: redis://:geheim@host\n at x';
    const error = { code: 'unexpected', message: 'password=geheim', stack } as const;
    await letters.add(failure(1, { payload: { apiKey: 'geheim', base: 'BTC' }, error }));
    assert.ok(!(await context.redis.hget('tidemark:dead', 'id1'))!.includes('geheim'));
    const { complete, payload } = (await letters.find('id1'))!;
    assert.deepEqual([complete, payload], [false, { apiKey: '[redacted]', base: 'BTC' }]);
  });

  it('hold no payload, message or stack of any length', async () => {
    const long = 'x'.repeat(40_000);
    const error = { code: 'unexpected', message: long, stack: long } as const;
    await letters.add(failure(1, { payload: { long }, error }));
    const letter = (await letters.find('id1'))!;
    assert.deepEqual(
      [letter.payload, letter.complete, letter.error.message.length, letter.error.stack?.length],
      [null, false, 1_000, 4_000],
    );
  });

  it('survive a Redis that is killed', async function () {
    this.timeout(30_000);
    const server = await OwnServer.open('redis');
    const open = async () => {
      const redis = openRedis(server.url, patient);
      await connected(redis);
      return redis;
    };
    const before = await open();
    await new DeadLetters(before).add(failure(1));
    before.disconnect();
    await server.kill();
    await server.start();
    const after = await open();
    assert.equal((await new DeadLetters(after).list())[0].id, 'id1');
    after.disconnect();
    await server.close();
  });
});
