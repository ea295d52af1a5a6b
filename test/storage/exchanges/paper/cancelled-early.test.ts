import assert from 'node:assert/strict';
import { Decimal } from '../../../../compute/model/decimal.js';
import type { VenueOrder } from '../../../../storage/exchanges/trading-venue.js';
import { btcUsdt, PaperRig } from '../../../support/paper/paper-rig.js';
import { cutWrites } from '../../../support/servers/cut-writes.js';
import { temporaryRedis } from '../../../support/servers/temporary-redis.js';
import { temporaryStorage } from '../../../support/servers/temporary-storage.js';

const d = (text: string): Decimal => Decimal.parse(text);

describe('an order of the paper exchange that is cancelled before it is placed', function () {
  this.timeout(60_000);
  const context = temporaryStorage();
  const redis = temporaryRedis();
  let rig: PaperRig;
  let serial = 0;
  before(async () => {
    rig = new PaperRig(context.storage, redis.redis);
    await rig.price('61000');
  });

  const order = (userId: string, account: VenueOrder['account']): VenueOrder => ({
    ...{ userId, account, pair: btcUsdt, clientOrderId: `early${++serial}`, owner: 'execution' },
    ...{ side: 'buy', type: 'limit', price: d('60000'), stopPrice: null, quantity: d('0.001') },
    ...{ reduces: false, leverage: 1, marginMode: 'ISOLATED' },
  });
  const user = (account: VenueOrder['account']) =>
    account === 'SPOT' ? rig.user('1000') : rig.positionUser(account, '1000');
  const free = async (userId: string, account: VenueOrder['account']) =>
    String((await rig.venue.freeBalances([userId], 'USDT', account)).get(userId));
  const withdrawn = ({ clientOrderId }: VenueOrder) => ({
    ...{ clientOrderId, exchangeOrderId: `PAPER-${clientOrderId}`, status: 'cancelled' },
    ...{ filled: Decimal.zero, fills: [], reason: 'it was cancelled before it arrived' },
  });

  for (const account of ['SPOT', 'MARGIN', 'FUTURES'] as const) {
    it(`is not taken when it arrives on ${account}, however much later`, async () => {
      const userId = await user(account);
      const [early, later] = [order(userId, account), order(userId, account)];
      assert.deepEqual(await rig.venue.cancel([early]), [withdrawn(early)]);
      assert.deepEqual(await rig.other.place([early]), [{ state: withdrawn(early) }]);
      const [placed] = await rig.venue.place([later]);
      assert.ok('state' in placed && placed.state.status === 'open');
      await rig.venue.cancel([later]);
      assert.deepEqual(await rig.other.place([early]), [{ state: withdrawn(early) }]);
      assert.deepEqual(await rig.venue.find([early]), [withdrawn(early)]);
      assert.deepEqual(await rig.venue.cancel([early]), [withdrawn(early)]);
      await rig.price('59000');
      await rig.price('61000');
      assert.deepEqual(await rig.venue.openOrders(userId), []);
      assert.equal(await free(userId, account), '1000');
    });

    it(`has ended on ${account}, whatever another worker places at the same moment`, async () => {
      const userId = await user(account);
      const wanted = Array.from({ length: 4 }, () => order(userId, account));
      await Promise.all(wanted.flatMap((one) => [rig.venue.place([one]), rig.other.cancel([one])]));
      const states = await rig.venue.find(wanted);
      assert.deepEqual(
        states.map((state) => state?.status),
        wanted.map(() => 'cancelled'),
      );
      assert.deepEqual(await rig.venue.openOrders(userId), []);
      assert.equal(await free(userId, account), '1000');
    });

    if (account !== 'SPOT')
      it(`has ended on ${account} when it is placed while the cancellation reads`, async () => {
        const userId = await user(account);
        const wanted = order(userId, account);
        const { paperMargin } = context.storage;
        const placesFirst: ProxyHandler<typeof paperMargin> = {
          get: (target, name: keyof typeof paperMargin) => {
            const method = target[name] as (...args: unknown[]) => Promise<unknown>;
            return async (...args: unknown[]) => {
              if (name === 'withOrders') await rig.other.place([wanted]);
              return method.apply(target, args);
            };
          },
        };
        const slow = new PaperRig(
          { ...context.storage, paperMargin: new Proxy(paperMargin, placesFirst) },
          redis.redis,
        );
        const [state] = await slow.venue.cancel([wanted]);
        assert.equal(state?.status, 'cancelled');
        assert.deepEqual(await rig.venue.openOrders(userId), []);
        assert.equal(await free(userId, account), '1000');
      });

    it(`is cancelled once on ${account}, wherever the cancellation was cut`, async () => {
      let wanted: VenueOrder[] = [];
      await cutWrites(context.url, {
        async prepare() {
          const userId = await user(account);
          wanted = [order(userId, account), order(userId, account)];
        },
        work: (storage) => new PaperRig(storage, redis.redis).venue.cancel(wanted),
        async check() {
          assert.deepEqual(await rig.venue.cancel(wanted), wanted.map(withdrawn));
          assert.deepEqual(
            await rig.other.place(wanted),
            wanted.map((one) => ({ state: withdrawn(one) })),
          );
        },
      });
    });
  }

  it('stays unknown to the cancellation of another user', async () => {
    const [owner, stranger] = [await rig.user('1000'), await rig.user('1000')];
    const wanted = order(owner, 'SPOT');
    await rig.venue.cancel([wanted]);
    assert.deepEqual(await rig.venue.cancel([{ ...wanted, userId: stranger }]), [null]);
    assert.deepEqual(await rig.venue.find([{ ...wanted, userId: stranger }]), [null]);
  });

  it('goes with the account of its user', async () => {
    const userId = await rig.user('1000');
    const wanted = order(userId, 'SPOT');
    await rig.venue.cancel([wanted]);
    await context.storage.owned.removeAll(userId);
    assert.deepEqual(await rig.venue.find([wanted]), [null]);
  });
});
