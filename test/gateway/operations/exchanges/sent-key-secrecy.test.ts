import assert from 'node:assert/strict';
import type { Redis } from 'ioredis';
import { openCollector } from '../../../support/servers/collector.js';
import { apiKey, body, keyTrialRig, path, secret } from '../../../support/gateway/key-trial-rig.js';
import { ask } from '../../../support/process/role-child.js';

const readers: Record<string, (redis: Redis, key: string) => Promise<unknown>> = {
  string: (redis, key) => redis.get(key),
  hash: (redis, key) => redis.hgetall(key),
  list: (redis, key) => redis.lrange(key, 0, -1),
  set: (redis, key) => redis.smembers(key),
  zset: (redis, key) => redis.zrange(key, '0', '-1'),
  stream: (redis, key) => redis.xrange(key, '-', '+'),
};

/** Everything that lies in a Redis database, as text. */
async function redisTexts(redis: Redis): Promise<{ key: string; text: string }[]> {
  const keys = await redis.keys('*');
  return Promise.all(
    keys.map(async (key) => {
      const type = await redis.type(key);
      // What went away meanwhile has nothing to say.
      return { key, text: type === 'none' ? '' : JSON.stringify(await readers[type](redis, key)) };
    }),
  );
}

/** Every form in which a text might be written down. */
const formsOf = (text: string) => [
  text,
  Buffer.from(text).toString('hex'),
  // Where it stands in a longer text, its base64 begins in one of three ways.
  ...[0, 1, 2].map((n) => Buffer.from(text.slice(n)).toString('base64').slice(0, 40)),
];

describe('a key that is tried', function () {
  this.timeout(60_000);
  const rig = keyTrialRig();

  it('is readable nowhere: neither in Redis, while it is tried and after, nor in a log', async () => {
    await rig.startTrials();
    rig.hang();
    const answering = rig.connect();
    await rig.askedForPermissions();
    const during = await redisTexts(rig.service.deps.redis);
    const sent = during.filter(({ key }) => key.startsWith('tidemark:sent-key:'));
    assert.equal(sent.length, 1);
    const { sealed } = JSON.parse(JSON.parse(sent[0].text) as string) as { sealed: string };
    // Not even sealed does it lie with the job, which has the ticket alone.
    const ticket = sent[0].key.split(':').at(-1)!;
    const jobs = during.filter(({ key, text }) => key.startsWith('bull:exchanges:') && text.includes(ticket));
    assert.equal(jobs.length, 1);
    assert.ok(!jobs[0].text.includes(sealed));
    rig.exchange.fault = () => undefined;
    rig.exchange.accounts.delete(apiKey);
    // The exchange lets go of what it has held.
    await rig.exchange.close();
    await rig.exchange.listen();
    assert.ok([400, 503].includes((await answering).status));
    rig.exchange.accounts.set(apiKey, rig.account);
    await rig.service.deps.redis.del('tidemark:circuit:binance', 'tidemark:circuit:binance-sapi');
    assert.equal((await rig.connect()).status, 200);
    const after = await redisTexts(rig.service.deps.redis);
    assert.ok(after.every(({ text }) => !text.includes(sealed)));
    const written = JSON.stringify([during, after, rig.lines]);
    assert.ok(rig.lines.some(({ job }) => job === 'try-key'));
    for (const form of [secret, apiKey].flatMap(formsOf)) assert.ok(!written.includes(form), form);
  });

  it('is in no trace and no log of a process, however much these tell', async () => {
    const collector = await openCollector();
    rig.closeLater(collector);
    const more = { LOG_LEVEL: 'trace', LEAVE_MS: '0', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    const roles = await Promise.all([rig.startRole('gateway', more), rig.startRole('market', more)]);
    const { url } = roles[0].facts;
    const refused = await ask(url, path, { ...body, apiSecret: `${secret}x` }, rig.token);
    assert.equal(refused.status, 400, refused.payload.message);
    assert.equal((await ask(url, path, body, rig.token)).status, 200);
    await Promise.all(roles.map((role) => role.stop()));
    const told = JSON.stringify([collector.spans, roles.map((role) => role.log)]);
    assert.ok(collector.spans.some(({ name }) => name === 'run try-key'));
    assert.match(roles[1].log, /"job":"try-key"/);
    for (const form of [secret, apiKey].flatMap(formsOf)) assert.ok(!told.includes(form), form);
  });
});
