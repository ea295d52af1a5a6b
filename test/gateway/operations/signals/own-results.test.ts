import assert from 'node:assert/strict';
import { Decimal } from '../../../../compute/model/decimal.js';
import { Prices } from '../../../../storage/candles/prices.js';
import { encodeExecution } from '../../../../storage/signals/execution-json.js';
import type { StoredExecution } from '../../../../storage/signals/stored-execution.js';
import { accountUser, type AccountUser } from '../../../support/gateway/account-user.js';
import { openTestService, type TestService } from '../../../support/gateway/gateway.js';
import { bookedTrade } from '../../../support/signals/booked-trade.js';
import { filledOrder, storedFill } from '../../../support/signals/ended-execution.js';
import { makeExecution } from '../../../support/signals/make-execution.js';
import { makeStoredExecution, storedOrder } from '../../../support/signals/make-stored-execution.js';
import { partnerClient, type PartnerClient } from '../../../support/signals/partner-client.js';

const d = (text: string) => Decimal.parse(text);

describe('what came of signals for a user', () => {
  let service: TestService;
  let partner: PartnerClient;
  before(async () => {
    service = await openTestService({ computeNodes: 0 });
    partner = await partnerClient(service);
  });
  after(() => service.close());

  const delivered = async ({ userId }: AccountUser, more: Partial<StoredExecution> = {}) => {
    const signalId = await partner.create();
    const channelId = (await service.storage.channels.first(partner.id))!.id;
    const ids = { id: `${signalId}:${userId}`, signalId, channelId, subscriptionId: userId, userId };
    const execution = makeStoredExecution({ ...ids, partnerId: partner.id, ...more });
    await service.storage.executions.addAll([execution]);
    return { signalId, channelId, execution };
  };

  /** Bought 2 at 101 where the signal says 100, sold 1 at 109 where it says 110; its stop is at 90. */
  const traded = () => {
    const plan = makeExecution();
    const targets = plan.targets.map((leg, n) => (n === 0 ? { ...leg, state: 'done' as const } : leg));
    const position = {
      ...{ ...plan.position, quantity: d('1'), entered: d('2'), exited: d('1') },
      ...{ entryValue: d('202'), exitValue: d('109') },
    };
    return {
      status: 'open',
      state: encodeExecution({ ...plan, status: 'open', targets, position }),
      orders: [
        filledOrder('buy', [storedFill({ quantity: '2', price: '101' })]),
        filledOrder('sell', [storedFill({ price: '109', at: new Date(Date.UTC(2026, 0, 6)) })]),
      ],
    } as const satisfies Partial<StoredExecution>;
  };

  it('is told with fills beside the prices of the signal, slippage and the present R', async () => {
    const user = await accountUser(service);
    const { signalId } = await delivered(user, { ...traded(), orders: [...traded().orders] });
    const ask = async () =>
      (await user.get(`/backend/signals/${signalId}`)).payload as {
        result: Record<string, unknown>;
        isExecuted: boolean;
        targetsHit: number;
        history: { type: string }[];
      };
    const before = await ask();
    assert.deepEqual([before.result.unrealised, before.result.r], [null, null]);
    await new Prices(service.deps.redis).put('csv', [
      { base: 'BTC', quote: 'USDT', price: 106, change24hPercent: null, time: Date.now() },
    ]);
    const { result, isExecuted, targetsHit, history } = await ask();
    const { fills, ...figures } = result;
    // At risk were 2 x (101 - 90) = 22; 109 - 101 = 8 are earned and 106 - 101 = 5 are not realised.
    assert.deepEqual(figures, {
      ...{ isFinal: false, averageEntry: '101', averageExit: '109', entered: '2', exited: '1' },
      ...{ profit: '8', unrealised: 5, r: 0.590909090909 },
      ...{ entrySlippagePercent: 1, exitSlippagePercent: 0.909090909091 },
    });
    assert.deepEqual(fills, [
      {
        ...{ at: '2026-01-05T00:00:00.000Z', leg: 'entry-1', side: 'buy', quantity: '2', price: '101' },
        ...{ signalPrice: '100', slippagePercent: 1 },
      },
      {
        ...{ at: '2026-01-06T00:00:00.000Z', leg: 'target-1', side: 'sell', quantity: '1', price: '109' },
        ...{ signalPrice: '110', slippagePercent: 0.909090909091 },
      },
    ]);
    assert.deepEqual([isExecuted, targetsHit], [true, 1]);
    assert.deepEqual(
      history.map(({ type }) => type),
      ['created'],
    );
  });

  it('is final once the trade is booked', async () => {
    const user = await accountUser(service);
    const { signalId, execution } = await delivered(user, {
      ...{ ...traded(), orders: [...traded().orders], status: 'closed', endedAt: new Date() },
    });
    await service.storage.trades.book([
      bookedTrade({ id: execution.id, userId: user.userId, signalId, profit: '7.5', r: 0.3 }),
    ]);
    const { result } = (await user.get(`/backend/signals/${signalId}`)).payload;
    assert.deepEqual([result.isFinal, result.profit, result.unrealised, result.r], [true, '7.5', 0, 0.3]);
  });

  it('tells everything that the partner has said since, with its time', async () => {
    const user = await accountUser(service);
    const { signalId } = await delivered(user);
    await partner.ask('PUT', `/v1/signal/${signalId}/updateprice`, {
      parent_signal_id: signalId,
      stop_loss: '95',
    });
    const dca = { parent_signal_id: signalId, buy_price: '92', multiplier: 2 };
    await partner.ask('POST', `/v1/signal/${signalId}/call/dca`, dca);
    const { history, result, isExecuted } = (await user.get(`/backend/signals/${signalId}`)).payload;
    assert.deepEqual(
      history.map(({ type, cause }: Record<string, string>) => [type, cause.length > 0]),
      [
        ['created', true],
        ['update_prices', true],
        ['dca', true],
      ],
    );
    assert.deepEqual([result, isExecuted], [null, false]);
  });

  it('is told by channel with its name, and not of other users', async () => {
    const [user, other] = [await accountUser(service), await accountUser(service)];
    const { channelId } = await delivered(user);
    for (const { post } of [user, other])
      assert.equal((await post('/backend/subscriptions', { channel: channelId })).status, 200);
    const trades = [
      { profit: '10' },
      { profit: '-4' },
      { profit: '0.5', tradeMarket: 'BTC' },
      { profit: '99', channelId: 'another' },
    ];
    await service.storage.trades.book(
      trades.map((each) => bookedTrade({ channelId, userId: user.userId, days: [], ...each })),
    );
    const resultsOf = async ({ get }: AccountUser) => {
      const { payload } = await get('/backend/subscriptions?results=true');
      const [{ channelName, results }] = payload.subscriptions as {
        channelName: string;
        results: object[];
      }[];
      return { channelName, results };
    };
    const { name } = (await service.storage.channels.first(partner.id))!;
    const counted = (tradeMarket: string, profit: string, all: number, wins: number) => ({
      ...{ tradeMarket, profit, trades: all, wins, winRatePercent: (100 * wins) / all },
    });
    assert.deepEqual(await resultsOf(user), {
      channelName: name,
      results: [counted('BTC', '0', 1, 1), counted('USDT', '0', 2, 1)],
    });
    assert.deepEqual(await resultsOf(other), { channelName: name, results: [] });
  });
});

describe('the timeline of an order', () => {
  let service: TestService;
  before(async () => void (service = await openTestService({ computeNodes: 0 })));
  after(() => service.close());

  const at = (minute: number) => new Date(Date.UTC(2026, 0, 2, 3, minute));
  const timeline = async (
    given: Partial<StoredExecution['orders'][number]>,
    lines: [number, string][] = [],
  ) => {
    const user = await accountUser(service);
    const clientOrderId = `timeline-${user.userId}`;
    const order = { ...storedOrder, createdAt: at(0), updatedAt: at(9), ...given, clientOrderId };
    const events = lines.map(([minute, type]) => {
      return { at: at(minute), type, cause: `why ${type}`, figures: { leg: 'entry-1', price: '100' } };
    });
    await service.storage.executions.addAll([
      makeStoredExecution({ userId: user.userId, orders: [order], events }),
    ]);
    const { payload } = await user.get(`/backend/orders/${clientOrderId}`);
    const steps = payload.timeline as { at: string | null; step: string; text: string }[];
    const other = await accountUser(service);
    assert.equal((await other.get(`/backend/orders/${clientOrderId}`)).status, 404);
    const minuteOf = (time: string | null) => (time === null ? null : new Date(time).getUTCMinutes());
    return {
      status: payload.status as string,
      steps: steps.map((each) => [minuteOf(each.at), each.step, each.text]),
      failure: payload.failure as string | null,
      times: ['sentAt', 'acknowledgedAt', 'firstFillAt', 'endedAt'].map((name) =>
        minuteOf(payload[name] as string | null),
      ),
    };
  };

  it('of one that was filled in two parts is queued, submitted, acknowledged, filled', async () => {
    const fill = { tradeId: 'a', quantity: '0.4', price: '99', baseFee: '0', quoteFee: '0', at: at(3) };
    const found = await timeline(
      {
        ...{ status: 'filled', filled: '1', sentAt: at(1), exchangeOrderId: 'X-1' },
        fills: [fill, { ...fill, tradeId: 'b', quantity: '0.6', at: at(5) }],
      },
      [
        [2, 'entry_reached'],
        [4, 'bought'],
      ],
    );
    assert.deepEqual(found, {
      status: 'filled',
      steps: [
        [0, 'queued', 'the order was stored'],
        [1, 'submitted', 'it was sent to PAPER'],
        [null, 'acknowledged', 'PAPER has taken it as X-1'],
        [2, 'signal', 'entry_reached: why entry_reached'],
        [3, 'filled_in_part', 'trade a'],
        [4, 'signal', 'bought: why bought'],
        [5, 'filled', 'trade b'],
        [9, 'ended', 'filled'],
      ],
      failure: null,
      // An order of an earlier version, which did not keep when the exchange had taken it.
      times: [1, null, 3, 9],
    });
  });

  it('of one that the exchange has taken tells when, also where it named no id', async () => {
    const open = { status: 'open', sentAt: at(1), acknowledgedAt: at(2) } as const;
    const { steps, times } = await timeline(open);
    assert.deepEqual(steps, [
      [0, 'queued', 'the order was stored'],
      [1, 'submitted', 'it was sent to PAPER'],
      [2, 'acknowledged', 'PAPER has taken it'],
    ]);
    assert.deepEqual(times, [1, 2, null, null]);
    const planned = await timeline({ status: 'planned', retryAt: at(10) });
    assert.deepEqual(planned.times, [null, null, null, null]);
  });

  it('of one that the exchange does not answer for tells how often it was asked', async () => {
    const found = await timeline({
      ...{ status: 'unknown', attempts: 3, retryAt: at(10), reason: 'the exchange is down', sentAt: at(1) },
    });
    assert.deepEqual(found.steps.at(-1), [
      ...[9, 'retry'],
      'PAPER was asked 3 times in a row without an answer; the exchange is down; it is asked again at 2026-01-02T03:10:00.000Z',
    ]);
    assert.match(
      found.failure!,
      /^PAPER does not say what became of it: the exchange is down; it is looked up/,
    );
  });

  for (const [status, reason, failure] of [
    ['rejected', 'insufficient balance', 'PAPER refused it: insufficient balance'],
    ['expired', null, 'PAPER ended it: why order_refused'],
    ['cancelled', null, 'it was taken back: why order_refused'],
  ] as const)
    it(`of one that is ${status} tells why`, async () => {
      const found = await timeline({ status, reason }, [[2, 'order_refused']]);
      assert.deepEqual([found.failure, found.steps.at(-1)![1]], [failure, 'ended']);
    });

  it('shows a part that is filled as every client calls it, and lists orders by that name', async () => {
    const user = await accountUser(service);
    const orders = (['partly_filled', 'open'] as const).map((status, n) => ({
      ...{ ...storedOrder, status, clientOrderId: `part-${n}-${user.userId}` },
    }));
    await service.storage.executions.addAll([makeStoredExecution({ userId: user.userId, orders })]);
    const { payload } = await user.get('/backend/orders?status=partially_filled');
    assert.deepEqual(
      payload.orders.map(({ id, status }: Record<string, string>) => [id, status]),
      [[orders[0].clientOrderId, 'partially_filled']],
    );
    assert.equal((await user.get('/backend/orders?status=partly_filled')).status, 400);
    assert.equal((await user.get('/backend/orders?limit=200')).status, 200);
    assert.equal((await user.get('/backend/orders?limit=201')).status, 400);
  });
});
