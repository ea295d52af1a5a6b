import assert from 'node:assert/strict';
import { Decimal } from '../../../../compute/model/decimal.js';
import type { VenueOrder } from '../../../../storage/exchanges/trading-venue.js';
import { ExchangeProcess } from '../../../support/fake-exchange/exchange-process.js';
import { temporaryRedis } from '../../../support/servers/temporary-redis.js';
import { temporaryStorage } from '../../../support/servers/temporary-storage.js';
import { liveOrder } from '../../../support/venues/live-order.js';
import { LiveRig } from '../../../support/venues/live-rig.js';

describe('an order on SPOT of Binance that is stop and target in one', function () {
  this.timeout(60_000);
  const context = temporaryStorage();
  const redis = temporaryRedis();
  let exchange: ExchangeProcess;
  let rig: LiveRig;
  before(async () => {
    exchange = await ExchangeProcess.start();
    rig = new LiveRig(exchange, context.storage, redis.redis);
  });
  after(() => exchange.close());
  beforeEach(() => rig.price('60000'));

  const terms = { side: 'sell', type: 'stop', stopPrice: '55000', reduces: true } as const;
  const targetPrice = Decimal.parse('66000');
  /** A new account that has no more than the order sells, and the order. */
  const placed = async (more: Parameters<typeof liveOrder>[1] = {}): Promise<VenueOrder> => {
    const userId = await rig.account({ spot: { BTC: '0.01' } });
    const order = liveOrder(userId, { ...terms, targetPrice, ...more });
    const state = await rig.accepted(order);
    assert.deepEqual([state.status, String(state.filled)], ['open', '0']);
    return order;
  };
  const both = async ({ userId }: VenueOrder) =>
    (await rig.ledgerOrders(userId)).map(({ type, status }) => `${type} ${status}`);
  const found = async (order: VenueOrder) => {
    const { status, fills } = await rig.found(order);
    return [status, ...fills.map(({ quantity, price }) => `${quantity.toString()} at ${price.toString()}`)];
  };

  it('stands as two orders that lock the quantity once, and is listed as one', async () => {
    const order = await placed({ price: '54000' });
    assert.deepEqual(await both(order), ['STOP_LOSS_LIMIT NEW', 'LIMIT_MAKER NEW']);
    assert.deepEqual(await found(order), ['open']);
    const open = await rig.venue.openOrders(order.userId);
    assert.deepEqual(
      open.map(({ clientOrderId, filled }) => [clientOrderId, String(filled)]),
      [[order.clientOrderId, '0']],
    );
    const holdings = await rig.venue.holdings(order.userId);
    assert.equal(
      String(holdings.find(({ account, asset }) => account === 'SPOT' && asset === 'BTC')!.free),
      '0',
    );
    assert.deepEqual(
      await rig.venue.cancel([order]).then(([each]) => each && 'status' in each && each.status),
      'cancelled',
    );
    assert.deepEqual(await both(order), ['STOP_LOSS_LIMIT CANCELED', 'LIMIT_MAKER CANCELED']);
  });

  it('sells at its target', async () => {
    const order = await placed();
    await rig.price('66500');
    assert.deepEqual(await found(order), ['filled', '0.01 at 66000']);
    assert.deepEqual(await both(order), ['STOP_LOSS EXPIRED', 'LIMIT_MAKER FILLED']);
    const fills = await rig.venue.fillsSince(order.userId, order.pair, 'SPOT', 0);
    assert.deepEqual(
      fills.map(({ quantity }) => String(quantity)),
      ['0.01'],
    );
  });

  it('sells at its stop', async () => {
    const order = await placed();
    await rig.price('54900');
    assert.deepEqual(await found(order), ['filled', '0.01 at 54900']);
    assert.deepEqual(await both(order), ['STOP_LOSS FILLED', 'LIMIT_MAKER EXPIRED']);
  });

  it('gives its place to a stop alone once its target is filled in part', async () => {
    const order = await placed();
    await exchange.price('BTCUSDT', '66000', '0.004');
    assert.deepEqual(await found(order), ['open', '0.004 at 66000']);
    const { filled } = await rig.found(order);
    const next = liveOrder(order.userId, {
      ...{ ...terms, quantity: '0.006' },
      replaces: { ...order, filled },
    });
    await rig.accepted(next);
    assert.deepEqual(await both(order), ['STOP_LOSS EXPIRED', 'LIMIT_MAKER CANCELED', 'STOP_LOSS NEW']);
    assert.deepEqual(await found(order), ['cancelled', '0.004 at 66000']);
  });

  it('takes the place of a stop, and is refused where the price has passed its target', async () => {
    const userId = await rig.account({ spot: { BTC: '0.01' } });
    const stop = liveOrder(userId, terms);
    await rig.accepted(stop);
    const pair = liveOrder(userId, { ...terms, targetPrice, replaces: { ...stop, filled: Decimal.zero } });
    await rig.accepted(pair);
    assert.deepEqual(await both(pair), ['STOP_LOSS CANCELED', 'STOP_LOSS NEW', 'LIMIT_MAKER NEW']);
    const late = await rig.account({ spot: { BTC: '0.01' } });
    await rig.price('66000');
    assert.match(await rig.refusal(liveOrder(late, { ...terms, targetPrice })), /immediately/);
  });
});
