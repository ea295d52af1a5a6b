import assert from 'node:assert/strict';
import type { StoredExecution, StoredOrder } from '../../../storage/signals/stored-execution.js';
import { keyOf } from '../../support/venues/live-rig.js';
import {
  hasBought,
  isOpenWithStop,
  type LiveScene,
  temporaryScene,
} from '../../support/venues/live-scene.js';

const isStanding = ({ status, reduces }: StoredOrder) => reduces && status === 'open';

describe('targets that rest on the exchange', function () {
  this.timeout(90_000);
  let scene: LiveScene;
  temporaryScene(async (opened) => {
    scene = opened;
    await scene.startEngine();
  });
  beforeEach(() => scene.live.price('61000'));

  const standing = async (userId: string) =>
    (await scene.exchange.ledger([keyOf(userId)])).orders
      .filter(({ status, side }) => status === 'NEW' && side === 'SELL')
      .map(({ type, price, stopPrice, quantity }) => `${type} ${price ?? stopPrice} ${quantity}`)
      .sort();

  it('are the last one with the stop on SPOT of Binance, and it is sold while nobody watches', async () => {
    const { userId, signal, isSo } = await scene.follow();
    await hasBought(isSo);
    assert.deepEqual(await standing(userId), ['LIMIT_MAKER 68000 0.00832', 'STOP_LOSS 55000 0.00832']);
    // Only the exchange sees this price.
    await scene.live.price('68000');
    await scene.live.price('61000');
    const closed = await isSo('its target has sold', ({ endedAt }) => endedAt !== null, '61000');
    assert.equal(closed.status, 'closed');
    const [sold] = closed.orders.filter(({ fills, reduces }) => reduces && fills.length > 0);
    assert.deepEqual(
      [sold.leg, sold.fills.map(({ price }) => price), closed.signalId],
      ['stop', ['68000'], signal.id],
    );
    assert.ok(
      closed.events.some(({ type, figures }) => type === 'target_reached' && figures.leg === 'target-2'),
    );
  });

  it('are all of them beside the stop on FUTURES of Binance, and one is filled while nobody watches', async () => {
    const { userId, isSo } = await scene.follow({
      subscription: { accounts: ['FUTURES'] },
      terms: { account: 'FUTURES' },
    });
    await hasBought(isSo);
    await isSo('its targets stand', ({ orders }) => orders.filter(isStanding).length === 3);
    assert.deepEqual(await standing(userId), [
      'LIMIT 66000 0.004',
      'LIMIT 68000 0.004',
      'STOP_MARKET 55000 0.008',
    ]);
    await scene.live.price('66000');
    await scene.live.price('61000');
    const sold = ({ orders }: StoredExecution) =>
      orders.some(({ leg, status }) => leg === 'target-1' && status === 'filled');
    await isSo('its first target has sold', sold, '61000');
    const closed = await isSo('the stop has sold the rest', ({ endedAt }) => endedAt !== null, '54000');
    assert.equal(closed.status, 'closed');
    assert.deepEqual(await standing(userId), []);
  });

  it('are watched where the exchange would refuse their price', async () => {
    const { userId, isSo } = await scene.follow({ terms: { targets: ['66000', '400000'] } });
    const { events } = await hasBought(isSo);
    assert.deepEqual(await standing(userId), ['STOP_LOSS 55000 0.00832']);
    assert.ok(events.every(({ type }) => type !== 'order_refused'));
  });

  it('give way to a stop that is refused while the symbol is halted, and put back when trading goes on', async () => {
    const { userId, signal, isSo } = await scene.follow();
    await hasBought(isSo);
    await scene.exchange.halt('BTCUSDT');
    await scene.rig.command(signal, { type: 'update_prices', stopLoss: '56000' });
    const isRefused = ({ events }: StoredExecution) =>
      events.filter(({ type, figures }) => type === 'order_refused' && figures.leg === 'stop').length >= 3;
    const { watched } = await isSo('its new stop is refused three times', isRefused);
    assert.deepEqual([await standing(userId), watched?.worse], [[], '56000']);
    await scene.exchange.halt('BTCUSDT', false);
    await isSo('it stands again', isOpenWithStop);
    assert.deepEqual(await standing(userId), ['STOP_LOSS 56000 0.00832']);
  });
});
