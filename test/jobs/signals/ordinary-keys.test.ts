import assert from 'node:assert/strict';
import { displacedReason } from '../../../storage/accounts/connections.js';
import { defaultPairs } from '../../support/fake-exchange/book/traded-pair.js';
import type { AccountSetup } from '../../support/fake-exchange/book/exchange-command.js';
import {
  hasBought,
  type LiveScene,
  temporaryScene,
  tradesFuturesAlone,
  waitsForPrice,
} from '../../support/venues/live-scene.js';

/** What a key for spot alone has: no futures, and a margin account that was never opened. */
const spotAlone: Partial<AccountSetup> = { mayTradeMargin: false, mayTradeFutures: false, hasMargin: false };

describe('an ordinary key', function () {
  this.timeout(90_000);
  let scene: LiveScene;
  const context = temporaryScene(async (opened) => {
    scene = opened;
    await scene.startEngine({ reconcileMs: 300 });
  });
  beforeEach(async () => {
    await scene.exchange.faults({ seed: 1, rules: [] });
    await scene.live.price('61000');
  });

  const pausesOf = async (userId: string) =>
    (await context.storage.subscriptions.ofUser(userId)).map(({ isPaused, pauseReason }) => [
      isPaused,
      pauseReason,
    ]);
  const pathsOf = async () => (await scene.exchange.requests()).map(({ path }) => path);

  it('for spot alone trades, and is not asked for accounts that it does not open', async () => {
    const { userId, isSo } = await scene.follow({ account: { spot: { USDT: '10000' }, ...spotAlone } });
    await hasBought(isSo);
    const compared = (await pathsOf()).filter((path) => path === '/api/v3/openOrders').length;
    await isSo('it is compared again', () => true);
    const closed = await isSo('the stop has sold', ({ endedAt }) => endedAt !== null, '54000');
    assert.equal(closed.status, 'closed');
    assert.deepEqual(await pausesOf(userId), [[false, null]]);
    assert.ok(compared > 0);
    assert.deepEqual(
      (await pathsOf()).filter((path) => path.includes('/fapi/v') && !isPublic(path)),
      [],
    );
  });

  it('trades although its account has dust, and coins that are traded no more', async () => {
    const { userId, isSo } = await scene.follow({
      account: { spot: { USDT: '10000', BTC: '0.00000001', GONE: '7', XRP: '3' }, ...spotAlone },
      before: async () => {
        const pairs = defaultPairs.map((pair) => (pair.base === 'XRP' ? { ...pair, status: 'BREAK' } : pair));
        await scene.exchange.apply({ type: 'pairs', pairs });
      },
    });
    await hasBought(isSo);
    const closed = await isSo('the stop has sold', ({ endedAt }) => endedAt !== null, '54000');
    assert.equal(closed.status, 'closed');
    assert.deepEqual(await pausesOf(userId), [[false, null]]);
  });

  it('buys nothing while another connection executes signals on its account, and says why', async () => {
    const connections = context.db.collection('connections');
    const claim = { venueAccount: 'binance 77' };
    await connections.insertOne({ ...claim, userId: 'another', exchange: 'OTHER', claimedAt: new Date() });
    const { userId, isSo } = await scene.follow({
      before: async (id) => {
        await connections.updateOne({ userId: id }, { $set: { ...claim, claimedAt: new Date(1) } });
      },
    });
    await isSo('it waits for its price', waitsForPrice);
    const { status, reason } = await isSo('it is skipped', ({ endedAt }) => endedAt !== null, '60000');
    assert.deepEqual([status, reason], ['skipped', displacedReason]);
    assert.deepEqual(await scene.live.ledgerOrders(userId), []);
  });

  it('for spot alone follows no signals of futures, and says why', async () => {
    const { userId, isSo } = await scene.follow({
      account: { spot: { USDT: '10000' }, futures: { USDT: '10000' }, ...spotAlone },
      subscription: { accounts: ['SPOT', 'FUTURES'] },
      terms: { account: 'FUTURES' },
    });
    const skipped = await isSo('it is skipped', ({ endedAt }) => endedAt !== null);
    assert.deepEqual(
      [skipped.status, skipped.reason],
      ['skipped', 'BINANCE does not show the balance of FUTURES to the key'],
    );
    assert.deepEqual(await pausesOf(userId), [[false, null]]);
  });

  it('for futures alone trades there, and follows no signals of SPOT', async () => {
    const account = { spot: { USDT: '10000' }, futures: { USDT: '10000' } };
    const { userId, skipped, closed } = await tradesFuturesAlone(scene, account);
    assert.equal(skipped.reason, 'BINANCE does not show the balance of SPOT to the key');
    assert.equal(closed.status, 'closed');
    assert.deepEqual(await pausesOf(userId), [[false, null]]);
  });

  it('with a margin account that was never opened trades on spot and futures', async () => {
    const { userId, isSo } = await scene.follow({
      account: { spot: { USDT: '10000' }, futures: { USDT: '10000' }, hasMargin: false },
      subscription: { accounts: ['FUTURES'] },
      terms: { account: 'FUTURES' },
    });
    await hasBought(isSo);
    const closed = await isSo('the stop has sold', ({ endedAt }) => endedAt !== null, '54000');
    assert.equal(closed.status, 'closed');
    assert.deepEqual(await pausesOf(userId), [[false, null]]);
  });

  const isPublic = (path: string) => /exchangeInfo|ticker|trades|klines|time|ping/i.test(path);
});
