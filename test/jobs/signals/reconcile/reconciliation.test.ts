import assert from 'node:assert/strict';
import type { SignalEngine } from '../../../../jobs/signals/signal-engine.js';
import type { OrderRequest } from '../../../support/fake-exchange/book/book-order.js';
import type { ExchangeProcess } from '../../../support/fake-exchange/exchange-process.js';
import { temporaryRedis } from '../../../support/servers/temporary-redis.js';
import { temporaryStorage } from '../../../support/servers/temporary-storage.js';
import { keyOf, type LiveRig } from '../../../support/venues/live-rig.js';
import { isOpenWithStop, LiveScene, waitsForPrice } from '../../../support/venues/live-scene.js';

let runs = 0;

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

  const sell = (userId: string, more: Partial<OrderRequest>): Promise<void> =>
    exchange.apply({
      type: 'order',
      request: {
        ...{ account: keyOf(userId), kind: 'spot', symbol: 'BTCUSDT', clientOrderId: `own${++runs}` },
        ...{ side: 'SELL', type: 'MARKET', quantity: '0.001', price: null, stopPrice: null },
        ...more,
      } as OrderRequest,
    });

  /** A user who has bought by a signal at 60,000. */
  const holder = async (stopOnExchange: boolean, spot: Record<string, string> = {}) => {
    await live.price('61000');
    const follower = await scene.follow({
      terms: { targets: ['80000'] },
      account: { spot: { USDT: '10000', ...spot } },
      subscription: { stopOnExchange },
    });
    const { isSo } = follower;
    await isSo('it waits for its price', waitsForPrice);
    const opened = await isSo(
      'it has bought',
      (one) => one.status === 'open' && (!stopOnExchange || isOpenWithStop(one)),
      '60000',
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
    assert.equal(orders.filter(({ side }) => side === 'SELL').length, 1);
  });

  it('reduces a position to what is there when the user has sold elsewhere', async () => {
    const { userId, isSo, held } = await holder(false);
    await sell(userId, { quantity: '0.003' });
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
    await sell(userId, { type: 'LIMIT', price: '90000', quantity: '0.5' });
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
    assert.equal(paused.events.filter(({ type }) => type === 'account_paused').length, 1);
  });
});
