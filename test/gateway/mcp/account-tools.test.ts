import assert from 'node:assert/strict';
import { snakeCase } from '../../../gateway/mcp/key-case.js';
import { encodeExecution } from '../../../storage/signals/execution-json.js';
import { accountUser, type AccountUser } from '../../support/gateway/account-user.js';
import type { TestService } from '../../support/gateway/gateway.js';
import { openTestMarket } from '../../support/candles/market.js';
import { connectMcp, type McpTestClient } from '../../support/mcp/mcp-client.js';
import { postMcp, rpc } from '../../support/mcp/post-mcp.js';
import { bookedTrade } from '../../support/signals/booked-trade.js';
import { equitySnapshot } from '../../support/signals/equity-snapshot.js';
import { filledOrder, storedFill } from '../../support/signals/ended-execution.js';
import { makeExecution } from '../../support/signals/make-execution.js';
import { makeStoredExecution } from '../../support/signals/make-stored-execution.js';
import { partnerClient } from '../../support/signals/partner-client.js';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Objects inside of an object as fields with a dot in their names. */
const flat = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]): [string, unknown][] =>
      isRecord(value)
        ? Object.entries(flat(value)).map(([inner, each]) => [`${name}.${inner}`, each])
        : [[name, value]],
    ),
  );

/** A payload of REST with names in snake_case, and the rows of its lists flat. */
function fromRest(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map((each) =>
      isRecord(each) ? flat(fromRest(each) as Record<string, unknown>) : (each as unknown),
    );
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [snakeCase(name), fromRest(each)]));
}

/** Structured content with its tables as lists of flat rows. */
function fromTool(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map((each) =>
      isRecord(each) ? flat(fromTool(each) as Record<string, unknown>) : (each as unknown),
    );
  if (!isRecord(value)) return value;
  if (!Array.isArray(value.columns) || !Array.isArray(value.rows))
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fromTool(each)]));
  const columns = value.columns as string[];
  return (value.rows as unknown[][]).map((row) =>
    flat(Object.fromEntries(columns.map((column, n) => [column, fromTool(row[n])]))),
  );
}

/** Fails unless each part of a payload is in the structured content. The time of an answer without one is that of the call. */
function assertSame(
  structured: Record<string, unknown>,
  payload: Record<string, unknown>,
  what: string,
): void {
  const [found, expected] = [structured, payload].map((each, n) =>
    n === 0 ? fromTool(each) : fromRest(each),
  );
  for (const [name, value] of Object.entries(expected as object))
    if (name !== 'as_of' || value !== null)
      assert.deepEqual((found as Record<string, unknown>)[name], value, `${what} ${name}`);
}

describe('the account tools', () => {
  let service: TestService;
  let owner: AccountUser;
  let other: AccountUser;
  let tools: McpTestClient;
  let otherTools: McpTestClient;
  let signalId: string;
  let orderId: string;
  let backtestId: string;

  before(async () => {
    ({ service } = await openTestMarket());
    [owner, other] = [await accountUser(service), await accountUser(service)];
    [tools, otherTools] = [await toolsOf(owner), await toolsOf(other)];
    await fill();
  });
  after(async () => {
    await tools.close();
    await otherTools.close();
    await service.close();
  });

  const toolsOf = ({ token }: AccountUser) => connectMcp(service.url, { 'session-token': token });

  /** A user with holdings, an open signal, a trade, some equity, a subscription and a backtest. */
  async function fill(): Promise<void> {
    const { storage } = service;
    const { userId } = owner;
    await owner.give({ BTC: '0.5', ETH: '2' });
    for (const [asset, interval] of ['BTC', 'ETH'].flatMap((each) =>
      ['1h', '4h', '1d'].map((of) => [each, of]),
    ))
      await service.post('/backend/core-line/chart', { asset, interval });
    const partner = await partnerClient(service);
    signalId = await partner.create();
    const channelId = (await storage.channels.first(partner.id))!.id;
    const subscribed = await owner.post('/backend/subscriptions', { channel: channelId });
    const subscriptionId = subscribed.payload.id as string;
    const plan = makeExecution();
    const position = { ...plan.position, quantity: plan.invested, entered: plan.invested };
    const execution = makeStoredExecution({
      ...{ id: `${signalId}:${subscriptionId}`, userId, signalId, channelId, subscriptionId, status: 'open' },
      partnerId: partner.id,
      state: encodeExecution({ ...plan, status: 'open', position }),
      orders: [filledOrder('buy', [storedFill()]), filledOrder('sell', [], { status: 'open' })],
    });
    orderId = execution.orders[0].clientOrderId;
    await storage.executions.addAll([execution]);
    await storage.trades.book([bookedTrade({ userId, channelId }), bookedTrade({ userId, asset: 'ETH' })]);
    await storage.equity.add([
      equitySnapshot({ userId }),
      equitySnapshot({ userId, day: '2026-01-06', value: '10100' }),
      equitySnapshot({ userId, day: '2026-01-07', value: '10050', flow: '20', benchmark: '51000' }),
    ]);
    const ran = await owner.post('/backend/core-line/backtest', {
      ...{ asset: 'BTC', interval: '4h', strategy: 'ema_cross' },
    });
    backtestId = ran.payload.id as string;
  }

  const get = async (path: string) => (await owner.get(path)).payload as Record<string, unknown>;
  const post = async (path: string, body: object) =>
    (await owner.post(path, body)).payload as Record<string, unknown>;

  /** What each tool is asked, and how REST is asked the same. Left out are `points`, which every request changes. */
  const questions: Record<
    string,
    { args?: () => object; rest: () => Promise<Record<string, unknown>>; says: RegExp }
  > = {
    get_portfolio_status: {
      rest: () => get('/backend/portfolio'),
      says: /^2 open positions worth [\d.]+ USDT, unrealised 0 USDT; (none|\d) against the trend state/,
    },
    get_position_details: {
      args: () => ({ asset: 'BTC' }),
      rest: () => get('/backend/positions/BTC'),
      says: /^BTC: long 0\.5 on PAPER SPOT, unrealised 0 USDT, stop at 90\.$/m,
    },
    get_balances: {
      rest: () => get('/backend/balances'),
      says: /^3 balances, worth [\d.]+ USDT together\.$/m,
    },
    get_pnl_summary: {
      args: () => ({ period: 'all', group_by: 'day' }),
      rest: () => get('/backend/pnl?period=all&groupBy=day'),
      says: /^Since 1970-01-01, by day: 20 USDT realised net of fees in 2 trades, 100 % of them won\.$/m,
    },
    get_equity_curve: {
      args: () => ({ period: 'all' }),
      rest: () => get('/backend/equity?period=all'),
      says: /^[\d.]+ USDT now; return -?[\d.]+ % since 2026-01-05 without deposits and withdrawals, max drawdown -[\d.]+ %; holding BTC -[\d.]+ %\.$/m,
    },
    list_trades: {
      args: () => ({ limit: 1, asset: 'ETH' }),
      rest: () => get('/backend/trades?limit=1&asset=ETH'),
      says: /^1 closed trade of ETH, the last first, 1 of them with a profit\.$/m,
    },
    list_orders: {
      args: () => ({ status: 'open', asset: 'BTC', exchange: 'PAPER' }),
      rest: () => get('/backend/orders?status=open&asset=BTC&exchange=PAPER&limit=50'),
      says: /^1 order, those of the newest signals first\.$/m,
    },
    get_order_timeline: {
      args: () => ({ order_id: orderId }),
      rest: () => get(`/backend/orders/${orderId}`),
      says: /^Order ended-\d+ \(buy 1 BTC\/USDT\) is filled, 0 filled\.$/m,
    },
    list_signals: {
      args: () => ({ status: 'open' }),
      rest: () => get('/backend/signals?status=open'),
      says: /^1 signal, the newest first, 1 of them executed\.$/m,
    },
    get_signal_details: {
      args: () => ({ parent_signal_id: signalId }),
      rest: () => get(`/backend/signals/${signalId}`),
      says: /^A long of BTC\/USDT is open, 0 of 2 targets hit; your realised profit is 0 USDT/m,
    },
    list_channel_subscriptions: {
      rest: () => get('/backend/subscriptions?results=true'),
      says: /^The user follows 1 channel, 1 of them with orders/m,
    },
    list_exchange_connections: {
      rest: () => get('/backend/exchanges'),
      says: /^1 connected account, the paper account included; all were read without a fault\. No key may withdraw\.$/m,
    },
    get_portfolio_risk: {
      args: () => ({ changes: [{ asset: 'ETH', quantity_delta: -1 }] }),
      rest: () => post('/backend/portfolio/risk', { changes: [{ asset: 'ETH', quantityDelta: -1 }] }),
      says: /^Portfolio of [\d.]+ USDT, 1-day VaR 95 % -?[\d.]+ %, leverage [\d.]+; \d of 2 positions are too risky now; after the changes /m,
    },
    get_account_access: {
      rest: async () => {
        const shown = await get('/backend/account');
        delete shown.points;
        return shown;
      },
      says: /^Plan free: \d+ of \d+ points used this minute; 1 session, 0 access tokens, 0 connected apps\.$/m,
    },
    run_backtest: {
      args: () => ({ asset: 'BTC', interval: '4h', strategy: 'ema_cross' }),
      rest: async () => {
        const report = await post('/backend/core-line/backtest', {
          ...{ asset: 'BTC', interval: '4h', strategy: 'ema_cross' },
        });
        // They are cut to the size of an answer.
        for (const part of ['trades', 'equity']) delete report[part];
        return report;
      },
      says: /^ema_cross on BTC 4h over 1y: return -?[\d.]+ % \(buy and hold -?[\d.]+ %\), max drawdown -[\d.]+ %, \d+ trades\. Stored as backtest_id [0-9a-f]{64}\./,
    },
    compare_backtests: {
      args: () => ({ assets: ['BTC', 'ETH'], strategies: ['ema_cross', 'buy_and_hold'], period: '3M' }),
      rest: () =>
        post('/backend/analysis/compare', {
          ...{ assets: ['BTC', 'ETH'], period: '3M' },
          strategies: ['ema_cross', 'buy_and_hold'].map((name) => ({ name, params: {} })),
        }),
      says: /^[2-4] combinations by Sharpe ratio; first \w+ on \w+ with a return of -?[\d.]+ %; \d significant after correction/,
    },
    run_walk_forward: {
      args: () => ({ asset: 'BTC', interval: '4h', strategy: 'ema_cross', folds: 3 }),
      rest: () =>
        post('/backend/analysis/walk-forward', {
          ...{ asset: 'BTC', interval: '4h', strategy: 'ema_cross', folds: 3 },
        }),
      says: /^BTC: (robust|moderate|weak|overfitted) over 3 folds\. /,
    },
    run_monte_carlo: {
      args: () => ({ backtest_id: backtestId, paths: 200, seed: 3 }),
      rest: () => post(`/backend/backtests/${backtestId}/monte-carlo`, { paths: 200, seed: 3 }),
      says: /^ema_cross on BTC: the backtest returned -?[\d.]+ % in \d+ trades; [\d.]+ % of 200 resampled paths lose money; p-value/,
    },
    get_backtest_result: {
      args: () => ({ backtest_id: backtestId, section: 'trades', limit: 3 }),
      rest: () => get(`/backend/backtest-result?backtestId=${backtestId}&section=trades&limit=3`),
      says: /^3 of \d+ rows of trades, the oldest first; more with next_cursor\.$/m,
    },
  };

  for (const [name, { args = () => ({}), rest, says }] of Object.entries(questions))
    it(`${name} answers as REST does, with a headline`, async () => {
      const { structured, text, isError, bytes } = await tools.call(name, args());
      assert.equal(isError, false, text);
      assertSame(structured as Record<string, unknown>, await rest(), name);
      assert.match(text.split('\n')[0], says);
      assert.ok(bytes <= 24 * 1024);
    });

  it('link to the whole tables of a backtest, which resources/read answers as REST does', async () => {
    const result = await tools.client.callTool({
      name: 'get_backtest_result',
      arguments: { backtest_id: backtestId },
    });
    const links = result.content.flatMap((part) => (part.type === 'resource_link' ? [part] : []));
    assert.deepEqual(
      links.map(({ uri }) => uri),
      ['trades', 'equity'].map((part) => `tidemark://backtests/${backtestId}/${part}.csv`),
    );
    const { resourceTemplates } = await tools.client.listResourceTemplates();
    assert.deepEqual(
      resourceTemplates.map(({ uriTemplate }) => uriTemplate.replace('{backtest_id}', backtestId)),
      links.map(({ uri }) => uri),
    );
    for (const { uri } of links) {
      const { contents } = await tools.client.readResource({ uri });
      const path = uri.replace('tidemark://', '/backend/');
      const rest = await fetch(service.url + path, { headers: { 'session-token': owner.token } });
      assert.deepEqual(contents, [{ uri, mimeType: 'text/csv', text: await rest.text() }]);
    }
  });

  it('link to tables that only their owner reads', async () => {
    const uri = `tidemark://backtests/${backtestId}/trades.csv`;
    const guest = await connectMcp(service.url);
    for (const each of [guest, otherTools])
      await assert.rejects(each.client.readResource({ uri }), /not found/i);
    await guest.close();
  });

  it('link to tables that cost a point', async () => {
    const read = rpc('resources/read', { uri: `tidemark://backtests/${backtestId}/trades.csv` });
    const left = async () => {
      const { headers } = await postMcp(service.url, read, { 'session-token': owner.token });
      return Number(headers.get('ratelimit-remaining'));
    };
    assert.equal((await left()) - (await left()), 1);
  });

  it('show another user nothing of it', async () => {
    for (const [name, args] of [
      ['get_order_timeline', { order_id: orderId }],
      ['get_signal_details', { parent_signal_id: signalId }],
      ['run_monte_carlo', { backtest_id: backtestId }],
      ['get_backtest_result', { backtest_id: backtestId }],
    ] as const) {
      const { structured, isError } = await otherTools.call(name, args);
      assert.deepEqual(
        [isError, (structured.error.code as string).startsWith('unknown_')],
        [true, true],
        name,
      );
      const { structured: unknown } = await otherTools.call(name, {
        [Object.keys(args)[0]]: Object.values<string>(args)[0].replace(/^./, (first) =>
          first === '0' ? '1' : '0',
        ),
      });
      assert.equal(structured.error.code, unknown.error.code, name);
    }
    for (const name of ['get_portfolio_status', 'list_trades', 'list_orders', 'list_signals'])
      assert.match((await otherTools.call(name)).text, /^(No open|0 |The user follows 0 )/, name);
    const own = [signalId, orderId, backtestId, owner.userId];
    for (const name of Object.keys(questions)) {
      if (/backtest|walk|monte|order_timeline|signal_details/.test(name)) continue;
      const { text } = await otherTools.call(name, name === 'get_position_details' ? { asset: 'BTC' } : {});
      assert.ok(!own.some((id) => text.includes(id)), name);
    }
  });

  for (const [name, empty] of [
    ['get_portfolio_status', /^No open positions on any connected account\./],
    ['get_balances', /^1 balance, worth 10000 USDT together\./],
    ['get_pnl_summary', /^No trade closed since/],
    ['get_equity_curve', /^No account is stored yet/],
    ['list_trades', /^0 closed trades/],
    ['list_orders', /^0 orders/],
    ['list_signals', /^0 signals/],
    ['list_channel_subscriptions', /^The user follows 0 channels/],
    ['get_portfolio_risk', /^Portfolio of 10000 USDT, .*leverage 0; 0 of 0 positions/],
    ['get_backtest_result', /^0 stored backtests/],
  ] as const)
    it(`${name} says so without data`, async () => {
      const { text, isError, structured } = await otherTools.call(name);
      assert.deepEqual([isError, empty.test(text)], [false, true], text);
      assert.ok(Date.parse(structured.as_of) > 0, name);
    });

  for (const [name, args, field] of [
    ['get_portfolio_status', { exchange: 'NOWHERE' }, 'exchange'],
    ['get_portfolio_status', { only_conflicts: 'yes' }, 'only_conflicts'],
    ['get_position_details', { asset: 'B'.repeat(60) }, 'asset'],
    ['get_balances', { min_value: -1 }, 'min_value'],
    ['get_pnl_summary', { group_by: 'week' }, 'group_by'],
    ['get_equity_curve', { benchmark: 'MOON' }, 'benchmark'],
    ['list_trades', { since: 'yesterday' }, 'since'],
    ['list_trades', { channel: 'nonsense' }, 'channel'],
    ['list_orders', { exchange: 'BINANCE' }, 'exchange'],
    ['list_orders', { cursor: 'x' }, 'cursor'],
    ['get_order_timeline', { order_id: 'none' }, 'order_id'],
    ['list_signals', { limit: 101 }, 'limit'],
    ['list_signals', { channel: 'Nobody Calls' }, 'channel'],
    ['get_channel_performance', { channel: 'Nobody Calls' }, 'channel'],
    ['get_signal_details', {}, 'parent_signal_id'],
    ['get_portfolio_risk', { changes: [{ asset: 'MOON', quantity_delta: 1 }] }, 'changes'],
    ['run_backtest', { asset: 'BTC', strategy: 'none' }, 'strategy'],
    ['compare_backtests', { assets: ['BTC'], strategies: ['none'] }, 'strategies'],
    ['run_walk_forward', { asset: 'BTC', folds: 1 }, 'folds'],
    ['run_monte_carlo', { backtest_id: 'none' }, 'backtest_id'],
    ['get_backtest_result', { backtest_id: 'none' }, 'backtest_id'],
  ] as const)
    it(`${name} refuses ${JSON.stringify(args)}, naming ${field}`, async () => {
      const { structured, isError } = await otherTools.call(name, args);
      assert.equal(isError, true);
      assert.equal(String(structured.error.field).split('.')[0], field);
      assert.doesNotMatch(structured.error.message, /^"id"/);
    });

  it('list the signals that were skipped apart from the others', async () => {
    const idsOf = async (status: string) => {
      const { structured } = await tools.call('list_signals', { status });
      return JSON.stringify(structured);
    };
    assert.ok((await idsOf('open')).includes(signalId));
    assert.ok(!(await idsOf('skipped')).includes(signalId));
  });

  it('are closed to guests', async () => {
    const guest = await connectMcp(service.url);
    for (const [name, { args = () => ({}) }] of Object.entries(questions))
      await assert.rejects(guest.call(name, args()), name);
    await guest.close();
  });
});
