import assert from 'node:assert/strict';
import { momentumAnalysis } from '../../../compute/market/momentum-analysis.js';
import { analysisJob } from '../../../jobs/definitions/shared/analysis-job.js';
import { openTestMarket } from '../../support/candles/market.js';
import { openTestService, type TestService } from '../../support/gateway/gateway.js';
import { openHeldNode, type HeldNode } from '../../support/jobs/held-node.js';
import { connectMcp } from '../../support/mcp/mcp-client.js';
import { cancellation, openMcpSession, postMcp, toolCall } from '../../support/mcp/post-mcp.js';
import { until } from '../../support/process/until.js';

/** A call that takes as long as the node holds its job. */
const longCall = (id: number) => toolCall('get_momentum_reading', { asset: 'BTC' }, id);

describe('a call of a tool that is cancelled', () => {
  let service: TestService;
  let other: TestService;
  let node: HeldNode;
  let token: string;

  before(async () => {
    ({ service, token } = await openTestMarket({ computeNodes: 0 }));
    // Another gateway over the same Redis.
    other = await openTestService({ computeNodes: 0, redisUrl: service.redisUrl });
  });
  beforeEach(async () => (node = await openHeldNode(service.redisUrl, analysisJob(momentumAnalysis))));
  afterEach(() => node.close());
  after(async () => {
    await other.close();
    await service.close();
  });

  /** Resolves when the job of the call has ended, which the node holds until it is cancelled. */
  const ended = () =>
    until('the job to end', () => node.ended === 1 && service.deps.queues.waiterCount === 0);
  const isRunning = () => until('the job to run', () => node.started === 1);

  for (const [place, urlOf] of [
    ['its gateway', () => service.url],
    ['another gateway', () => other.url],
  ] as const) {
    it(`ends its job when ${place} is told`, async () => {
      const headers = { 'mcp-session-id': await openMcpSession(service.url) };
      const call = postMcp(service.url, longCall(7), headers);
      await isRunning();
      const told = postMcp(urlOf(), cancellation(7), headers);
      await ended();
      assert.equal((await told).status, 202);
      assert.equal((await call).body.result.structuredContent.error.code, 'cancelled');
    });
  }

  it('ends its job when the client disconnects', async () => {
    for (const progressToken of [undefined, 'token']) {
      const leaving = new AbortController();
      const message = longCall(1);
      const sent = { ...message, params: { ...message.params, _meta: { progressToken } } };
      const call = postMcp(service.url, sent, {}, { signal: leaving.signal });
      await until('the job to run', () => node.started > node.ended);
      leaving.abort();
      await assert.rejects(call, { name: 'AbortError' });
      await ended();
      node.ended = node.started = 0;
    }
  });

  for (const mode of ['legacy', { pin: '2026-07-28' }] as const) {
    it(`ends its job when the TypeScript client aborts it (${JSON.stringify(mode)})`, async () => {
      const { client, close } = await connectMcp(service.url, {}, '', { versionNegotiation: { mode } });
      const leaving = new AbortController();
      const params = { name: 'get_momentum_reading', arguments: { asset: 'BTC' } };
      const call = client.callTool(params, { signal: leaving.signal });
      await isRunning();
      leaving.abort();
      await assert.rejects(call);
      await ended();
      await close();
    });
  }

  it('is ended by no one else, whatever id they name', async () => {
    const headers = { 'mcp-session-id': await openMcpSession(service.url) };
    const call = postMcp(service.url, longCall(1), headers);
    await isRunning();
    const others = [
      {},
      { 'mcp-session-id': await openMcpSession(service.url) },
      { 'session-token': token },
      { 'session-token': token, ...headers },
      { 'session-token': token, 'mcp-session-id': await openMcpSession(service.url) },
    ];
    for (const foreign of others)
      assert.equal((await postMcp(service.url, cancellation(1), foreign)).status, 202);
    // What has its own session ends after all of those were handled.
    await postMcp(service.url, cancellation(2), headers);
    assert.deepEqual([node.started, node.ended, service.deps.queues.waiterCount], [1, 0, 1]);
    node.fail();
    assert.equal((await call).status, 200);
  });

  it('without a session is ended by no cancellation: clients of one address use the same ids', async () => {
    const call = postMcp(service.url, longCall(1));
    await isRunning();
    assert.equal((await postMcp(service.url, cancellation(1))).status, 202);
    assert.deepEqual([node.started, node.ended], [1, 0]);
    node.fail();
    assert.equal((await call).status, 200);
  });

  it('of two callers goes on for the other', async () => {
    const [first, second] = [await openMcpSession(service.url), await openMcpSession(service.url)];
    const calls = [first, second].map((session) =>
      postMcp(service.url, longCall(1), { 'mcp-session-id': session }),
    );
    await until('both to wait', () => service.deps.queues.waiterCount === 2);
    await postMcp(service.url, cancellation(1), { 'mcp-session-id': first });
    const { body } = await calls[0];
    assert.equal(body.result.structuredContent.error.code, 'cancelled');
    assert.equal(node.ended, 0);
    node.fail();
    assert.equal((await calls[1]).status, 200);
  });
});
