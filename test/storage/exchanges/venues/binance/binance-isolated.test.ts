import assert from 'node:assert/strict';
import type { VenueOrder } from '../../../../../storage/exchanges/trading-venue.js';
import { ExchangeProcess } from '../../../../support/fake-exchange/exchange-process.js';
import { temporaryRedis } from '../../../../support/servers/temporary-redis.js';
import { temporaryStorage } from '../../../../support/servers/temporary-storage.js';
import { liveOrder } from '../../../../support/venues/live-order.js';
import { LiveRig } from '../../../../support/venues/live-rig.js';
import { balanceText } from '../../../../support/venues/balance-text.js';

const eth = { base: 'ETH', quote: 'USDT' };

describe('isolated margin on Binance', function () {
  this.timeout(60_000);
  const context = temporaryStorage();
  const redis = temporaryRedis();
  let exchange: ExchangeProcess;
  let rig: LiveRig;
  before(async () => {
    exchange = await ExchangeProcess.start();
    rig = new LiveRig(exchange, context.storage, redis.redis);
    await exchange.price('ETHUSDT', '3000');
  });
  after(() => exchange.close());
  beforeEach(() => rig.price('61000'));

  const isolated = (userId: string, more: Parameters<typeof liveOrder>[1] = {}) =>
    liveOrder(userId, { account: 'MARGIN', marginMode: 'ISOLATED', leverage: 3, ...more });
  const place = async (order: VenueOrder) => (await rig.venue.place([order]))[0];
  const state = async (order: VenueOrder) => {
    const placed = await place(order);
    assert.ok('state' in placed, JSON.stringify(placed));
    return placed.state;
  };
  const user = () =>
    rig.account({
      margin: { USDT: '5000' },
      isolated: { BTCUSDT: { USDT: '1000' }, ETHUSDT: { USDT: '70' } },
    });

  it('has what is free by pair, apart from cross margin', async () => {
    const userId = await user();
    const free = async (pair?: typeof eth) =>
      balanceText(await rig.venue.freeBalances([userId], 'USDT', 'MARGIN', pair), userId);
    assert.deepEqual([await free(rig.pair), await free(eth), await free()], ['1000', '70', '5000']);
    await state(isolated(userId, { price: '50000' }));
    assert.deepEqual([await free(rig.pair), await free()], ['500', '5000']);
  });

  it('takes orders that borrow what is missing, and finds and cancels them there alone', async () => {
    const userId = await user();
    const order = isolated(userId, { quantity: '0.05' });
    await state(order);
    const cross = { ...order, marginMode: 'CROSS' as const };
    assert.deepEqual(await rig.venue.find([cross]), [null]);
    assert.deepEqual(await rig.venue.cancel([cross]), [null]);
    const open = await rig.venue.openOrders(userId);
    assert.deepEqual(
      open.map(({ clientOrderId, account, pair }) => [clientOrderId, account, pair]),
      [[order.clientOrderId, 'MARGIN', rig.pair]],
    );
    const [cancelled] = await rig.venue.cancel([order]);
    assert.ok(cancelled && 'status' in cancelled && cancelled.status === 'cancelled');
    assert.deepEqual(await rig.venue.openOrders(userId), []);
  });

  it('tells what is held as positions by pair, long and short', async () => {
    const userId = await user();
    await state(isolated(userId, { type: 'market', quantity: '0.02' }));
    await state(isolated(userId, { type: 'market', side: 'sell', quantity: '0.05', pair: eth }));
    const positions = (await rig.venue.positions(userId)).map(({ account, pair, quantity }) => [
      account,
      pair,
      String(quantity),
    ]);
    assert.deepEqual(positions, [
      ['MARGIN', rig.pair, '0.01998'],
      ['MARGIN', eth, '-0.05'],
    ]);
    const cross = (await rig.venue.holdings(userId)).filter(({ account }) => account === 'MARGIN');
    assert.deepEqual(
      cross.map(({ asset, total }) => [asset, String(total)]),
      [['USDT', '5000']],
    );
  });

  it('does not borrow to sell more than is there', async () => {
    const userId = await user();
    const sale = isolated(userId, { type: 'market', side: 'sell', reduces: true });
    const placed = await place(sale);
    assert.ok('refused' in placed && placed.refused.includes('insufficient balance'), JSON.stringify(placed));
  });

  it('closes a position with a stop order that stands there', async () => {
    const userId = await user();
    await state(isolated(userId, { type: 'market' }));
    const stop = isolated(userId, {
      ...{ type: 'stop', side: 'sell', stopPrice: '58000' },
      ...{ quantity: '0.00999', reduces: true },
    });
    await state(stop);
    await rig.price('57000');
    const [found] = await rig.venue.find([stop]);
    assert.ok(found && 'status' in found && found.status === 'filled', JSON.stringify(found));
    assert.deepEqual(await rig.venue.positions(userId), []);
  });

  it('tells its trades beside those of cross margin', async () => {
    const userId = await user();
    const orders = [
      isolated(userId, { type: 'market' }),
      isolated(userId, { type: 'market', marginMode: 'CROSS' }),
    ];
    for (const order of orders) await state(order);
    const fills = await rig.venue.fillsSince(userId, rig.pair, 'MARGIN', Date.now() - 60_000);
    assert.deepEqual(
      fills.map(({ clientOrderId }) => clientOrderId).sort(),
      orders.map(({ clientOrderId }) => clientOrderId).sort(),
    );
  });

  it('refuses orders of a pair whose account was not opened, with the words of the exchange', async () => {
    const userId = await rig.account({ margin: { USDT: '5000' } });
    const placed = await place(isolated(userId));
    assert.ok('refused' in placed && placed.refused.includes('does not exist'), JSON.stringify(placed));
    const free = await rig.venue.freeBalances([userId], 'USDT', 'MARGIN', rig.pair);
    assert.equal(balanceText(free, userId), '0');
  });
});
