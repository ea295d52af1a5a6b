import assert from 'node:assert/strict';
import type { SignalEngine } from '../../../../jobs/signals/signal-engine.js';
import type { StoredExecution } from '../../../../storage/signals/stored-execution.js';
import type { OrderRequest } from '../../../support/fake-exchange/book/book-order.js';
import { ExchangeProcess } from '../../../support/fake-exchange/exchange-process.js';
import { until } from '../../../support/process/until.js';
import { temporaryRedis } from '../../../support/servers/temporary-redis.js';
import { temporaryStorage } from '../../../support/servers/temporary-storage.js';
import { EngineRig } from '../../../support/signals/engine-rig.js';
import { keyOf, LiveRig } from '../../../support/venues/live-rig.js';

let runs = 0;

describe('reconciliation with a real exchange', function () {
  this.timeout(90_000);
  const context = temporaryStorage();
  const redis = temporaryRedis();
  let exchange: ExchangeProcess;
  let live: LiveRig;
  let rig: EngineRig;
  let engine: SignalEngine;
  const startEngine = async () => {
    const venues = new Map([['BINANCE', live.open()]]);
    engine = await rig.startEngine({ venues, sweepMs: 500, reconcileMs: 500 });
  };

  before(async () => {
    exchange = await ExchangeProcess.start();
    live = new LiveRig(exchange, context.storage, redis.redis);
    rig = await EngineRig.open(context, null);
    await startEngine();
  });
  after(async () => {
    await rig.close();
    await exchange.close();
  });

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
    const partnerId = `reconciled partner ${++runs}`;
    const userId = await live.account({ spot: { USDT: '10000', ...spot } });
    await rig.subscribe(`channel of ${partnerId}`, userId, { exchange: 'BINANCE', stopOnExchange });
    const signal = await rig.signal(partnerId, {
      entries: [{ level: 'max', type: 'limit', price: '60000', zoneEnd: null, percent: '100' }],
      targets: ['80000'],
      stopLoss: '55000',
    });
    const execution = async () => (await rig.executionsOf(signal.id)).at(0);
    const isSo = async (what: string, test: (one: StoredExecution) => boolean, price?: string) => {
      await until(
        what,
        async () => {
          if (price !== undefined) await live.price(price);
          const found = await execution();
          return found !== undefined && test(found);
        },
        30_000,
      );
      return (await execution())!;
    };
    await isSo('it waits for its price', ({ watched }) => watched?.everyTick === false);
    const stops = ({ orders }: StoredExecution) =>
      orders.some(({ leg, status }) => leg === 'stop' && status === 'open');
    const opened = await isSo(
      'it is open',
      (one) => one.status === 'open' && (!stopOnExchange || stops(one)),
      '60000',
    );
    return { userId, isSo, held: opened.state!.position.quantity };
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
