import assert from 'node:assert/strict';
import type { SignalEngine } from '../../../../jobs/signals/signal-engine.js';
import { clientOrderIdOf } from '../../../../storage/signals/client-order-id.js';
import type { ExecutionDocument } from '../../../../storage/signals/executions.js';
import type { StoredExecution } from '../../../../storage/signals/stored-execution.js';
import type { ExchangeProcess } from '../../../support/fake-exchange/exchange-process.js';
import { until } from '../../../support/process/until.js';
import { temporaryRedis } from '../../../support/servers/temporary-redis.js';
import { temporaryStorage } from '../../../support/servers/temporary-storage.js';
import type { LiveRig } from '../../../support/venues/live-rig.js';
import { hasBought, isOpenWithStop, LiveScene } from '../../../support/venues/live-scene.js';

function documentOf(execution: StoredExecution): Omit<StoredExecution, 'id'> {
  const rest: Partial<StoredExecution> & Omit<StoredExecution, 'id'> = { ...execution };
  delete rest.id;
  return rest;
}

describe('reconciliation with a real exchange', function () {
  this.timeout(90_000);
  const context = temporaryStorage();
  const redis = temporaryRedis();
  let scene: LiveScene;
  let exchange: ExchangeProcess;
  let live: LiveRig;
  let engine: SignalEngine;
  const startEngine = async () => {
    engine = await scene.startEngine({ reconcileMs: 500 });
  };

  before(async () => {
    scene = await LiveScene.open(context, redis.redis);
    ({ exchange, live } = scene);
    await startEngine();
  });
  after(() => scene.close());

  /** A user who has bought by a signal at 60,000. */
  const holder = async (stopOnExchange: boolean, spot: Record<string, string> = {}) => {
    await live.price('61000');
    const follower = await scene.follow({
      terms: { targets: ['80000'] },
      account: { spot: { USDT: '10000', ...spot } },
      subscription: { stopOnExchange },
    });
    const { isSo } = follower;
    const opened = await hasBought(
      isSo,
      (one) => one.status === 'open' && (!stopOnExchange || isOpenWithStop(one)),
    );
    return { ...follower, held: opened.state!.position.quantity };
  };

  it('books a sale by the stop on the exchange that no one has seen', async () => {
    const { userId, isSo } = await holder(true);
    await engine.close();
    await live.price('54000');
    await live.price('60000');
    await startEngine();
    const closed = await isSo('the sale is booked', ({ endedAt }) => endedAt !== null);
    assert.equal(closed.status, 'closed');
    const sales = closed.orders.filter(({ side }) => side === 'sell');
    assert.deepEqual(
      sales.map(({ leg, status }) => [leg, status]),
      [['stop', 'filled']],
    );
    const orders = await live.ledgerOrders(userId);
    // Beside the half of it that is the target.
    assert.equal(orders.filter(({ side, type }) => side === 'SELL' && type !== 'LIMIT_MAKER').length, 1);
  });

  it('reduces a position to what is there when the user has sold elsewhere', async () => {
    const { userId, isSo, held } = await holder(false);
    await live.sellByHand(userId, { quantity: '0.003' });
    const reduced = await isSo('less is held', ({ state }) => state!.position.quantity !== held);
    assert.equal(reduced.status, 'open');
    assert.equal(reduced.state!.position.quantity, (await live.ledgerAccount(userId)).spot.BTC);
    const lines = reduced.events.filter(({ type }) => type === 'sold_elsewhere');
    assert.deepEqual(
      lines.map(({ figures }) => figures),
      [{ quantity: reduced.state!.position.quantity }],
    );
    const closed = await isSo('the rest is sold', ({ endedAt }) => endedAt !== null, '54000');
    assert.equal(closed.status, 'closed');
  });

  it('leaves alone what the user holds and orders besides', async () => {
    const { userId, isSo, held } = await holder(true, { BTC: '1' });
    const order = { type: 'LIMIT', timeInForce: 'GTC', price: '90000', quantity: '0.5' } as const;
    const clientOrderId = await live.sellByHand(userId, order);
    const noted = async () => (await context.storage.foreignOrders.list({ userId, limit: 10 })).at(0);
    await until('it is noted', async () => (await noted()) !== undefined);
    const { orders } = (await noted())!;
    assert.deepEqual(orders, [{ clientOrderId, account: 'SPOT', pair: 'BTC/USDT', hasOwnId: false }]);
    const closed = await isSo('the stop has sold', ({ endedAt }) => endedAt !== null, '54000');
    assert.deepEqual(
      closed.events.filter(({ type }) => type === 'sold_elsewhere'),
      [],
    );
    const open = (await live.ledgerOrders(userId)).filter(({ status }) => status === 'NEW');
    assert.deepEqual(
      open.map(({ clientOrderId, quantity }) => [clientOrderId.startsWith('own'), quantity]),
      [[true, '0.5']],
    );
    assert.ok(Number(held) > 0);
  });

  it('pauses an account that cannot be read, and says why', async () => {
    const { userId, isSo } = await holder(true);
    await context.storage.connections.remove(userId, 'BINANCE');
    const paused = await isSo('it is told', ({ events }) =>
      events.some(({ type }) => type === 'account_paused'),
    );
    const [line] = paused.events.filter(({ type }) => type === 'account_paused');
    assert.equal(
      line.cause,
      'the account was paused: the account cannot be read: "BINANCE" is not connected',
    );
    const [subscription] = await context.storage.subscriptions.ofUser(userId);
    assert.equal(subscription.isPaused, true);
    assert.equal(subscription.pauseReason, 'the account cannot be read: "BINANCE" is not connected');
    assert.equal(paused.events.filter(({ type }) => type === 'account_paused').length, 1);
  });

  it('pauses an account with an order that has an id of this service and is not stored', async () => {
    const { userId, isSo } = await holder(true, { BTC: '1' });
    const clientOrderId = clientOrderIdOf('an execution that is lost', 'target-1', 1);
    await live.sellByHand(userId, {
      clientOrderId,
      type: 'LIMIT',
      timeInForce: 'GTC',
      price: '90000',
      quantity: '0.5',
    });
    const paused = await isSo('it is told', ({ events }) =>
      events.some(({ type }) => type === 'account_paused'),
    );
    const reason = `the order "${clientOrderId}" of BTC/USDT on SPOT has an id of this service and is not among yours: another user or installation trades the same account, which one of you has to disconnect, or a database was lost; then cancel the order on the exchange`;
    assert.equal(
      paused.events.find(({ type }) => type === 'account_paused')?.cause,
      `the account was paused: ${reason}; it resumes by itself once this has passed`,
    );
    const [{ isPaused, pauseReason }] = await context.storage.subscriptions.ofUser(userId);
    assert.deepEqual([isPaused, pauseReason], [true, `${reason}; it resumes by itself once this has passed`]);
    const [{ orders }] = await context.storage.foreignOrders.list({ userId, limit: 10 });
    assert.deepEqual(orders, [{ clientOrderId, account: 'SPOT', pair: 'BTC/USDT', hasOwnId: true }]);
    const open = (await live.ledgerOrders(userId)).filter(({ status }) => status === 'NEW');
    assert.ok(open.some((order) => order.clientOrderId === clientOrderId));
    const { id } = open.find((order) => order.clientOrderId === clientOrderId)!;
    await exchange.apply({ type: 'cancel', orderId: id });
    const noted = () => context.storage.foreignOrders.list({ userId, limit: 10 });
    await until('it is gone', async () => (await noted()).length === 0);
  });

  it('takes back an order of an execution that has ended, and pauses nothing', async () => {
    const { userId, isSo } = await holder(true, { BTC: '1' });
    const going = await isSo('it is open', isOpenWithStop);
    const executions = context.db.collection<ExecutionDocument>('executions');
    const id = `${going.signalId}:ended`;
    const clientOrderId = clientOrderIdOf(id, 'target-9', 1);
    const stop = going.orders.find(({ leg }) => leg === 'stop')!;
    const order = {
      ...stop,
      clientOrderId,
      leg: 'target-9',
      status: 'cancelled' as const,
      exchangeOrderId: null,
    };
    const state = { ...going.state!, status: 'closed' as const, orders: [] };
    state.position = { ...state.position, quantity: '0' };
    const status = 'closed' as const;
    const ended = { state, status, endedAt: new Date(), dueAt: null, watched: null, bookAt: null };
    await executions.insertOne({ ...documentOf(going), ...ended, _id: id, orders: [order], writer: 'test' });
    await live.sellByHand(userId, {
      clientOrderId,
      type: 'LIMIT',
      timeInForce: 'GTC',
      price: '90000',
      quantity: '0.5',
    });
    const stands = async () =>
      (await live.ledgerOrders(userId)).find((each) => each.clientOrderId === clientOrderId)!.status;
    await until('it is taken back', async () => (await stands()) === 'CANCELED');
    const [{ isPaused }] = await context.storage.subscriptions.ofUser(userId);
    assert.equal(isPaused, false);
    await until('it has ended again', async () => (await executions.findOne({ _id: id }))!.endedAt !== null);
    const back = (await executions.findOne({ _id: id }))!;
    assert.equal(back.orders[0].status, 'cancelled');
  });
});
