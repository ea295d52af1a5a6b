import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import {
  connected,
  failFast,
  openRedis,
  quick,
  type ConnectionKind,
} from '../../../storage/servers/redis.js';
import { freshRedisUrl } from '../../support/servers/servers.js';
import { within } from '../../support/process/within.js';

describe('the time limit of commands to Redis', () => {
  const opened: Redis[] = [];
  after(() => opened.forEach((redis) => redis.disconnect()));
  const open = async (kind: ConnectionKind) => {
    const redis = openRedis(await freshRedisUrl(), kind);
    opened.push(redis);
    await connected(redis);
    return redis;
  };
  const occupy = (ms: number) => {
    const end = performance.now() + ms;
    while (performance.now() < end);
  };

  for (const [name, kind] of Object.entries({ quick, failFast })) {
    it(`fails a command without an answer (${name})`, async () => {
      const redis = await open(kind);
      const started = performance.now();
      const message = `no answer from Redis within ${kind.answerMs} ms`;
      // Redis itself would answer after 60 s.
      await within('the limit', assert.rejects(redis.blpop('nothing', 60), { message }));
      assert.ok(performance.now() - started >= kind.answerMs - 2);
    });

    it(`takes an answer that came while the process was busy for longer than the limit (${name})`, async () => {
      const redis = await open(kind);
      // Redis answers after 50 ms.
      const answer = redis.blpop('nothing', 0.05);
      await nextTurn();
      await nextTurn();
      occupy(kind.answerMs + 100);
      assert.equal(await answer, null);
    });
  }
});
