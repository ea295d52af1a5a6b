import assert from 'node:assert/strict';
import { Decimal } from '../../../../compute/model/decimal.js';
import { RequestBudget } from '../../../../storage/exchanges/request-budget.js';
import { findVenue } from '../../../../storage/exchanges/venues/index.js';
import { ExchangeProcess } from '../../../support/fake-exchange/exchange-process.js';
import { temporaryRedis } from '../../../support/servers/temporary-redis.js';
import { temporaryStorage } from '../../../support/servers/temporary-storage.js';
import { liveOrder } from '../../../support/venues/live-order.js';
import { keyOf, LiveRig } from '../../../support/venues/live-rig.js';

for (const { dialect, account, create, refusal, clock } of [
  {
    dialect: 'binance',
    account: 'MARGIN',
    create: 'sapi POST margin/order',
    refusal: { status: 400, code: -2010, message: 'Account has insufficient balance for requested action.' },
    clock: { status: 400, code: -1021 },
  },
  {
    dialect: 'bybit',
    account: 'SPOT',
    create: 'private POST v5/order/create',
    refusal: { status: 200, code: 170131, message: 'Insufficient balance.' },
    clock: { status: 200, code: 10002 },
  },
] as const)
  describe(`a stop on ${account} of ${dialect} that is replaced`, function () {
    this.timeout(60_000);
    const context = temporaryStorage();
    const redis = temporaryRedis();
    let exchange: ExchangeProcess;
    let rig: LiveRig;
    before(async () => {
      exchange = await ExchangeProcess.start(dialect);
      rig = new LiveRig(exchange, context.storage, redis.redis, 0);
      await rig.price('60000');
    });
    after(() => exchange.close());

    /** Uses the limit of a request up, as other requests do. */
    const useUp = async (userId: string) => {
      const budget = new RequestBudget(redis.redis, dialect, findVenue(dialect)!.limits);
      const key = { apiKey: keyOf(userId), secret: `secret of ${userId}`, passphrase: 'the passphrase' };
      for (const cost of [100, 10, 1, 0.1, 0.01])
        while ((await budget.take({ name: create, cost, params: {} }, 'protect', key)) === 0);
    };

    it('stands as long as the budget has not admitted its successor, and is replaced then', async () => {
      const money = { USDT: '10000', BTC: '0.01' };
      const userId = await rig.account({ spot: money, margin: money });
      const venue = rig.open(10_000);
      const terms = { account, side: 'sell', type: 'stop', reduces: true } as const;
      const old = liveOrder(userId, { ...terms, price: '49000', stopPrice: '50000' });
      const [placed] = await venue.place([old]);
      assert.ok('state' in placed, JSON.stringify(placed));
      const next = liveOrder(userId, {
        ...{ ...terms, price: '50000', stopPrice: '51000' },
        replaces: { ...old, filled: placed.state.filled },
      });
      await useUp(userId);
      const [postponed] = await venue.place([{ ...next, sendBefore: Date.now() + 100 }]);
      assert.ok('postponed' in postponed, JSON.stringify(postponed));
      const standing = async () =>
        (await rig.ledgerOrders(userId, account)).filter(({ status }) => status === 'NEW');
      assert.deepEqual(
        (await standing()).map(({ clientOrderId }) => clientOrderId),
        [old.clientOrderId],
      );
      await redis.redis.flushdb();
      const [replaced] = await venue.place([next]);
      assert.ok('state' in replaced, JSON.stringify(replaced));
      assert.deepEqual(
        (await standing()).map(({ clientOrderId }) => clientOrderId),
        [next.clientOrderId],
      );
      // The cancel is not answered before it is too late to send the successor: it is sent all the same.
      const last = liveOrder(userId, {
        ...{ ...terms, price: '51000', stopPrice: '52000' },
        replaces: { ...next, filled: replaced.state.filled },
      });
      const slow = { kind: 'late answer', ms: 7_000 } as const;
      const wrong = { kind: 'status', isDone: false, ...clock } as const;
      await exchange.faults({
        seed: 1,
        rules: [
          { on: 'cancel', fault: slow },
          { on: 'create', fault: wrong },
        ],
      });
      const [late] = await venue.place([{ ...last, isNew: true, sendBefore: Date.now() + 5_000 }]);
      assert.ok('state' in late, JSON.stringify(late));
    });

    it('does not wait long to be told how the old one ended', async () => {
      const money = { USDT: '10000', BTC: '0.01' };
      const userId = await rig.account({ spot: money, margin: money });
      const terms = { account, side: 'sell', type: 'stop', reduces: true } as const;
      const old = liveOrder(userId, { ...terms, price: '49000', stopPrice: '50000' });
      await rig.accepted(old);
      const fault = { kind: 'silence', isDone: false } as const;
      await exchange.faults({ seed: 1, rules: [{ on: 'find', skip: 1, times: 1, fault }] });
      const next = liveOrder(userId, { ...terms, price: '50000', stopPrice: '51000' });
      const replaces = { ...old, filled: Decimal.zero };
      // The look-up is never answered: a client that waits for it places nothing.
      const [placed] = await rig.open(10_000).place([{ ...next, isNew: true, replaces }]);
      assert.ok('state' in placed, JSON.stringify(placed));
    });

    it('is placed again when its successor is refused', async () => {
      const money = { USDT: '10000', BTC: '0.01' };
      const userId = await rig.account({ spot: money, margin: money });
      const terms = { account, side: 'sell', type: 'stop', reduces: true } as const;
      const old = liveOrder(userId, { ...terms, price: '49000', stopPrice: '50000' });
      await rig.accepted(old);
      const fault = { kind: 'status', isDone: false, ...refusal } as const;
      await exchange.faults({ seed: 1, rules: [{ on: 'create', fault }] });
      const filled = Decimal.zero;
      const next = liveOrder(userId, { ...terms, price: '50000', stopPrice: '51000' });
      await rig.refusal({ ...next, replaces: { ...old, filled } });
      const standing = (await rig.ledgerOrders(userId, account)).filter(({ status }) => status === 'NEW');
      assert.deepEqual(
        standing.map(({ clientOrderId, stopPrice }) => [clientOrderId, stopPrice]),
        [[old.clientOrderId, '50000']],
      );
      assert.equal((await rig.found(old)).status, 'open');
      await rig.accepted({ ...next, replaces: { ...old, filled } });
    });
  });

describe('a stop on SPOT of binance that is replaced by one request', function () {
  this.timeout(60_000);
  const context = temporaryStorage();
  const redis = temporaryRedis();
  let exchange: ExchangeProcess;
  let rig: LiveRig;
  before(async () => {
    exchange = await ExchangeProcess.start('binance');
    rig = new LiveRig(exchange, context.storage, redis.redis, 0);
    await rig.price('60000');
  });
  after(() => exchange.close());

  const terms = { account: 'SPOT', side: 'sell', type: 'stop', reduces: true } as const;
  /** Moves the stop at 50,000 of a new user. Answers what was said, and the stops that stand then. */
  const moved = async (stopPrice: string, isHalted = false) => {
    const userId = await rig.account({ spot: { USDT: '10000', BTC: '0.01' } });
    const old = liveOrder(userId, { ...terms, price: '49000', stopPrice: '50000' });
    await rig.accepted(old);
    const next = liveOrder(userId, { ...terms, price: stopPrice, stopPrice });
    if (isHalted) await exchange.halt('BTCUSDT');
    const [placed] = await rig.open().place([{ ...next, replaces: { ...old, filled: Decimal.zero } }]);
    const orders = await rig.ledgerOrders(userId, 'SPOT');
    return { placed, stands: orders.filter(({ status }) => status === 'NEW').map((each) => each.stopPrice) };
  };

  it('is placed again when the request has only cancelled it', async () => {
    const { placed, stands } = await moved('61000');
    assert.ok('refused' in placed, JSON.stringify(placed));
    assert.deepEqual(stands, ['50000']);
  });

  it('stays while its market is halted, as far as that is known', async () => {
    const { placed, stands } = await moved('51000', true);
    assert.ok('postponed' in placed && placed.postponed.includes('is halted'), JSON.stringify(placed));
    assert.deepEqual(stands, ['50000']);
  });
});
