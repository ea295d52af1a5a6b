import assert from 'node:assert/strict';
import type { ForeignOrder } from '../../../../storage/signals/foreign-orders.js';
import type { Subscription } from '../../../../storage/signals/subscription.js';
import type { StoredExecution, StoredOrder } from '../../../../storage/signals/stored-execution.js';
import { openTestService, type TestAnswer, type TestService } from '../../../support/gateway/gateway.js';
import { makeStoredExecution, storedOrder } from '../../../support/signals/make-stored-execution.js';
import { partnerClient, type PartnerClient } from '../../../support/signals/partner-client.js';

interface Page {
  signals: { parent_signal_id: string; reason: string | null }[];
  orders: { id: string }[];
  nextCursor: string | null;
}

interface Follower {
  userId: string;
  subscriptionId: string;
  ask: (method: string, path: string, body?: object) => Promise<TestAnswer>;
}

describe('following signals', () => {
  let service: TestService;
  let partner: PartnerClient;
  let channel: string;
  before(async () => {
    service = await openTestService({ computeNodes: 0 });
    partner = await partnerClient(service);
    await partner.create();
    channel = (await service.storage.channels.first(partner.id))!.id;
  });
  after(() => service.close());

  async function user(): Promise<Follower> {
    const token = await service.signIn();
    const ask: Follower['ask'] = async (method, path, body) => {
      const answer = await fetch(service.url + path, {
        method,
        headers: { 'session-token': token, ...(body ? { 'Content-Type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const { result, payload } = (await answer.json()) as Pick<TestAnswer, 'result' | 'payload'>;
      return { status: answer.status, headers: answer.headers, result, payload };
    };
    return { userId: (await service.deps.signedIn.find(token))!.userId, subscriptionId: '', ask };
  }

  async function follower(): Promise<Follower> {
    const found = await user();
    const { payload } = await found.ask('POST', '/backend/subscriptions', { channel });
    return { ...found, subscriptionId: payload.id as string };
  }

  let made = 0;
  const order = (more: Partial<StoredOrder> = {}): StoredOrder => ({
    ...storedOrder,
    clientOrderId: `followed-${++made}`,
    ...more,
  });

  /** A new signal that was delivered to the user. */
  async function delivered(
    { userId, subscriptionId }: Follower,
    more: Partial<StoredExecution> = {},
  ): Promise<{ signalId: string; execution: StoredExecution }> {
    const signalId = await partner.create();
    const ids = { id: `${signalId}:${subscriptionId}`, signalId, channelId: channel, subscriptionId, userId };
    const execution = makeStoredExecution({ ...ids, partnerId: partner.id, ...more });
    await service.storage.executions.addAll([execution]);
    return { signalId, execution };
  }

  const stored = async (id: string) => (await service.storage.executions.ofIds([id]))[0];

  it('lists channels with partner and defaults to everybody', async () => {
    const { payload } = (await (await fetch(`${service.url}/backend/channels`)).json()) as TestAnswer;
    const found = (payload.channels as { id: string; partner: string }[]).find(({ id }) => id === channel);
    assert.equal(found?.partner, partner.name);
    assert.doesNotMatch(JSON.stringify(payload), /svc-|secret|"key"/);
  });

  it('follows a channel once, by default on paper, with settings that are told', async () => {
    const { ask } = await user();
    const { status, payload } = await ask('POST', '/backend/subscriptions', { channel });
    const { id, createdAt, ...rest } = payload as { id: string; createdAt: string };
    assert.equal(status, 200);
    assert.deepEqual(rest, {
      ...{
        channel,
        exchange: 'PAPER',
        autoInvest: true,
        investPercent: 5,
        maxOpenSignals: 10,
        maxExposure: 4,
      },
      ...{
        maxTotalExposure: 25,
        maxDailyLoss: 5,
        maxSignalsPerDay: 20,
        maxSlippagePercent: 0.5,
        minTurnover: 1_000_000,
        sides: ['long', 'short'],
        accounts: ['SPOT'],
        maxLeverage: 1,
        marginTypes: ['ISOLATED'],
      },
      ...{
        stopOnExchange: true,
        source: 'csv',
        watchedStops: [],
        watchedTargets: ['SPOT'],
        pairedTargets: [],
        isPaused: false,
        pauseReason: null,
      },
    });
    const again = await ask('POST', '/backend/subscriptions', { channel });
    assert.deepEqual([again.status, again.result.type], [409, 'INVALID_INPUT_CHANNEL']);
    assert.deepEqual((await ask('GET', '/backend/subscriptions')).payload.subscriptions, [
      { ...payload, channelName: null, results: null },
    ]);
    const changed = await ask('PATCH', `/backend/subscriptions/${id}`, {
      investPercent: 2.5,
      sides: ['long'],
      isPaused: true,
    });
    assert.deepEqual(changed.payload, { ...payload, investPercent: 2.5, sides: ['long'], isPaused: true });
    assert.deepEqual((await ask('PATCH', `/backend/subscriptions/${id}`)).payload, changed.payload);
    assert.ok(Date.parse(createdAt) <= Date.now());
  });

  for (const [field, value] of [
    ...['nothing', '', 5, { $ne: '' }].map((each) => ['channel', each] as const),
    ...['BINANCE', 'paper', ''].map((each) => ['exchange', each] as const),
    ...[0, -1, 101, '5', null, 1e-30].map((each) => ['investPercent', each] as const),
    ...[0, 1.5, 101].map((each) => ['maxOpenSignals', each] as const),
    ...[0, 101, '4'].map((each) => ['maxExposure', each] as const),
    ...[0, 101].map((each) => ['maxDailyLoss', each] as const),
    ...[0, 1.5, 1_001, '20'].map((each) => ['maxSignalsPerDay', each] as const),
    ...[0, 5.1, null, '1'].map((each) => ['maxSlippagePercent', each] as const),
    ...[0, -1, '5'].map((each) => ['minTurnover', each] as const),
    ...[0, 126, 1.5, null].map((each) => ['maxLeverage', each] as const),
    ...[[], ['isolated'], 'CROSS'].map((each) => ['marginTypes', each] as const),
    ...[0, 101, '5'].map((each) => ['maxTotalExposure', each] as const),
    ...[[], ['up'], ['long', 'long'], 'long'].map((each) => ['sides', each] as const),
    ...[[], ['spot']].map((each) => ['accounts', each] as const),
    ['autoInvest', 'yes'],
    ['userId', 'x'],
  ] as const)
    it(`refuses a subscription with ${field} ${JSON.stringify(value)}`, async () => {
      const { ask } = await user();
      const { status, payload } = await ask('POST', '/backend/subscriptions', { channel, [field]: value });
      assert.deepEqual([status, String(payload.field).split('.')[0]], [400, field]);
      assert.deepEqual((await ask('GET', '/backend/subscriptions')).payload.subscriptions, []);
    });

  it('follows MARGIN and FUTURES only with a consent that names the leverage', async () => {
    const { ask } = await user();
    for (const accounts of [['FUTURES'], ['SPOT', 'MARGIN']]) {
      const { status, payload } = await ask('POST', '/backend/subscriptions', { channel, accounts });
      assert.deepEqual([status, payload.field], [400, 'maxLeverage']);
      assert.match(String(payload.message), /name the highest leverage that you accept there, 1 to 125$/);
    }
    const accounts = ['SPOT', 'FUTURES'];
    const { payload } = await ask('POST', '/backend/subscriptions', { channel, accounts, maxLeverage: 3 });
    assert.deepEqual([payload.accounts, payload.maxLeverage], [accounts, 3]);
    const path = `/backend/subscriptions/${String(payload.id)}`;
    assert.equal((await ask('PATCH', path, { accounts: ['MARGIN'] })).status, 400);
    assert.equal((await ask('PATCH', path, { accounts: ['SPOT'] })).status, 200);
  });

  it('shows and changes nothing of other users, whatever is asked', async () => {
    const [owner, other] = [await follower(), await follower()];
    const { signalId, execution } = await delivered(owner, { orders: [order()] });
    const orderId = execution.orders[0].clientOrderId;
    const asked: [method: string, path: string, body?: object][] = [
      ['PATCH', `/backend/subscriptions/${owner.subscriptionId}`, { isPaused: true }],
      ['DELETE', `/backend/subscriptions/${owner.subscriptionId}?close=true`],
      ['GET', `/backend/signals/${signalId}`],
      ['GET', `/backend/orders/${orderId}`],
    ];
    for (const [method, path, body] of asked) {
      const { status, payload } = await other.ask(method, path, body);
      const unknown = await other.ask(method, path.replace(/[0-9a-f]{24}|followed-\d+/, 'nothing'), body);
      assert.deepEqual([status, unknown.status], [404, 404], path);
      assert.equal(
        (payload.message as string).replace(/".*"/, ''),
        (unknown.payload.message as string).replace(/".*"/, ''),
      );
    }
    for (const path of ['/backend/signals', '/backend/orders', `/backend/signals?channel=${channel}`]) {
      const { payload } = await other.ask('GET', path);
      assert.deepEqual(payload.signals ?? payload.orders, [], path);
    }
    for (const what of ['pause', 'resume', 'close-all'])
      assert.equal((await other.ask('POST', `/backend/trading/${what}`, {})).payload.executions, 0);
    assert.deepEqual(await stored(execution.id), execution);
    assert.equal((await owner.ask('GET', '/backend/subscriptions')).payload.subscriptions[0].isPaused, false);
  });

  it('shows the signals of a user with state and reason, the newest first', async () => {
    const own = await follower();
    const all = [];
    for (const status of ['open', 'skipped', 'queued'] as const)
      all.unshift(
        await delivered(own, { status, reason: status === 'skipped' ? 'auto-invest is off' : null }),
      );
    const list = async (query: string) => (await own.ask('GET', `/backend/signals${query}`)).payload as Page;
    const idsOf = ({ signals }: { signals: { parent_signal_id: string }[] }) =>
      signals.map((each) => each.parent_signal_id);
    const ids = all.map(({ signalId }) => signalId);
    assert.deepEqual(idsOf(await list('')), ids);
    assert.deepEqual(idsOf(await list('?status=skipped')), [ids[1]]);
    assert.deepEqual((await list('?status=skipped')).signals[0].reason, 'auto-invest is off');
    const unknown = (await own.ask('GET', '/backend/signals?channel=other')).payload as unknown as {
      message: string;
    };
    assert.match(unknown.message, /^there is no channel "other"; the channels are /);
    const [{ name }] = (await own.ask('GET', '/backend/channels')).payload.channels as { name: string }[];
    assert.deepEqual(idsOf(await list(`?channel=${encodeURIComponent(name.toUpperCase())}`)), ids);
    assert.deepEqual(idsOf(await list(`?channel=${channel}`)), ids);
    const first = await list('?limit=2');
    const second = await list(`?limit=2&cursor=${first.nextCursor!}`);
    assert.deepEqual([...idsOf(first), ...idsOf(second), second.nextCursor], [...ids, null]);
  });

  it('shows a signal with orders and events, and an order with the events of its leg', async () => {
    const own = await follower();
    const at = new Date('2026-01-02T03:04:05Z');
    const line = (type: string, leg: string) => ({ at, type, cause: 'why', figures: { leg } });
    const fill = { tradeId: 't', quantity: '1', price: '100', baseFee: '0', quoteFee: '0.1', at };
    const orders = [
      order({ leg: 'entry-1', status: 'filled', filled: '1', fills: [fill] }),
      order({ leg: 'target-1', side: 'sell' }),
    ];
    const events = [line('entry_reached', 'entry-1'), line('target_reached', 'target-1')];
    const { signalId } = await delivered(own, { orders, events, status: 'open' });
    const { payload } = await own.ask('GET', `/backend/signals/${signalId}`);
    assert.deepEqual([payload.status, payload.asset, payload.targets], ['open', 'BTC', ['120', '130']]);
    assert.deepEqual(
      payload.orders.map(({ id }: { id: string }) => id),
      orders.map(({ clientOrderId }) => clientOrderId),
    );
    assert.deepEqual(payload.events[0], {
      at: at.toISOString(),
      type: 'entry_reached',
      cause: 'why',
      figures: { leg: 'entry-1' },
    });
    const one = (await own.ask('GET', `/backend/orders/${orders[0].clientOrderId}`)).payload;
    assert.deepEqual(
      [one.parent_signal_id, one.fills, one.events],
      [signalId, [{ ...fill, at: at.toISOString() }], [payload.events[0]]],
    );
  });

  it('lists orders page by page, those of the newest signal first, by state and asset', async () => {
    const own = await follower();
    const older = await delivered(own, { orders: [order({ status: 'filled' }), order(), order()] });
    await delivered(own);
    const newer = await delivered(own, { orders: [order(), order({ status: 'filled' })], pair: 'ETH/USDT' });
    const expected = [newer, older].flatMap(({ execution }) =>
      execution.orders.map(({ clientOrderId }) => clientOrderId).reverse(),
    );
    const idsOf = (payload: { orders: { id: string }[] }) => payload.orders.map(({ id }) => id);
    const list = async (query: string) => (await own.ask('GET', `/backend/orders${query}`)).payload as Page;
    assert.deepEqual(idsOf(await list('')), expected);
    for (const limit of [1, 2, 3]) {
      const found: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page = await list(`?limit=${limit}${cursor && `&cursor=${cursor}`}`);
        found.push(...idsOf(page));
        cursor = page.nextCursor;
      }
      assert.deepEqual(found, expected, `limit ${limit}`);
    }
    assert.deepEqual(idsOf(await list('?status=filled')), [expected[0], expected[4]]);
    assert.deepEqual(idsOf(await list('?asset=ETH')), expected.slice(0, 2));
    const { status, payload } = await own.ask('GET', '/backend/orders?exchange=OTHER');
    assert.equal(status, 400);
    assert.match(payload.message, /OTHER/);
    assert.deepEqual(idsOf(await list('?asset=eth')), expected.slice(0, 2));
    assert.deepEqual(idsOf(await list('?asset=.*')), []);
  });

  it('pauses and resumes all subscriptions, and has open executions look at it', async () => {
    const own = await follower();
    const [open, ended] = [
      await delivered(own),
      await delivered(own, { endedAt: new Date(), status: 'closed' }),
    ];
    const paused = await own.ask('POST', '/backend/trading/pause', {});
    assert.deepEqual(paused.payload, { subscriptions: 1, executions: 1 });
    assert.equal((await own.ask('GET', '/backend/subscriptions')).payload.subscriptions[0].isPaused, true);
    const told = await stored(open.execution.id);
    assert.deepEqual([told.dueAt !== null, told.revision, told.wish], [true, 1, null]);
    assert.deepEqual(await stored(ended.execution.id), ended.execution);
    const resumed = await own.ask('POST', '/backend/trading/resume', { exchange: 'PAPER' });
    assert.deepEqual(resumed.payload, { subscriptions: 1, executions: 1 });
    assert.equal((await own.ask('GET', '/backend/subscriptions')).payload.subscriptions[0].isPaused, false);
    assert.equal((await own.ask('POST', '/backend/trading/pause', { exchange: 'NOPE' })).status, 400);
  });

  it('tells why an account was paused by itself until it is resumed, and orders of unknown origin', async () => {
    const own = await follower();
    const { storage } = service;
    assert.equal(await storage.subscriptions.pauseFor(own.userId, 'PAPER', 'it cannot be read'), 1);
    const order = { clientOrderId: 'web-1', account: 'SPOT' as const, pair: 'BTC/USDT', hasOwnId: false };
    const other = (await follower()).userId;
    for (const userId of [own.userId, other])
      await storage.foreignOrders.put({ userId, exchange: 'PAPER', orders: [order], seenAt: new Date() });
    const told = async () => {
      const { subscriptions, foreignOrders } = (await own.ask('GET', '/backend/subscriptions')).payload;
      const [{ isPaused, pauseReason }] = subscriptions as Pick<Subscription, 'isPaused' | 'pauseReason'>[];
      return [isPaused, pauseReason, foreignOrders as ForeignOrder[]];
    };
    assert.deepEqual(await told(), [true, 'it cannot be read', [{ exchange: 'PAPER', ...order }]]);
    // What the user has paused is not given another reason.
    await own.ask('POST', '/backend/trading/pause', {});
    assert.equal(await storage.subscriptions.pauseFor(own.userId, 'PAPER', 'it cannot be read'), 0);
    await own.ask('POST', '/backend/trading/resume', {});
    await storage.foreignOrders.put({
      userId: own.userId,
      exchange: 'PAPER',
      orders: [],
      seenAt: new Date(),
    });
    assert.deepEqual(await told(), [false, null, []]);
  });

  it('closes all that is open: the wish is stored with the execution, which is due at once', async () => {
    const own = await follower();
    const open = await delivered(own, { status: 'open' });
    const { payload } = await own.ask('POST', '/backend/trading/close-all', {});
    assert.deepEqual(payload, { subscriptions: 1, executions: 1 });
    const { wish, dueAt, revision } = await stored(open.execution.id);
    assert.deepEqual([wish, dueAt !== null, revision], ['close', true, 1]);
    assert.equal((await own.ask('GET', '/backend/subscriptions')).payload.subscriptions[0].isPaused, true);
  });

  it('ends a subscription, and closes what is open only if that is asked for', async () => {
    for (const close of [false, true]) {
      const own = await follower();
      const open = await delivered(own, { status: 'open' });
      const path = `/backend/subscriptions/${own.subscriptionId}${close ? '?close=true' : ''}`;
      assert.deepEqual((await own.ask('DELETE', path)).payload, {
        id: own.subscriptionId,
        closing: close ? 1 : 0,
      });
      assert.deepEqual((await own.ask('GET', '/backend/subscriptions')).payload.subscriptions, []);
      assert.equal((await stored(open.execution.id)).wish, close ? 'close' : null);
      assert.equal((await own.ask('DELETE', path)).status, 404);
    }
  });

  it('tells the partner how many executions are in which state, and nothing of accounts', async () => {
    const own = await follower();
    const { signalId } = await delivered(own, { status: 'open', orders: [order()] });
    const { payload } = await partner.ask('GET', `/v1/signal/${signalId}`);
    assert.deepEqual([payload.executions.open, payload.executions.closed], [1, 0]);
    for (const secret of [own.userId, own.subscriptionId, 'followed-'])
      assert.equal(JSON.stringify(payload).includes(secret), false);
  });

  it('refuses commands on a signal whose executions have all ended', async () => {
    const own = await follower();
    const { signalId } = await delivered(own, { status: 'closed', endedAt: new Date() });
    const signal = (await service.storage.signals.find(partner.id, signalId))!;
    await service.storage.signals.advance(signal, { after: 'x', isDone: true, delivered: 1 }, null);
    const body = { parent_signal_id: signalId, buy_price: '90', multiplier: 1 };
    const answer = await partner.ask('POST', `/v1/signal/${signalId}/call/dca`, body);
    assert.deepEqual(
      [answer.status, answer.result.type, answer.payload.field],
      [400, 'INVALID_INPUT_CONTENT', 'parent_signal_id'],
    );
    const cancelled = await partner.ask('DELETE', `/v1/signal/${signalId}/cancel`, {
      parent_signal_id: signalId,
    });
    assert.equal(cancelled.status, 200);
  });
});
