import assert from 'node:assert/strict';
import type { Redis } from 'ioredis';
import { ResultStore, type ComputedResult } from '../../../jobs/requests/result-store.js';
import { decodeReplies, encodeReply, encodeResult, type Reply } from '../../../jobs/requests/wire.js';
import { connected, openRedis, patient } from '../../../storage/servers/redis.js';
import { freshRedisUrl } from '../../support/servers/servers.js';
import { until } from '../../support/process/until.js';

const texts = ['{"a":1}', '"ä \\n 🙂"', 'line\nbreak', ''];

describe('replies', () => {
  let redis: Redis;
  let listening: Redis;
  before(async () => {
    redis = openRedis(await freshRedisUrl(), patient);
    await connected(redis);
    listening = redis.duplicate();
  });
  after(() => {
    redis.disconnect();
    listening.disconnect();
  });

  it('are what they were when they arrive, whatever stands in them', () => {
    const place = { batch: 'b', index: 3 };
    for (const text of texts)
      assert.deepEqual(decodeReplies(encodeResult(place, { run: 1.5 }, text)), [
        { ...place, kind: 'result', timings: { run: 1.5 }, text },
      ]);
    const error = { code: 'not_enough_history', message: 'a\nb', details: {} } as const;
    assert.deepEqual(decodeReplies(encodeReply({ ...place, kind: 'error', error })), [
      { ...place, kind: 'error', error },
    ]);
  });

  it('of results that are stored at the same moment arrive as one message, each for whoever asked and whoever waits', async () => {
    const store = new ResultStore(redis, 2 ** 20);
    const heard: Record<string, Reply[][]> = { mine: [], other: [] };
    listening.on('message', (channel, message: string) => heard[channel].push(decodeReplies(message)));
    await listening.subscribe('mine', 'other');
    const address = (channel: string, index: number) => ({ channel, position: { batch: channel, index } });
    const claims = texts.map((_, n) => store.claim(`q${n}`, `h${n}`, address('mine', n)));
    assert.deepEqual(await Promise.all(claims), ['mine', 'mine', 'mine', 'mine']);
    assert.equal(await store.claim('q1', 'late', address('other', 7)), 'other');
    await store.sendProgress('q1', { phase: 'fit', fraction: 0.5 });
    const computed = texts.map((text, n): ComputedResult => {
      return {
        id: `q${n}`,
        holder: `h${n}`,
        text,
        keepMs: 1e6,
        address: address('mine', n),
        timings: { run: n },
      };
    });
    await Promise.all(computed.map((each) => store.finish(each)));
    await until('both to hear', () => heard.mine.length > 0 && heard.other.length > 1);
    const mine = texts.map((text, n) => ({
      ...{ batch: 'mine', index: n, kind: 'result', timings: { run: n }, text },
    }));
    assert.deepEqual(heard.mine, [mine]);
    const place = { batch: 'other', index: 7, timings: {} };
    assert.deepEqual(heard.other, [
      [{ ...place, kind: 'progress', progress: { phase: 'fit', fraction: 0.5 } }],
      [{ ...place, kind: 'result', text: texts[1] }],
    ]);
    assert.deepEqual(await store.look(['q0', 'q3', 'none']), [
      { result: texts[0] },
      { result: texts[3] },
      null,
    ]);
  });
});
