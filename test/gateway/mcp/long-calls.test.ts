import assert from 'node:assert/strict';
import { backtest } from '../../../gateway/operations/analysis/backtest.js';
import { callTool } from '../../../gateway/mcp/call-tool.js';
import type { McpExchange } from '../../../gateway/mcp/exchange.js';
import { readToolSelection } from '../../../gateway/mcp/tool-selection.js';
import { defineTool } from '../../../gateway/mcp/tool.js';
import { backtestJob } from '../../../jobs/definitions/backtest.js';
import { sessionIdOf } from '../../../storage/users/sessions.js';
import { openTestMarket } from '../../support/candles/market.js';
import type { TestService } from '../../support/gateway/gateway.js';
import { connectMcp } from '../../support/mcp/mcp-client.js';
import { openHeldNode, type HeldNode } from '../../support/jobs/held-node.js';
import { until } from '../../support/process/until.js';

/** Instead of 45 s. */
const callWaitMs = 300;

const tool = defineTool({ name: 'run_backtest', operation: backtest, headline: () => 'A backtest.' });
const fetching = defineTool({
  name: 'get_backtest_result',
  operation: backtest,
  headline: () => 'A backtest.',
});

describe('a call of a tool that takes longer than clients wait', () => {
  let service: TestService;
  let node: HeldNode;
  let tokens: string[];

  before(async () => {
    const market = await openTestMarket({ computeNodes: 0 });
    ({ service } = market);
    tokens = [market.token, await service.signIn()];
  });
  beforeEach(async () => (node = await openHeldNode(service.redisUrl, backtestJob)));
  afterEach(() => node.close());
  after(() => service.close());

  const exchangeOf = async (
    token: string,
    scopes: McpExchange['scopes'] = new Set(['read:analysis']),
  ): Promise<McpExchange> => ({
    user: await service.deps.signedIn.ofSession(sessionIdOf(token)!),
    scopes,
    state: { requestId: 'test', address: '127.0.0.1', network: '127.0.0.1' },
    client: '',
    selection: readToolSelection(new URLSearchParams(), () => ''),
    signal: new AbortController().signal,
    charge: async () => undefined,
    slot: () => ({ hold: (work) => work(), leave: () => undefined }),
    session: '',
    callId: null,
  });
  const call = async (token: string, period: string, signal = new AbortController().signal) => {
    const exchange = await exchangeOf(token);
    const args = { asset: 'BTC', period };
    return callTool({ tool, args, exchange, ending: () => signal }, { ...service.deps, callWaitMs });
  };
  const fetchResult = async (token: string, id: string) =>
    callTool(
      {
        tool: fetching,
        args: { backtest_id: id },
        exchange: await exchangeOf(token),
        ending: () => AbortSignal.timeout(60_000),
      },
      service.deps,
    );
  // Tests look into errors of every kind.
  // oxlint-disable-next-line typescript/no-explicit-any
  const errorOf = ({ structuredContent }: Awaited<ReturnType<typeof callTool>>): any =>
    (structuredContent as { error: unknown }).error;

  it('waits for its answer where none can be kept for later', async () => {
    const { lateAnswers } = service.deps;
    service.deps.lateAnswers = Object.assign(Object.create(lateAnswers) as typeof lateAnswers, {
      promise: () => Promise.reject(new Error('Redis does not answer')),
    });
    try {
      const answer = call(tokens[0], '1y');
      setTimeout(() => node.fail(), callWaitMs + 200);
      assert.deepEqual(errorOf(await answer), { code: 'invalid_input', message: 'the node fails' });
    } finally {
      service.deps.lateAnswers = lateAnswers;
    }
  });

  it('answers with an id, goes on, and its result is the answer of that id for its user alone', async () => {
    const started = performance.now();
    // The job itself does not end.
    const first = await call(tokens[0], '3M');
    assert.ok(performance.now() - started >= callWaitMs - 5);
    const { backtest_id: id, ...error } = errorOf(first);
    assert.equal(first.isError, true);
    assert.match(id, /^call_[\w-]{22}$/);
    assert.deepEqual(error, {
      code: 'still_running',
      message: 'the call goes on in the background',
      retry_after_seconds: 5,
      try_next: 'get_backtest_result',
    });
    assert.equal(node.ended, 0);

    assert.equal(errorOf(await fetchResult(tokens[0], id)).code, 'still_running');
    assert.equal(errorOf(await fetchResult(tokens[1], id)).code, 'unknown_backtest');
    node.fail();
    const late = await until('the result', async () => {
      const answer = await fetchResult(tokens[0], id);
      return errorOf(answer).code === 'still_running' ? null : answer;
    });
    assert.deepEqual(errorOf(late), { code: 'invalid_input', message: 'the node fails' });
    assert.equal(errorOf(await fetchResult(tokens[1], id)).code, 'unknown_backtest');
  });

  it('waits for its answer where the token may not fetch it later', async () => {
    const exchange = await exchangeOf(tokens[0], new Set(['read:portfolio']));
    const ending = () => AbortSignal.timeout(60_000);
    const args = { asset: 'BTC', period: '1y' };
    const answer = callTool({ tool, args, exchange, ending }, { ...service.deps, callWaitMs });
    setTimeout(() => node.fail(), callWaitMs + 200);
    assert.deepEqual(errorOf(await answer), { code: 'invalid_input', message: 'the node fails' });
  });

  it('that is cancelled before is not promised', async () => {
    const leaving = new AbortController();
    const asked = call(tokens[0], '6M', leaving.signal);
    await until('the job to run', () => node.started === 1);
    leaving.abort();
    assert.equal(errorOf(await asked).code, 'cancelled');
    await until('the job to end', () => node.ended === 1);
  });
});

describe('the answer to a call that took longer than clients wait', () => {
  let service: TestService;
  let token: string;

  before(async () => ({ service, token } = await openTestMarket({ callWaitMs: 1 })));
  after(() => service.close());

  for (const [n, mode] of (['legacy', { pin: '2026-07-28' }] as const).entries()) {
    it(`is valid by the schema of the tool that fetches it (${JSON.stringify(mode)})`, async () => {
      const headers = { 'session-token': token };
      const { client, call, close } = await connectMcp(service.url, headers, '', {
        versionNegotiation: { mode },
      });
      // From here on the client holds answers against their schemas.
      await client.listTools();
      for (const onprogress of [undefined, () => undefined]) {
        const args = { asset: 'BTC', period: onprogress ? '3M' : '6M', fee_percent: n / 10 };
        const first = await client.callTool(
          { name: 'run_backtest', arguments: args },
          { ...(onprogress && { onprogress }) },
        );
        const { error } = first.structuredContent as { error: { code: string; backtest_id: string } };
        assert.equal(error.code, 'still_running');
        const late = await until('the result', async () => {
          const answer = await call('get_backtest_result', { backtest_id: error.backtest_id });
          return answer.structured.error?.code === 'still_running' ? null : answer;
        });
        assert.equal(late.isError, false, late.text);
        assert.equal(late.structured.period, args.period);
      }
      await close();
    });
  }
});
