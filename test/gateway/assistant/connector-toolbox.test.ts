import assert from 'node:assert/strict';
import type { Asker, ChatEvent } from '../../../gateway/assistant/assistant.js';
import { ConnectorToolbox, mostCalls } from '../../../gateway/assistant/toolbox/connector-toolbox.js';
import type { ToolOutcome } from '../../../gateway/assistant/toolbox.js';
import { AppError } from '../../../compute/model/errors.js';
import { backtestJob } from '../../../jobs/definitions/backtest.js';
import { sessionIdOf } from '../../../storage/users/sessions.js';
import { tokenScopes, type TokenScope } from '../../../storage/users/token-scopes.js';
import { openTestMarket } from '../../support/candles/market.js';
import { accountUser, type AccountUser } from '../../support/gateway/account-user.js';
import type { TestService } from '../../support/gateway/gateway.js';
import { openHeldNode } from '../../support/jobs/held-node.js';
import { connectMcp } from '../../support/mcp/mcp-client.js';
import { until } from '../../support/process/until.js';

const backtestArgs = { asset: 'BTC', interval: '4h', strategy: 'ema_cross' };
const codeOf = (outcome: ToolOutcome): string => (outcome.ok ? 'ok' : outcome.code);

describe('the toolbox of the assistant', function () {
  this.timeout(60_000);
  let service: TestService;
  let user: AccountUser;
  const never = new AbortController().signal;

  before(async () => {
    ({ service } = await openTestMarket({ computeNodes: 1 }));
    user = await accountUser(service);
    await user.give({ BTC: '0.51234' });
  });
  after(() => service.close());

  const askerOf = async (
    scopes: readonly TokenScope[] | null,
    more: Partial<Asker> = {},
  ): Promise<Asker> => ({
    requestId: 'test',
    user: scopes && (await service.deps.signedIn.ofSession(sessionIdOf(user.token)!)),
    scopes: new Set(scopes),
    address: '127.0.0.1',
    client: 'test',
    signal: never,
    charge: async () => undefined,
    ...more,
  });
  const toolboxFor = async (
    scopes: readonly TokenScope[] | null,
    { deadline = never, ...more }: Partial<Asker> & { deadline?: AbortSignal } = {},
  ) => new ConnectorToolbox(service.deps, await askerOf(scopes, more), deadline);

  it('holds what the scopes open, and never what asks the assistant', async () => {
    const names = async (scopes: readonly TokenScope[] | null) => (await toolboxFor(scopes)).names;
    const [guest, asks, reads, all] = [
      await names(null),
      await names(['ask:assistant']),
      await names(['ask:assistant', 'read:portfolio']),
      await names(tokenScopes),
    ];
    assert.deepEqual(
      [...asks].filter((name) => !guest.has(name)),
      ['get_conversation'],
    );
    assert.equal(guest.has('get_price') && !guest.has('get_balances') && !guest.has('run_backtest'), true);
    assert.equal(reads.has('get_balances') && !reads.has('run_backtest'), true);
    assert.equal(all.has('get_balances') && all.has('run_backtest'), true);
    for (const name of ['ask_assistant', 'ask_guest_assistant']) assert.equal(all.has(name), false);
  });

  it('answers as the connector does', async () => {
    const outcome = await (await toolboxFor(null)).call('get_trend_chart', { asset: 'BTC', interval: '4h' });
    assert.ok(outcome.ok, JSON.stringify(outcome));
    const tools = await connectMcp(service.url);
    const { structured } = await tools.call('get_trend_chart', { asset: 'BTC', interval: '4h' });
    await tools.close();
    assert.deepEqual(outcome.content, structured);
    assert.deepEqual(
      [outcome.asOf, outcome.isStale, outcome.source],
      [structured.as_of, structured.stale, structured.source],
    );
    assert.equal((outcome.payload as { interval: string }).interval, '4h');
  });

  it('says what is wrong as data', async () => {
    const guest = await toolboxFor(null);
    const codes = [
      await guest.call('get_balances', {}),
      await guest.call('ask_guest_assistant', { message: 'Hi' }),
      await guest.call('buy_now', {}),
      await guest.call('get_trend_state', { asset: 'NOPE' }),
      await guest.call('get_trend_state', { nonsense: 1 }),
      await (await toolboxFor(['ask:assistant'])).call('get_balances', {}),
    ].map(codeOf);
    const expected = [
      'unauthorized',
      'invalid_input',
      'invalid_input',
      'invalid_input',
      'invalid_input',
      'forbidden',
    ];
    assert.deepEqual(codes, expected);
    const unknown = await guest.call('get_trend_state', { asset: 'BTTC' });
    assert.deepEqual(unknown.ok ? null : unknown.details.try_next, 'list_assets');
  });

  it('makes at most 12 calls for one question', async () => {
    const guest = await toolboxFor(null);
    const asked = Array.from({ length: mostCalls + 2 }, () => guest.call('get_price', { assets: ['BTC'] }));
    const codes = (await Promise.all(asked)).map(codeOf);
    assert.deepEqual(codes, [...Array<string>(mostCalls).fill('ok'), 'invalid_input', 'invalid_input']);
  });

  it('charges what its tools cost beyond the five points of the question', async () => {
    const charged: number[] = [];
    const charge = async (points: number) => void charged.push(points);
    const toolbox = await toolboxFor(tokenScopes, { charge });
    for (const [name, args] of [
      ['get_price', { assets: ['BTC'] }],
      ['get_equity_curve', {}],
      ['get_price', { assets: ['ETH'] }],
      ['run_backtest', backtestArgs],
      ['run_backtest', backtestArgs],
    ] as const)
      assert.equal(codeOf(await toolbox.call(name, args)), 'ok', name);
    // The curve costs 2 of the 5 points, a backtest 10.
    assert.deepEqual(charged, [7, 10]);

    const poor = async () => Promise.reject(new AppError('rate_limited', 'too few points'));
    const refused = await (
      await toolboxFor(tokenScopes, { charge: poor })
    ).call('run_backtest', backtestArgs);
    assert.deepEqual(refused.ok || [refused.code, refused.message], ['limit_reached', 'too few points']);
  });

  it('keeps the five points of the question when a charge is refused', async () => {
    const charge = async () => Promise.reject(new AppError('rate_limited', 'too few points'));
    const toolbox = await toolboxFor(tokenScopes, { charge });
    assert.equal(codeOf(await toolbox.call('run_backtest', backtestArgs)), 'limit_reached');
    // The curve costs 2 points.
    assert.equal(codeOf(await toolbox.call('get_equity_curve', {})), 'ok');
  });

  it('tells of tools by name and state alone', async () => {
    const events: ChatEvent[] = [];
    const toolbox = await toolboxFor(tokenScopes, { onEvent: (event) => events.push(event) });
    await toolbox.call('get_balances', {});
    await toolbox.call('get_trend_state', { asset: 'NOPE' });
    assert.deepEqual(
      events,
      [
        { tool: 'get_balances', state: 'started' },
        { tool: 'get_balances', state: 'answered' },
        { tool: 'get_trend_state', state: 'started' },
        { tool: 'get_trend_state', state: 'failed' },
      ].map((data) => ({ name: 'tool', data })),
    );
  });

  describe('with work that takes long', () => {
    let slow: TestService;
    before(async () => {
      const market = await openTestMarket({ computeNodes: 0 });
      slow = market.service;
    });
    after(() => slow.close());

    const slowToolbox = async (signal: AbortSignal, deadline: AbortSignal) => {
      const own = await accountUser(slow);
      const signedIn = (await slow.deps.signedIn.ofSession(sessionIdOf(own.token)!))!;
      const asker: Asker = { ...(await askerOf(tokenScopes)), user: signedIn, signal };
      return { own, toolbox: new ConnectorToolbox(slow.deps, asker, deadline) };
    };

    it('answers in its time, goes on, and the result can be fetched later', async () => {
      const node = await openHeldNode(slow.redisUrl, backtestJob);
      const deadline = new AbortController();
      const { own, toolbox } = await slowToolbox(never, deadline.signal);
      const asked = toolbox.call('run_backtest', backtestArgs);
      await until('the job to run', () => node.started === 1);
      deadline.abort();
      const outcome = await asked;
      assert.ok(!outcome.ok && outcome.code === 'still_running', codeOf(outcome));
      const tools = await connectMcp(slow.url, { 'session-token': own.token });
      const fetched = async (): Promise<{ code: string }> => {
        const { structured } = await tools.call('get_backtest_result', {
          backtest_id: outcome.details.backtest_id,
        });
        return structured.error as { code: string };
      };
      assert.equal((await fetched()).code, 'still_running');
      assert.equal(node.ended, 0);
      node.fail();
      const late = await until('the result', async () => {
        const error = await fetched();
        return error.code === 'still_running' ? null : error;
      });
      assert.deepEqual(late, { code: 'invalid_input', message: 'the node fails' });
      await tools.close();
      await node.close();
    });

    it('keeps the reason for which work that goes on fails', async () => {
      const node = await openHeldNode(slow.redisUrl, backtestJob);
      const deadline = new AbortController();
      const { own, toolbox } = await slowToolbox(never, deadline.signal);
      const asked = toolbox.call('run_backtest', { ...backtestArgs, period: '6M' });
      await until('the job to run', () => node.started === 1);
      deadline.abort();
      const outcome = await asked;
      assert.ok(!outcome.ok && outcome.code === 'still_running', codeOf(outcome));
      const id = outcome.details.backtest_id as string;
      node.fail(new AppError('unknown_signal', 'the node knows no such signal'));
      const late = await until('the result', () =>
        slow.deps.lateAnswers.find(own.userId, id).catch(() => null),
      );
      const { error } = late.structuredContent as { error: { code: string; message: string } };
      assert.deepEqual([error.code, error.message], ['unknown_signal', 'the node knows no such signal']);
      await node.close();
    });

    it('ends the job and rejects when the client leaves', async () => {
      const node = await openHeldNode(slow.redisUrl, backtestJob);
      const client = new AbortController();
      const { toolbox } = await slowToolbox(client.signal, never);
      const asked = toolbox.call('run_backtest', { ...backtestArgs, period: '3M' });
      await until('the job to run', () => node.started === 1);
      client.abort();
      await assert.rejects(asked, { name: 'AppError', code: 'cancelled' });
      await until('the job to end', () => node.ended === 1);
      await assert.rejects(toolbox.call('get_price', { assets: ['BTC'] }), { code: 'cancelled' });
      await node.close();
    });

    it('ends the jobs of guests with the time for the answer', async () => {
      const guest = new ConnectorToolbox(slow.deps, await askerOf(null), AbortSignal.timeout(100));
      const outcome = await guest.call('get_momentum_reading', { asset: 'BTC' });
      assert.equal(codeOf(outcome), 'time_limit');
    });
  });
});
