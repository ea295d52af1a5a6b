import assert from 'node:assert/strict';
import type { Redis } from 'ioredis';
import { assessRiskJob } from '../../../jobs/definitions/assess-risk.js';
import { backtestJob } from '../../../jobs/definitions/backtest.js';
import { overLimit, type JobRun, type JobTools } from '../../../jobs/job.js';
import { connected, openRedis, patient } from '../../../storage/servers/redis.js';
import { assertRefused } from '../../support/gateway/envelope.js';
import type { TestAnswer, TestService } from '../../support/gateway/gateway.js';
import { logLines } from '../../support/process/log-lines.js';
import { LoopingCounter } from '../../support/jobs/looping-counter.js';
import { openTestMarket } from '../../support/candles/market.js';
import { openMisbehavingNode } from '../../support/jobs/misbehaving-node.js';
import type { TestNode } from '../../support/jobs/test-node.js';
import { tellPool } from '../../support/jobs/misbehaving-pool.js';
import type { Misdeed } from '../../support/jobs/misbehaving-worker.js';
import { OwnServer } from '../../support/servers/own-server.js';
import { openSocket } from '../../support/gateway/raw-http.js';
import { headAt } from '../../support/gateway/raw-requests.js';
import { assertBareRefusal, sendSigned, testSecret, type BareAnswer } from '../../support/gateway/signed.js';
import { until } from '../../support/process/until.js';
import { within } from '../../support/process/within.js';

const backtestPath = '/backend/core-line/backtest';
const env = { AI_API_SECRETS: testSecret };
const riskOf = (query: string) => `/v3/ai/assess_risk?${query}`;

describe('a question whose job cannot be done', () => {
  const { log, lines } = logLines();
  let service: TestService;
  let token: string;
  let node: TestNode;
  /** What the threads of the node do. */
  let misdeed: Misdeed | 'late';

  before(async () => {
    ({ service, token } = await openTestMarket({ env, computeNodes: 0, log }));
    const run = (_payload: unknown, { pool }: JobTools, { signal }: JobRun) => {
      if (misdeed === 'late') throw overLimit('it', 10_000);
      return tellPool(pool, misdeed, signal);
    };
    const jobs = [backtestJob, assessRiskJob].map((job) => ({ ...job, run }));
    node = await openMisbehavingNode(service.redisUrl, jobs);
  });
  after(async () => {
    await node.close();
    await service.close();
  });

  const backtest = () => service.post(backtestPath, { asset: 'BTC' }, { 'session-token': token });
  const risk = () => sendSigned(service, riskOf('coin=ETH'));

  it('is answered with 500 where it breaks, found by its id in the log, and with nothing of the inside', async () => {
    misdeed = { do: 'break' };
    const [inEnvelope, bare] = [await backtest(), await risk()];
    assertRefused(inEnvelope, { status: 500, type: 'CRITICAL' });
    assertBareRefusal(bare, { status: 500, code: 'unexpected' });
    assert.deepEqual(
      [inEnvelope.payload.message, bare.json.error.message],
      Array(2).fill('unexpected error'),
    );
    for (const requestId of [inEnvelope.payload.requestId, bare.json.error.requestId])
      assert.ok(lines.some(({ msg, traceId }) => msg === 'request failed' && traceId === requestId));
  });

  it('is answered with 504 where it takes too long', async () => {
    misdeed = 'late';
    assertRefused(await backtest(), { status: 504, type: 'CRITICAL' });
    assertBareRefusal(await risk(), { status: 504, code: 'time_limit' });
  });

  it('is ended in its thread when the client is gone', async () => {
    const loop = new LoopingCounter();
    misdeed = { do: 'loop', counter: loop.counter };
    const body = '{"asset":"BTC"}';
    const socket = openSocket(service.url);
    socket.write(
      `${headAt(backtestPath)}session-token: ${token}\r\n` + `Content-Length: ${body.length}\r\n\r\n${body}`,
    );
    await loop.started();
    socket.destroy();
    await loop.stopped();
    await until('the line', () =>
      lines.some(({ msg, path, status }) => msg === 'client gone' && path === backtestPath && status === 499),
    );
  });
});

describe('a question where as many wait as may', () => {
  it('is answered with 503 and Retry-After, on both surfaces', async () => {
    const { service, token } = await openTestMarket({ env: { ...env, QUEUE_DEPTH: '1' }, computeNodes: 0 });
    const leaving = new AbortController();
    /** The first answer to questions of which all but those refused wait for ever. */
    const firstOf = async <T>(asked: Promise<T>[]): Promise<T> => {
      for (const each of asked) each.catch(() => undefined);
      return Promise.race(asked);
    };
    try {
      const headers = { 'Content-Type': 'application/json', 'session-token': token };
      const refused = await firstOf(
        [1, 2, 3].map(async (n): Promise<TestAnswer> => {
          const body = JSON.stringify({ asset: 'BTC', feePercent: n / 10 });
          const init = { method: 'POST', headers, body, signal: leaving.signal };
          const answer = await fetch(service.url + backtestPath, init);
          const { result, payload } = (await answer.json()) as Pick<TestAnswer, 'result' | 'payload'>;
          return { status: answer.status, headers: answer.headers, result, payload };
        }),
      );
      assertRefused(refused, { status: 503, type: 'CRITICAL' });
      const sides = ['coin=BTC', 'coin=BTC&trade_side=short', 'coin=ETH', 'coin=ETH&trade_side=short'];
      const bare = await firstOf<BareAnswer>(sides.map((query) => sendSigned(service, riskOf(query))));
      assertBareRefusal(bare, { status: 503, code: 'queue_full' });
      for (const { headers } of [refused, bare]) assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    } finally {
      leaving.abort();
      await service.close();
    }
  });
});

describe('Redis that is full', () => {
  let server: OwnServer;
  let redis: Redis;
  let service: TestService;
  let token: string;

  before(async () => {
    server = await OwnServer.open('redis', { isConfigurable: true });
    redis = openRedis(server.url, patient);
    await connected(redis);
    ({ service, token } = await openTestMarket({ env, redisUrl: server.url }));
  });
  after(async () => {
    redis.disconnect();
    await service.close();
    await server.close();
  });

  it('is told at once and shown by /readyz, light reads go on, and all is well when there is room', async () => {
    const headers = { 'session-token': token };
    let asked = 0;
    const heavy = [
      () => service.post(backtestPath, { asset: 'BTC', feePercent: ++asked / 10 }, headers),
      () => service.post('/backend/core-line/chart', { asset: 'BTC', interval: '4h' }),
      () => service.post('/backend/core-line/flip-intelligence', { asset: 'ETH', interval: '4h' }),
    ];
    const risk = () => sendSigned(service, riskOf('coin=ETH'));
    const ready = async () => {
      const answer = await fetch(`${service.url}/readyz`);
      return { status: answer.status, ...((await answer.json()) as { missing: string[] }) };
    };
    await until('a node', async () => (await ready()).status === 200);
    await redis.config('SET', 'maxmemory', '1');
    for (let time = 0; time < 2; time++) {
      const answers = await within('the answers', Promise.all(heavy.map((ask) => ask())));
      const bare = await within('the answer', risk());
      for (const { status, result, payload } of answers)
        assert.deepEqual([status, result, payload.part], [503, { type: 'CRITICAL' }, 'redis']);
      assertBareRefusal(bare, { status: 503, code: 'redis_unavailable' });
      for (const { headers } of [...answers, bare]) assert.equal(headers.get('retry-after'), '1');
      const { missing } = await until('a check that fails', async () => {
        const answer = await ready();
        return answer.status === 503 && answer;
      });
      assert.deepEqual(missing, ['redis']);
    }
    const positions = await fetch(`${service.url}/backend/activepositions`, { headers });
    assert.equal(positions.status, 200);
    assert.equal((await sendSigned(service, '/v3/ai/get_price?base_asset=BTC')).status, 200);
    await redis.config('SET', 'maxmemory', '0');
    for (const ask of heavy) await until('an answer', async () => (await ask()).status === 200);
    assert.equal((await risk()).status, 200);
    await until('a check that succeeds', async () => (await ready()).status === 200);
  });
});
