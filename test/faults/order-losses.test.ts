import assert from 'node:assert/strict';
import { Decimal } from '../../compute/model/decimal.js';
import type { OrderRef, VenueOrder } from '../../storage/exchanges/trading-venue.js';
import type { FaultRule } from '../support/fake-exchange/fault-script.js';
import { ExchangeProcess } from '../support/fake-exchange/exchange-process.js';
import { temporaryRedis } from '../support/servers/temporary-redis.js';
import { temporaryStorage } from '../support/servers/temporary-storage.js';
import { LiveRig } from '../support/venues/live-rig.js';

const d = (text: string) => Decimal.parse(text);
let orders = 0;

/** Losses that other programs have had, each on the fake exchange. */
describe('orders on an exchange', function () {
  this.timeout(30_000);
  const context = temporaryStorage();
  const redis = temporaryRedis();
  let exchange: ExchangeProcess;
  let live: LiveRig;
  let userId: string;

  before(async () => {
    exchange = await ExchangeProcess.start();
    live = new LiveRig(exchange, context.storage, redis.redis);
    await live.price('100');
  });
  after(() => exchange.close());
  beforeEach(async () => {
    userId = await live.account({ spot: { USDT: '1000', BTC: '5' } });
    await exchange.faults({ seed: 1, rules: [] });
    await live.price('100');
  });

  const orderOf = (more: Partial<VenueOrder> = {}): VenueOrder => ({
    ...{ userId, pair: live.pair, account: 'SPOT', clientOrderId: `loss${++orders}`, owner: 'execution' },
    ...{ side: 'buy', type: 'limit', price: d('90'), stopPrice: null, quantity: d('1') },
    ...{ reduces: false, leverage: 1, marginMode: 'ISOLATED', isNew: true },
    ...more,
  });
  const befall = (...rules: FaultRule[]) => exchange.faults({ seed: 1, rules });
  const place = async (order: VenueOrder) => (await live.venue.place([order]))[0];
  const placeAgain = (order: VenueOrder) => place({ ...order, isNew: false });
  const find = async (order: OrderRef) => (await live.venue.find([order]))[0];
  const cancel = async (order: OrderRef) => (await live.venue.cancel([order]))[0];
  const standing = async () =>
    (await live.ledgerOrders(userId)).map(({ clientOrderId, status }) => [clientOrderId, status]);
  const statusOf = (answer: object | null) => {
    if (answer === null) return null;
    const state = 'state' in answer ? (answer.state as { status: string }) : (answer as { status?: string });
    return state.status ?? Object.keys(answer)[0];
  };

  const lost: Record<string, FaultRule['fault']> = {
    'a timeout': { kind: 'silence', isDone: true },
    'a reset connection': { kind: 'reset', isDone: true },
    'an answer of 504': { kind: 'status', isDone: true, status: 504, code: -1007, message: 'Timeout.' },
    'a page instead of an answer': { kind: 'unreadable' },
  };
  for (const [name, fault] of Object.entries(lost))
    it(`${name} on create makes no second order, and the one that stands is not written off`, async () => {
      await befall({ on: 'create', fault });
      const order = orderOf();
      assert.equal(statusOf(await place(order)), 'unknown');
      assert.equal(statusOf(await placeAgain(order)), 'open');
      assert.deepEqual(await standing(), [[order.clientOrderId, 'NEW']]);
    });

  it('a market order that was filled behind a lost answer is not bought again, though its id is free', async () => {
    await befall({ on: 'create', fault: { kind: 'reset', isDone: true } });
    const order = orderOf({ type: 'market', price: null });
    assert.equal(statusOf(await place(order)), 'unknown');
    assert.equal(statusOf(await placeAgain(order)), 'filled');
    assert.deepEqual(await standing(), [[order.clientOrderId, 'FILLED']]);
  });

  it('an order that is "not found" right after create is there a moment later', async () => {
    await befall({ on: 'create', fault: { kind: 'hidden', ms: 200 } });
    const order = orderOf();
    assert.equal(statusOf(await place(order)), 'open');
    let found = await find(order);
    while (found === null) found = await find(order);
    assert.equal(statusOf(found), 'open');
  });

  it('a second order with the same id answers the one that stands', async () => {
    const order = orderOf();
    await place(order);
    assert.equal(statusOf(await place(order)), 'open');
    assert.equal((await standing()).length, 1);
  });

  it('a cancel that fails because the order was filled is a fill', async () => {
    const order = orderOf();
    await place(order);
    await live.price('89');
    const state = await cancel(order);
    assert.ok(state && 'filled' in state);
    assert.deepEqual([state.status, String(state.filled)], ['filled', '1']);
  });

  it('a cancel whose answer is lost is looked up, and asked again without harm', async () => {
    const order = orderOf();
    await place(order);
    await befall({ on: 'cancel', fault: { kind: 'reset', isDone: true } });
    assert.equal(statusOf(await cancel(order)), 'cancelled');
    assert.equal(statusOf(await cancel(order)), 'cancelled');
  });

  it('a stop that is filled in part tells what was sold, and the rest still stands', async () => {
    const order = orderOf({ ...stop('95', '94'), quantity: d('2') });
    await place(order);
    await exchange.price('BTCUSDT', '94.5', '0.5');
    const state = await find(order);
    assert.ok(state && 'fills' in state);
    assert.deepEqual([state.status, String(state.filled), state.fills.length], ['open', '0.5', 1]);
  });

  it('a stop on the wrong side of the market is refused, with what the exchange says', async () => {
    const placed = await place(orderOf(stop('105', '104')));
    assert.ok('refused' in placed);
    assert.match(placed.refused, /Stop price would trigger immediately/);
    assert.deepEqual(await standing(), []);
  });

  it('an order below the least value is refused, and none stands', async () => {
    const placed = await place(orderOf({ quantity: d('0.01') }));
    assert.ok('refused' in placed);
    assert.deepEqual(await standing(), []);
  });

  it('trades that are listed twice and in the wrong order count once', async () => {
    const order = orderOf({ quantity: d('2') });
    await place(order);
    await exchange.price('BTCUSDT', '90', '0.5');
    await exchange.price('BTCUSDT', '89', '0.7');
    await befall({ on: 'trades', times: null, fault: { kind: 'odd rows' } });
    const state = await find(order);
    assert.ok(state && 'fills' in state);
    assert.deepEqual(
      [String(state.filled), state.fills.map(({ quantity }) => String(quantity))],
      ['1.2', ['0.5', '0.7']],
    );
  });

  it('open orders are all found by a client that starts anew', async () => {
    const placed = [orderOf(), orderOf({ price: d('80') })];
    for (const order of placed) await place(order);
    const open = await live.open().openOrders(userId);
    assert.deepEqual(
      open.map(({ clientOrderId }) => clientOrderId),
      placed.map(({ clientOrderId }) => clientOrderId),
    );
  });

  it('an exchange that restarts has every order once', async () => {
    const order = orderOf();
    await place(order);
    await exchange.restart();
    assert.equal(statusOf(await placeAgain(order)), 'open');
    assert.equal((await standing()).length, 1);
  });
});

const stop = (stopPrice: string, price: string): Partial<VenueOrder> => ({
  ...{ side: 'sell', type: 'stop', reduces: true },
  stopPrice: d(stopPrice),
  price: d(price),
});
