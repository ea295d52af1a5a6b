import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { SignalEngine } from '../../../../jobs/signals/signal-engine.js';
import { StreamedAccounts } from '../../../../storage/accounts/streamed-accounts.js';
import { wholeId } from '../../../../storage/exchanges/venues/binance/binance-pair.js';
import type { StoredExecution } from '../../../../storage/signals/stored-execution.js';
import { until } from '../../../support/process/until.js';
import { temporaryRedis } from '../../../support/servers/temporary-redis.js';
import { temporaryStorage } from '../../../support/servers/temporary-storage.js';
import { keyOf } from '../../../support/venues/live-rig.js';
import { hasBought, LiveScene } from '../../../support/venues/live-scene.js';

const hourMs = 3_600_000;
const isSold = ({ events }: StoredExecution): boolean => events.some(({ type }) => type === 'sold_elsewhere');

for (const dialect of ['binance', 'bybit', 'kucoin'] as const)
  describe(`private streams of ${dialect}`, function () {
    this.timeout(120_000);
    const context = temporaryStorage();
    const redis = temporaryRedis();
    let scene: LiveScene;
    let engine: SignalEngine;
    /** Accounts are compared each `reconcileMs` where streams do not tell of them. */
    const start = async (reconcileMs: number) => {
      engine = await scene.startEngine({ reconcileMs, followMs: 200 });
    };
    /** Resolves once the account of a user is known by its streams, or is not. */
    const known = (userId: string, isKnown = true) => {
      const streamed = new StreamedAccounts(scene.rig.redis, scene.live.name);
      const what = `the account is ${isKnown ? '' : 'not '}known by its streams`;
      return until(what, async () => (await streamed.has(userId)) === isKnown);
    };
    /** How often the balances of a user were asked for. */
    const readings = async (userId: string) => {
      const requests = await scene.exchange.requests();
      return requests.filter(({ kind, apiKey }) => kind === 'account' && apiKey === keyOf(userId)).length;
    };
    /** A user who has bought on SPOT by a signal. */
    const holder = async () => {
      await scene.live.price('61000');
      const follower = await scene.follow({
        account: { spot: { USDT: '10000' } },
        terms: { targets: ['80000'] },
      });
      await hasBought(follower.isSo, scene.isOpen);
      return follower;
    };
    /** Sells all BTC of a user, without this service. */
    const sellByHand = async (userId: string) => {
      for (const { id, status, clientOrderId } of await scene.live.ledgerOrders(userId))
        if (status === 'NEW' && wholeId(clientOrderId) === clientOrderId)
          await scene.exchange.apply({ type: 'cancel', orderId: id });
      const quantity = (await scene.live.total(userId, 'BTC')).round(5, 'floor').toString();
      await scene.live.sellByHand(userId, { quantity });
    };
    before(async () => {
      scene = await LiveScene.open(context, redis.redis, dialect);
    });
    beforeEach(() => scene.exchange.streamFaults({}));
    afterEach(() => engine.close());
    after(() => scene.close());

    it('tell of what the owner does, which no price and no comparison shows', async () => {
      await start(hourMs);
      const { userId, isSo } = await holder();
      await known(userId);
      await sellByHand(userId);
      const { state } = await isSo('the sale is known', isSold);
      // The rest of a step, which cannot be sold.
      assert.ok(Number(state!.position.quantity) < 0.00001);
    });

    it('tell of FUTURES to a key that opens nothing else', async () => {
      await start(hourMs);
      await scene.live.price('61000');
      const { userId, isSo } = await scene.follow({
        account: { futures: { USDT: '10000' }, mayTradeSpot: false, mayTradeMargin: false },
        subscription: { accounts: ['FUTURES'] },
        terms: { account: 'FUTURES', targets: ['80000'] },
      });
      await hasBought(isSo);
      await known(userId);
      for (const { id, status, type } of await scene.live.ledgerOrders(userId, 'FUTURES'))
        if (status === 'NEW' && type.includes('STOP'))
          await scene.exchange.apply({ type: 'cancel', orderId: id });
      await isSo('the cancel of its stop is known', ({ events }) =>
        events.some(({ type }) => type === 'cancelled_by_hand'),
      );
    });

    it('book each trade once, however often, late and in whatever order they tell it', async () => {
      await start(hourMs);
      await scene.exchange.streamFaults({ times: 3, isReordered: true, lateMs: 40 });
      const { userId, isSo } = await holder();
      await known(userId);
      const ended = await isSo('it has sold', ({ endedAt }) => endedAt !== null, '54000');
      const booked = ended.orders.flatMap(({ fills }) => fills.map(({ quantity }) => quantity));
      const { trades } = await scene.exchange.ledger([keyOf(userId)]);
      assert.deepEqual(booked.sort(), trades.map(({ quantity }) => quantity).sort());
    });

    it('leave nothing to be asked for; an account that is refused is compared as without them', async () => {
      await start(300);
      const [told, refused] = [await holder(), await holder()];
      await known(told.userId);
      await known(refused.userId);
      await scene.exchange.streamFaults({ refused: [keyOf(refused.userId)] });
      await scene.exchange.cutStreams();
      await known(told.userId, false);
      await known(told.userId);
      // What was heard and read since they opened comes first.
      const before = await readings(told.userId);
      const others = await readings(refused.userId);
      await until('the other is read again', async () => (await readings(refused.userId)) > others + 6);
      assert.ok((await readings(told.userId)) - before < 4);
      await known(refused.userId, false);
    });

    it('begin with a comparison, which finds what was missed while they were away', async () => {
      await start(hourMs);
      const { userId, isSo } = await holder();
      await known(userId);
      await scene.exchange.streamFaults({ isClosed: true });
      await scene.exchange.cutStreams();
      await known(userId, false);
      await sellByHand(userId);
      await scene.exchange.streamFaults({});
      await isSo('the sale is known', isSold);
    });

    // What is free on a unified account depends on its positions.
    const isAsked = dialect === 'bybit';
    it(`tell of balances: the exchange ${isAsked ? 'is' : 'need not be'} asked when a signal comes`, async () => {
      await start(hourMs);
      await scene.live.price('61000');
      const balances = async (userId: string) =>
        (await scene.exchange.requests()).filter(({ apiKey, path }) => {
          return apiKey === keyOf(userId) && /\/(accounts?|wallet-balance)$/.test(path);
        });
      let asked = 0;
      const { userId, isSo } = await scene.follow({
        account: { spot: { USDT: '10000' } },
        before: async (id) => {
          await known(id);
          if (!isAsked) await until('its balances are read', async () => (await balances(id)).length > 0);
          // The request has come; its answer is on the way.
          await pause(500);
          asked = (await balances(id)).length;
        },
      });
      await isSo('its entry is placed', ({ orders }) => orders.length > 0, '60000');
      assert.equal((await balances(userId)).length > asked, isAsked);
    });

    it('are opened again when their keys expire, and by another process when theirs has ended', async () => {
      await start(hourMs);
      const other = await scene.startEngine({ reconcileMs: hourMs, followMs: 200 });
      const { userId, isSo } = await holder();
      await known(userId);
      const { opened } = await scene.exchange.streams();
      await scene.exchange.expireStreams(keyOf(userId));
      if (dialect === 'binance')
        await until('they are opened again', async () => (await scene.exchange.streams()).opened > opened);
      await engine.close();
      await known(userId);
      await sellByHand(userId);
      await isSo('the sale is known', isSold);
      await other.close();
    });
  });
