import assert from 'node:assert/strict';
import { balanceText } from '../../../support/venues/balance-text.js';
import { eth, isolatedMargin } from '../../../support/venues/isolated-margin.js';

for (const dialect of ['binance', 'kucoin'] as const)
  describe(`isolated margin on ${dialect}`, function () {
    this.timeout(60_000);
    const paysFeesBeside = dialect === 'kucoin';
    const margin = isolatedMargin(dialect);
    /** What is held in cross margin. */
    const crossTotals = async (userId: string) =>
      (await margin.rig.venue.holdings(userId))
        .filter(({ account }) => account === 'MARGIN')
        .map(({ asset, total }) => [asset, String(total)]);

    it('has what is free by pair, apart from cross margin', async () => {
      const userId = await margin.user();
      const free = async (pair?: typeof eth) =>
        balanceText(
          await margin.rig.venue.freeBalances([userId], 'USDT', 'MARGIN', { isolated: pair }),
          userId,
        );
      assert.deepEqual([await free(margin.rig.pair), await free(eth), await free()], ['1000', '70', '5000']);
      await margin.rig.accepted(margin.order(userId, { price: '50000' }));
      assert.deepEqual(
        [await free(margin.rig.pair), await free()],
        [paysFeesBeside ? '499.5' : '500', '5000'],
      );
    });

    it('takes orders that borrow what is missing, and finds and cancels them there alone', async () => {
      const userId = await margin.user();
      const order = margin.order(userId, { quantity: '0.05' });
      await margin.rig.accepted(order);
      const cross = { ...order, marginMode: 'CROSS' as const };
      assert.deepEqual(await margin.rig.venue.find([cross]), [null]);
      assert.deepEqual(await margin.rig.venue.cancel([cross]), [null]);
      const open = await margin.rig.venue.openOrders(userId);
      assert.deepEqual(
        open.map(({ clientOrderId, account, pair }) => [clientOrderId, account, pair]),
        [[order.clientOrderId, 'MARGIN', margin.rig.pair]],
      );
      const [cancelled] = await margin.rig.venue.cancel([order]);
      assert.ok(cancelled && 'status' in cancelled && cancelled.status === 'cancelled');
      assert.deepEqual(await margin.rig.venue.openOrders(userId), []);
    });

    it('tells what is held as positions by pair, long and short, and cross margin apart from it', async () => {
      const userId = await margin.user();
      await margin.rig.accepted(margin.order(userId, { type: 'market', quantity: '0.02' }));
      await margin.rig.accepted(
        margin.order(userId, { type: 'market', side: 'sell', quantity: '0.05', pair: eth }),
      );
      const positions = (await margin.rig.venue.positions(userId)).map(({ account, pair, quantity }) => [
        ...[account, pair, String(quantity)],
      ]);
      assert.deepEqual(positions, [
        ['MARGIN', margin.rig.pair, paysFeesBeside ? '0.02' : '0.01998'],
        ['MARGIN', eth, '-0.05'],
      ]);
      assert.deepEqual(await crossTotals(userId), [['USDT', '5000']]);
    });

    it('does not borrow to sell more than is there', async () => {
      const userId = await margin.user();
      const sale = margin.order(userId, { type: 'market', side: 'sell', reduces: true });
      assert.match(await margin.rig.refusal(sale), /balance insufficient|insufficient balance/i);
    });

    it('tells its trades beside those of cross margin', async () => {
      const userId = await margin.user();
      const orders = [
        margin.order(userId, { type: 'market' }),
        margin.order(userId, { type: 'market', marginMode: 'CROSS' }),
      ];
      for (const order of orders) await margin.rig.accepted(order);
      const fills = await margin.rig.venue.fillsSince(userId, margin.rig.pair, 'MARGIN', Date.now() - 60_000);
      assert.equal(new Set(fills.map(({ tradeId }) => tradeId)).size, orders.length);
    });

    it('refuses orders of a pair whose account was not opened, with the words of the exchange', async () => {
      const userId = await margin.rig.account({ margin: { USDT: '5000' } });
      assert.match(await margin.rig.refusal(margin.order(userId)), /does not exist/);
      const free = await margin.rig.venue.freeBalances([userId], 'USDT', 'MARGIN', {
        isolated: margin.rig.pair,
      });
      assert.equal(balanceText(free, userId), '0');
    });
  });
