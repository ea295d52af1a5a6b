import assert from 'node:assert/strict';
import type { FaultRule, RequestFault } from '../../support/fake-exchange/fault-script.js';
import { temporaryRedis } from '../../support/servers/temporary-redis.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';
import { hasBought, LiveScene, tradesFuturesAlone } from '../../support/venues/live-scene.js';

const spotAlone = { mayTradeMargin: false, mayTradeFutures: false };

/** How each exchange refuses a key for this address, and for orders alone. */
const refusals = {
  bybit: { address: [200, 10010, 'Unmatched IP.'], orders: [200, 10005, 'Permission denied.'] },
  kucoin: {
    address: [200, 400006, 'The IP is not in the whitelist.'],
    orders: [200, 400007, 'Access denied.'],
  },
} as const;

const answered = ([status, code, message]: readonly [number, number, string]): RequestFault => ({
  ...{ kind: 'status', isDone: false, status, code, message },
});

const transient: Record<string, RequestFault> = {
  'a failed gateway': { kind: 'status', isDone: false, status: 502 },
  'an object without fields': { kind: 'empty' },
  'a page': { kind: 'unreadable' },
  nothing: { kind: 'reset', isDone: false },
};

for (const dialect of ['bybit', 'kucoin'] as const)
  describe(`ordinary keys and faults on ${dialect}`, function () {
    this.timeout(90_000);
    const context = temporaryStorage();
    const redis = temporaryRedis();
    let scene: LiveScene;
    before(async () => {
      scene = await LiveScene.open(context, redis.redis, dialect);
      await scene.startEngine({ reconcileMs: 300 });
    });
    after(() => scene.close());
    beforeEach(async () => {
      await goWrong([]);
      await scene.live.price('61000');
    });

    const goWrong = (rules: FaultRule[]) => scene.exchange.faults({ seed: 1, rules });
    const isPaused = async (userId: string) =>
      (await context.storage.subscriptions.ofUser(userId))[0].isPaused;
    const money = { spot: { USDT: '10000' }, futures: { USDT: '10000' } };

    it('a key for spot alone trades', async () => {
      const { userId, isSo } = await scene.follow({ account: { ...money, ...spotAlone } });
      await hasBought(isSo, scene.isOpen);
      const { status } = await isSo('it has sold', ({ endedAt }) => endedAt !== null, '54000');
      assert.deepEqual([status, await isPaused(userId)], ['closed', false]);
    });

    it('a key for futures alone trades there, and follows no signals of SPOT', async () => {
      const account = { ...money, mayTradeMargin: false };
      const { userId, closed } = await tradesFuturesAlone(scene, account);
      assert.deepEqual([closed.status, await isPaused(userId)], ['closed', false]);
    });

    it('an account with dust and coins that are traded no more trades', async () => {
      const spot = { USDT: '10000', BTC: '0.00000001', GONE: '7' };
      const { userId, isSo } = await scene.follow({ account: { spot, ...spotAlone } });
      await hasBought(isSo, scene.isOpen);
      const { status } = await isSo('it has sold', ({ endedAt }) => endedAt !== null, '54000');
      assert.deepEqual([status, await isPaused(userId)], ['closed', false]);
    });

    for (const [what, fault] of Object.entries(transient))
      it(`neither skips a signal nor pauses its user: ${what}`, async () => {
        const wrong = () => goWrong([{ on: 'account', times: 3, fault }]);
        const { userId, isSo } = await scene.follow({ before: wrong });
        await hasBought(isSo, scene.isOpen);
        await wrong();
        const { status } = await isSo('it has sold', ({ endedAt }) => endedAt !== null, '54000');
        assert.deepEqual([status, await isPaused(userId)], ['closed', false]);
      });

    it('a key that is refused from here pauses the account until its owner acts; what it holds is sold', async () => {
      const { userId, isSo } = await scene.follow({
        subscription: { accounts: ['FUTURES'] },
        terms: { account: 'FUTURES' },
      });
      await hasBought(isSo);
      await goWrong([{ on: 'account', times: null, fault: answered(refusals[dialect].address) }]);
      await isSo('it is told', ({ events }) => events.some(({ type }) => type === 'account_paused'));
      await goWrong([]);
      const { status } = await isSo('it has sold', ({ endedAt }) => endedAt !== null, '54000');
      assert.deepEqual([status, await isPaused(userId)], ['closed', true]);
    });

    it('a key that reads, and trades no more, pauses the account; its stop stands', async () => {
      const { userId, signal, isSo } = await scene.follow({
        subscription: { accounts: ['FUTURES'] },
        terms: { account: 'FUTURES' },
      });
      await hasBought(isSo);
      const fault = answered(refusals[dialect].orders);
      await goWrong([
        { on: 'create', times: null, fault },
        { on: 'cancel', times: null, fault },
      ]);
      await scene.rig.command(signal, { type: 'update_prices', stopLoss: '56000' });
      await isSo('it is told', ({ events }) => events.some(({ type }) => type === 'account_paused'));
      await goWrong([]);
      const { status } = await isSo('it has sold', ({ endedAt }) => endedAt !== null, '55500');
      assert.deepEqual([status, await isPaused(userId)], ['closed', true]);
    });
  });
