import assert from 'node:assert/strict';
import { Decimal } from '../../../../../compute/model/decimal.js';
import type { VenueOrder } from '../../../../../storage/exchanges/trading-venue.js';
import { PaperVenue } from '../../../../../storage/exchanges/paper/paper-venue.js';
import { btcUsdt, PaperRig } from '../../../../support/paper/paper-rig.js';
import { temporaryRedis } from '../../../../support/servers/temporary-redis.js';
import { temporaryStorage } from '../../../../support/servers/temporary-storage.js';
import { itHoldsPositions } from '../../../../support/venues/position-contract.js';

const d = (text: string): Decimal => Decimal.parse(text);

describe('accounts with positions on the paper exchange', function () {
  this.timeout(60_000);
  const context = temporaryStorage();
  const redis = temporaryRedis();
  let rig: PaperRig;
  before(() => {
    rig = new PaperRig(context.storage, redis.redis);
  });

  for (const account of ['MARGIN', 'FUTURES'] as const)
    describe(account, () => itHoldsPositions(account, () => rig));

  let orders = 0;
  const order = (userId: string, rest: Partial<VenueOrder> = {}): VenueOrder => ({
    ...{ userId, pair: btcUsdt, account: 'FUTURES', clientOrderId: `margin${++orders}` },
    ...{ owner: `execution${orders}`, side: 'buy', type: 'limit', price: d('60000'), stopPrice: null },
    ...{ quantity: d('0.01'), reduces: false, leverage: 10, marginMode: 'ISOLATED' },
    ...rest,
  });
  const place = async (wanted: VenueOrder) => {
    const [answer] = await rig.venue.place([wanted]);
    assert.ok('state' in answer, JSON.stringify(answer));
    return wanted;
  };
  const holder = async (rest: Partial<VenueOrder> = {}) => {
    const userId = await rig.positionUser('FUTURES', '1000');
    await rig.price('60000');
    const opened = await place(order(userId, rest));
    await rig.margin.match([rig.tick('60000')]);
    return { userId, opened };
  };
  const wallet = async (userId: string) =>
    String((await rig.venue.holdings(userId)).find(({ account }) => account === 'FUTURES')!.total);

  it('gives every account of a new user the same balance', async () => {
    const venue = new PaperVenue({ storage: context.storage, redis: redis.redis, startingBalance: '500' });
    assert.deepEqual(
      (await venue.holdings('nobody')).map(({ account, asset, free, total }) => [
        ...[account, asset, String(free), String(total)],
      ]),
      ['SPOT', 'MARGIN', 'FUTURES'].map((account) => [account, 'USDT', '500', '500']),
    );
    assert.deepEqual([...(await venue.freeBalances(['nobody'], 'BTC', 'FUTURES')).values()].map(String), [
      '0',
    ]);
  });

  it('trades pairs in USDT alone', async () => {
    assert.equal(await rig.venue.rules({ base: 'ETH', quote: 'BTC' }, 'FUTURES'), null);
    const userId = await rig.positionUser('FUTURES', '1000');
    const [answer] = await rig.venue.place([order(userId, { pair: { base: 'ETH', quote: 'BTC' } })]);
    assert.deepEqual(answer, {
      refused: 'ETH/BTC is not traded on the FUTURES account of the paper exchange',
    });
  });

  it('liquidates a position, and tells the executions that hold it and their orders', async () => {
    const { userId, opened } = await holder();
    const added = await place(order(userId, { price: d('59000') }));
    await rig.margin.match([rig.tick('59000')]);
    const stop = { type: 'stop', side: 'sell', price: null, stopPrice: d('30000'), reduces: true } as const;
    const standing = await place(order(userId, stop));
    const owners = await rig.margin.match([rig.tick('50000')]);
    assert.deepEqual(owners.sort(), [opened.owner, added.owner, standing.owner].sort());
    assert.deepEqual(await rig.venue.positions(userId), []);
    const [state] = await rig.venue.find([standing]);
    assert.deepEqual([state!.status, state!.reason], ['expired', 'the position was liquidated']);
    const fills = await rig.venue.fillsSince(userId, btcUsdt, 'FUTURES', 0);
    assert.deepEqual(
      fills.map(({ clientOrderId, isLiquidation }) => [clientOrderId, isLiquidation]),
      [
        [opened.clientOrderId, false],
        [added.clientOrderId, false],
        [null, true],
      ],
    );
    // The margins of 60 and 59, and fees of 0.02 and 0.05 %: the tick after an order makes it a taker.
    assert.equal(await wallet(userId), '880.405');
  });

  it('pays funding once, whoever matches the tick', async () => {
    const { userId } = await holder();
    const before = d(await wallet(userId));
    const day = 86_400_000;
    const at = Math.ceil(Date.now() / day) * day + 1;
    const tick = { ...rig.tick('60000'), at };
    const another = new PaperRig(context.another(), redis.redis);
    await Promise.all([rig, another, rig].map(({ margin }) => margin.match([tick])));
    const times =
      Math.floor(at / (day / 3)) -
      Math.floor((await rig.venue.fillsSince(userId, btcUsdt, 'FUTURES', 0))[0].at / (day / 3));
    assert.ok(times >= 1);
    assert.equal(await wallet(userId), String(before.minus(d('0.06').times(d(String(times))))));
  });

  it('keeps orders that have ended, after their account no longer lists them', async () => {
    const { userId, opened } = await holder();
    const before = await rig.venue.find([opened]);
    for (let n = 0; n < 3; n++) await rig.venue.cancel([await place(order(userId, { price: d('50000') }))]);
    const document = await context.db
      .collection<{ _id: string }>('paper_margin')
      .findOne({ _id: `${userId}:FUTURES` });
    assert.equal((document as unknown as { orders: unknown[] }).orders.length, 1);
    assert.deepEqual(await rig.other.find([opened]), before);
  });

  it('removes the accounts and orders of a user', async () => {
    const { userId } = await holder();
    await place(order(userId, { price: d('50000') }));
    await context.storage.paperMargin.removeAll(userId);
    for (const name of ['paper_margin', 'paper_margin_orders'])
      assert.equal(await context.db.collection(name).countDocuments({ userId }), 0);
  });
});
