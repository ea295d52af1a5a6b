import assert from 'node:assert/strict';
import { eth, isolatedMargin } from '../../../../support/venues/isolated-margin.js';
import { keyOf } from '../../../../support/venues/live-rig.js';

/** Besides what `isolated-margin.test.ts` shows of all exchanges. */
describe('isolated margin on KuCoin alone', function () {
  this.timeout(60_000);
  const margin = isolatedMargin('kucoin');

  it('is closed at the price at which the debt reaches the share that KuCoin allows', async () => {
    const userId = await margin.user();
    await margin.rig.accepted(margin.order(userId, { type: 'market', quantity: '0.03' }));
    await margin.rig.accepted(
      margin.order(userId, { type: 'market', side: 'sell', quantity: '0.03', pair: eth }),
    );
    const [long, short] = (await margin.rig.venue.positions(userId)).map(({ liquidationPrice }) =>
      Number(String(liquidationPrice)),
    );
    // 831.83 USDT are owed, and 0.03 BTC are there; 0.03 ETH are owed, and 70 + 90 - 0.09 USDT are there.
    assert.ok(Math.abs(long - 831.83 / (0.97 * 0.03)) < 1e-6, String(long));
    assert.ok(Math.abs(short - (0.97 * 159.91) / 0.03) < 1e-6, String(short));
  });

  it('has no price that closes it while nothing is owed', async () => {
    const userId = await margin.user();
    await margin.rig.accepted(margin.order(userId, { type: 'market' }));
    const [{ quantity, liquidationPrice }] = await margin.rig.venue.positions(userId);
    assert.deepEqual([String(quantity), liquidationPrice], ['0.01', null]);
  });

  it('pays back what was borrowed when it is closed', async () => {
    const userId = await margin.user();
    await margin.rig.accepted(margin.order(userId, { type: 'market', quantity: '0.03' }));
    const held = (await margin.rig.venue.positions(userId))[0].quantity;
    await margin.rig.accepted(
      margin.order(userId, { type: 'market', side: 'sell', reduces: true, quantity: String(held) }),
    );
    assert.deepEqual(await margin.rig.venue.positions(userId), []);
  });

  it('has the leverage of the signal, asked for once', async () => {
    const userId = await margin.user();
    await margin.rig.accepted(margin.order(userId, { price: '50000', leverage: 5 }));
    await margin.rig.accepted(margin.order(userId, { price: '50000', leverage: 5 }));
    const asked = (await margin.exchange.requests()).filter(
      ({ apiKey, kind }) => apiKey === keyOf(userId) && kind === 'settings',
    );
    assert.equal(asked.length, 1);
    assert.match(await margin.rig.refusal(margin.order(userId, { leverage: 20 })), /leverage is invalid/);
  });

  it('is part of the wallet of MARGIN, and its interest names the pair', async () => {
    const userId = await margin.user();
    await margin.rig.accepted(margin.order(userId, { type: 'market', quantity: '0.03' }));
    const apiKey = keyOf(userId);
    await margin.exchange.apply(
      { type: 'interest', apiKey, asset: 'USDT', amount: '0.02', symbol: 'BTCUSDT' },
      { type: 'interest', apiKey, asset: 'USDT', amount: '0.01' },
    );
    const reader = await margin.rig.reader(userId);
    const { assets, entries } = await reader.wallet('MARGIN', {
      ...{ sinceMs: Date.now() - 60_000, pairs: [], evenIfEmpty: false },
    });
    assert.deepEqual(
      assets.map(({ asset, total, borrowed }) => [asset, String(total), String(borrowed)]),
      [
        ['BTC', '0.03', '0'],
        ['USDT', '5069.99', '831.85'],
      ],
    );
    assert.deepEqual(
      entries!.map(({ kind, asset, amount, pair }) => [kind, asset, String(amount), pair]).sort(),
      [
        ['interest', 'USDT', '-0.01', null],
        ['interest', 'USDT', '-0.02', margin.rig.pair],
      ],
    );
  });
});
