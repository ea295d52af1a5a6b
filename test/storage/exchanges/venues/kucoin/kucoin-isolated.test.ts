import assert from 'node:assert/strict';
import type { VenueOrder } from '../../../../../storage/exchanges/trading-venue.js';
import { ExchangeProcess } from '../../../../support/fake-exchange/exchange-process.js';
import { temporaryRedis } from '../../../../support/servers/temporary-redis.js';
import { temporaryStorage } from '../../../../support/servers/temporary-storage.js';
import { balanceText } from '../../../../support/venues/balance-text.js';
import { liveOrder } from '../../../../support/venues/live-order.js';
import { keyOf, LiveRig } from '../../../../support/venues/live-rig.js';

const eth = { base: 'ETH', quote: 'USDT' };

describe('isolated margin on KuCoin', function () {
  this.timeout(60_000);
  const context = temporaryStorage();
  const redis = temporaryRedis();
  let exchange: ExchangeProcess;
  let rig: LiveRig;
  before(async () => {
    exchange = await ExchangeProcess.start('kucoin');
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
  const refusal = async (order: VenueOrder) => {
    const placed = await place(order);
    assert.ok('refused' in placed, JSON.stringify(placed));
    return placed.refused;
  };
  const user = () =>
    rig.account({
      margin: { USDT: '5000' },
      isolated: { BTCUSDT: { USDT: '1000' }, ETHUSDT: { USDT: '70' } },
    });
  const crossTotals = async (userId: string) =>
    (await rig.venue.holdings(userId))
      .filter(({ account }) => account === 'MARGIN')
      .map(({ asset, total }) => [asset, String(total)]);

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

  it('tells what is held as positions by pair, long and short, and cross margin apart from it', async () => {
    const userId = await user();
    await state(isolated(userId, { type: 'market', quantity: '0.02' }));
    await state(isolated(userId, { type: 'market', side: 'sell', quantity: '0.05', pair: eth }));
    const positions = (await rig.venue.positions(userId)).map(({ account, pair, quantity }) => [
      ...[account, pair, String(quantity)],
    ]);
    assert.deepEqual(positions, [
      ['MARGIN', rig.pair, '0.01998'],
      ['MARGIN', eth, '-0.05'],
    ]);
    assert.deepEqual(await crossTotals(userId), [['USDT', '5000']]);
  });

  it('is closed at the price at which the debt reaches the share that KuCoin allows', async () => {
    const userId = await user();
    await state(isolated(userId, { type: 'market', quantity: '0.03' }));
    await state(isolated(userId, { type: 'market', side: 'sell', quantity: '0.03', pair: eth }));
    const [long, short] = (await rig.venue.positions(userId)).map(({ liquidationPrice }) =>
      Number(String(liquidationPrice)),
    );
    // 830 USDT are owed, and 0.02997 BTC are there; 0.03 ETH are owed, and 70 + 90 - 0.09 USDT are there.
    assert.ok(Math.abs(long - 830 / (0.97 * 0.02997)) < 1e-6, String(long));
    assert.ok(Math.abs(short - (0.97 * 159.91) / 0.03) < 1e-6, String(short));
  });

  it('has no price that closes it while nothing is owed', async () => {
    const userId = await user();
    await state(isolated(userId, { type: 'market' }));
    const [{ quantity, liquidationPrice }] = await rig.venue.positions(userId);
    assert.deepEqual([String(quantity), liquidationPrice], ['0.00999', null]);
  });

  it('does not borrow to sell more than is there', async () => {
    const userId = await user();
    const sale = isolated(userId, { type: 'market', side: 'sell', reduces: true });
    assert.match(await refusal(sale), /Balance insufficient/);
  });

  it('pays back what was borrowed when it is closed', async () => {
    const userId = await user();
    await state(isolated(userId, { type: 'market', quantity: '0.03' }));
    const held = (await rig.venue.positions(userId))[0].quantity;
    await state(isolated(userId, { type: 'market', side: 'sell', reduces: true, quantity: String(held) }));
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

  it('has the leverage of the signal, asked for once', async () => {
    const userId = await user();
    await state(isolated(userId, { price: '50000', leverage: 5 }));
    await state(isolated(userId, { price: '50000', leverage: 5 }));
    const asked = (await exchange.requests()).filter(
      ({ apiKey, kind }) => apiKey === keyOf(userId) && kind === 'settings',
    );
    assert.equal(asked.length, 1);
    assert.match(await refusal(isolated(userId, { leverage: 20 })), /leverage is invalid/);
  });

  it('refuses orders of a pair whose account was not opened, with the words of the exchange', async () => {
    const userId = await rig.account({ margin: { USDT: '5000' } });
    assert.match(await refusal(isolated(userId)), /does not exist/);
    const free = await rig.venue.freeBalances([userId], 'USDT', 'MARGIN', rig.pair);
    assert.equal(balanceText(free, userId), '0');
  });

  it('is part of the wallet of MARGIN, and its interest names the pair', async () => {
    const userId = await user();
    await state(isolated(userId, { type: 'market', quantity: '0.03' }));
    const apiKey = keyOf(userId);
    await exchange.apply(
      { type: 'interest', apiKey, asset: 'USDT', amount: '0.02', symbol: 'BTCUSDT' },
      { type: 'interest', apiKey, asset: 'USDT', amount: '0.01' },
    );
    const reader = await rig.reader(userId);
    const { assets, entries } = await reader.wallet('MARGIN', {
      ...{ sinceMs: Date.now() - 60_000, pairs: [], evenIfEmpty: false },
    });
    assert.deepEqual(
      assets.map(({ asset, total, borrowed }) => [asset, String(total), String(borrowed)]),
      [
        ['BTC', '0.02997', '0'],
        ['USDT', '5069.99', '830.02'],
      ],
    );
    assert.deepEqual(
      entries!.map(({ kind, asset, amount, pair }) => [kind, asset, String(amount), pair]).sort(),
      [
        ['interest', 'USDT', '-0.01', null],
        ['interest', 'USDT', '-0.02', rig.pair],
      ],
    );
  });
});
