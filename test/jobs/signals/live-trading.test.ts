import assert from 'node:assert/strict';
import type { MarketTick } from '../../../compute/model/market-tick.js';
import type { SignalTerms } from '../../../storage/signals/partner-signal.js';
import type { ExchangeProcess } from '../../support/fake-exchange/exchange-process.js';
import { temporaryRedis } from '../../support/servers/temporary-redis.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';
import type { EngineRig } from '../../support/signals/engine-rig.js';
import type { LiveRig } from '../../support/venues/live-rig.js';
import { isOpenWithStop, LiveScene, waitsForPrice } from '../../support/venues/live-scene.js';

describe('signals on a live venue', function () {
  this.timeout(90_000);
  const context = temporaryStorage();
  const redis = temporaryRedis();
  let scene: LiveScene;
  let exchange: ExchangeProcess;
  let live: LiveRig;
  let rig: EngineRig;
  const matched: MarketTick[] = [];
  /** In place of the paper exchange: it notes the prices that its orders would be matched with. */
  const match = async (ticks: readonly MarketTick[]): Promise<string[]> => {
    matched.push(...ticks);
    return [];
  };

  before(async () => {
    scene = await LiveScene.open(context, redis.redis);
    ({ exchange, live, rig } = scene);
    await live.price('61000');
    await scene.startEngine({ match });
  });
  after(() => scene.close());
  afterEach(() => exchange.faults({ seed: 1, rules: [] }));

  const follow = (terms: Partial<SignalTerms> = {}) => scene.follow({ terms });

  it('buys at the entry, keeps the stop on the exchange, and sells at the targets', async () => {
    await live.price('61000');
    const { userId, isSo } = await follow();
    await isSo('it waits for its price', waitsForPrice);
    const opened = await isSo('the entry is filled', isOpenWithStop, '59900');
    assert.equal(opened.market, 'binance-spot');
    const [stop] = (await live.ledgerOrders(userId)).filter(({ status }) => status === 'NEW');
    assert.deepEqual([stop.side, stop.type, stop.stopPrice], ['SELL', 'STOP_LOSS', '55000']);
    await isSo(
      'the first target is sold',
      ({ orders }) => orders.some(({ leg }) => leg === 'target-1'),
      '66100',
    );
    const closed = await isSo('all is sold', ({ endedAt }) => endedAt !== null, '68100');
    assert.equal(closed.status, 'closed');
    const orders = await live.ledgerOrders(userId);
    assert.deepEqual(
      orders.filter(({ status }) => status === 'NEW'),
      [],
    );
    assert.equal(new Set(orders.map(({ clientOrderId }) => clientOrderId)).size, orders.length);
    const { BTC = '0' } = (await live.ledgerAccount(userId)).spot;
    assert.ok(Number(BTC) < 0.00001, BTC);
  });

  it('matches no order of the paper exchange with prices of a venue', async () => {
    await live.price('61000');
    const { isSo } = await follow();
    await isSo('it waits for its price', waitsForPrice);
    await isSo('the entry is filled', isOpenWithStop, '59900');
    assert.deepEqual(matched, []);
  });

  it('sends the first orders of a signal at once when the price is there already', async () => {
    await live.price('59900');
    const { isSo } = await follow();
    const { orders } = await isSo('the entry is filled', ({ status }) => status === 'open');
    const [{ createdAt, fills }] = orders;
    const waitedMs = fills[0].at.getTime() - createdAt.getTime();
    assert.ok(waitedMs < 10_000, String(waitedMs));
  });

  it('is sold by the stop that stands on the exchange', async () => {
    await live.price('61000');
    const { userId, isSo } = await follow();
    await isSo('the entry is filled', isOpenWithStop, '59900');
    const closed = await isSo('the stop has sold', ({ endedAt }) => endedAt !== null, '54000');
    const sold = closed.orders.filter(({ side, filled }) => side === 'sell' && filled !== '0');
    assert.deepEqual(
      sold.map(({ leg }) => leg),
      ['stop'],
    );
    assert.equal((await live.ledgerOrders(userId)).filter(({ status }) => status === 'NEW').length, 0);
  });

  it('places no second order after a timeout on create', async () => {
    await live.price('61000');
    await exchange.faults({ seed: 1, rules: [{ on: 'create', fault: { kind: 'silence', isDone: true } }] });
    const { userId, isSo } = await follow();
    await isSo('the entry is found and filled', isOpenWithStop, '59900');
    const buys = (await live.ledgerOrders(userId)).filter(({ side }) => side === 'BUY');
    assert.equal(buys.length, 1);
  });

  it('places an order again once it is proved that a lost request cannot arrive', async () => {
    await live.price('61000');
    await exchange.faults({ seed: 1, rules: [{ on: 'create', fault: { kind: 'reset', isDone: false } }] });
    const { userId, isSo } = await follow();
    await isSo('the order is unknown', ({ orders }) => orders[0]?.status === 'unknown', '59900');
    const opened = await isSo('it is placed again and filled', isOpenWithStop, '59900');
    const [entry] = opened.orders;
    const waitedMs = entry.sentAt!.getTime() - entry.createdAt.getTime();
    assert.ok(waitedMs > 10_000 + live.venue.lateMs, String(waitedMs));
    const buys = (await live.ledgerOrders(userId)).filter(({ side }) => side === 'BUY');
    assert.deepEqual(
      buys.map(({ clientOrderId }) => clientOrderId),
      [entry.clientOrderId],
    );
  });

  it('closes everything at market when the signal is cancelled', async () => {
    await live.price('61000');
    const { userId, signal, isSo } = await follow();
    await isSo('the entry is filled', isOpenWithStop, '59900');
    await rig.command(signal, { type: 'cancel' });
    await isSo('it is flat', ({ endedAt }) => endedAt !== null, '59900');
    assert.equal((await live.ledgerOrders(userId)).filter(({ status }) => status === 'NEW').length, 0);
    const { BTC = '0' } = (await live.ledgerAccount(userId)).spot;
    assert.ok(Number(BTC) < 0.00001, BTC);
  });

  it('opens a short on futures with its leverage, and closes it by the stop that stands there', async () => {
    await live.price('59000');
    const { userId, isSo } = await follow({
      ...{ side: 'short', account: 'FUTURES', leverage: 3, marginType: 'ISOLATED' },
      entries: [{ level: 'min', type: 'limit', price: '60000', zoneEnd: null, percent: '100' }],
      targets: ['54000', '52000'],
      stopLoss: '65000',
    });
    await isSo('it waits for its price', waitsForPrice, '59000');
    const opened = await isSo('the short is open', isOpenWithStop, '60100');
    assert.equal(opened.market, 'binance-futures');
    const [position] = await live.venue.positions(userId);
    assert.deepEqual(
      [position.account, position.pair, String(position.quantity)],
      ['FUTURES', live.pair, `-${String(opened.orders[0].filled)}`],
    );
    assert.ok(position.liquidationPrice!.compare(position.entryPrice) > 0);
    const closed = await isSo('the stop has bought', ({ endedAt }) => endedAt !== null, '65100');
    const bought = closed.orders.filter(({ side, filled }) => side === 'buy' && filled !== '0');
    assert.deepEqual(
      bought.map(({ leg }) => leg),
      ['stop'],
    );
    assert.deepEqual(await live.venue.positions(userId), []);
  });
});
