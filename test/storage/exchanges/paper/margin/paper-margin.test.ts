import assert from 'node:assert/strict';
import { Decimal } from '../../../../../compute/model/decimal.js';
import type { VenueOrder } from '../../../../../storage/exchanges/trading-venue.js';
import { PaperVenue } from '../../../../../storage/exchanges/paper/paper-venue.js';
import { btcUsdt, PaperRig } from '../../../../support/paper/paper-rig.js';
import { temporaryRedis } from '../../../../support/servers/temporary-redis.js';
import { temporaryStorage } from '../../../../support/servers/temporary-storage.js';
import { isNoOrder, venueHands } from '../../../../support/venues/venue-rig.js';

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
    describe(account, () => {
      const hands = venueHands(() => rig, { account, leverage: 10 });
      const { order, stateOf, said, refusal, found, free } = hands;
      const place = async (...given: Parameters<typeof order>) => (await hands.place(...given)).order;
      const total = async (userId: string) =>
        (await rig.venue.holdings(userId)).find((each) => each.account === account && each.asset === 'USDT')!
          .total;
      const positions = async (userId: string) =>
        (await rig.venue.positions(userId)).map((each) => [each.account, String(each.quantity)]);
      const newUser = () => rig.positionUser(account, '1000');
      /** A user with a position of 0.01 that was opened at 60,000. */
      const holder = async (side: 'buy' | 'sell') => {
        const userId = await newUser();
        await rig.price('60000');
        const opened = await place(userId, { side, price: '60000' });
        await rig.price('60000');
        await rig.price('60000');
        assert.equal((await found(opened))!.status, 'filled');
        return userId;
      };

      it('has rules for its pairs, and none for others', async () => {
        assert.equal((await rig.venue.rules(rig.pair, account))!.tickSize.sign, 1);
        assert.equal(await rig.venue.rules({ base: 'NOSUCH', quote: 'USDT' }, account), null);
      });

      it('sets the margin of an order aside, its worth by the leverage, and frees it with a cancel', async () => {
        const userId = await newUser();
        await rig.price('61000');
        const placed = await place(userId);
        assert.equal(await free(userId), '940');
        const open = await rig.venue.openOrders(userId);
        assert.deepEqual(
          open.map((each) => [each.account, each.pair, each.clientOrderId]),
          [[account, rig.pair, placed.clientOrderId]],
        );
        assert.equal(said((await rig.venue.cancel([placed]))[0])!.status, 'cancelled');
        assert.equal(await free(userId), '1000');
        assert.deepEqual(await rig.venue.cancel([placed]), await rig.other.find([placed]));
      });

      for (const side of ['buy', 'sell'] as const) {
        const isLong = side === 'buy';
        it(`opens a ${isLong ? 'long' : 'short'} and closes it with its gain`, async () => {
          const userId = await holder(side);
          const [position] = await rig.venue.positions(userId);
          assert.equal(String(position.quantity), isLong ? '0.01' : '-0.01');
          assert.equal(String(position.entryPrice), '60000');
          // Some 10 % away from the entry, less the maintenance margin.
          const distance = Number(String(position.liquidationPrice)) / 60_000 - 1;
          assert.ok(
            Math.abs(distance) > 0.08 && Math.abs(distance) < 0.1 && distance < 0 === isLong,
            `${distance}`,
          );
          const before = await total(userId);
          const exit = isLong ? '61000' : '59000';
          const close = await place(userId, { side: isLong ? 'sell' : 'buy', price: exit, reduces: true });
          await rig.price(isLong ? '60500' : '59500');
          await rig.price(exit);
          assert.equal((await found(close))!.status, 'filled');
          assert.deepEqual(await positions(userId), []);
          const fees = (await found(close))!.fills.reduce(
            (sum, { quoteFee }) => sum.plus(quoteFee),
            Decimal.zero,
          );
          assert.equal(String(await total(userId)), String(before.plus(d('10')).minus(fees)));
          assert.equal(await free(userId), String(await total(userId)));
        });
      }

      it('never opens the other side with an order that reduces', async () => {
        const userId = await newUser();
        await rig.price('60000');
        await refusal(userId, { side: 'sell', reduces: true, price: '61000' });
        const long = await holder('buy');
        await refusal(long, { side: 'sell', reduces: true, price: '61000', quantity: '0.02' });
        await refusal(long, { side: 'buy', reduces: true, price: '59000' });
        await place(long, { side: 'sell', reduces: true, price: '62000' });
        await refusal(long, { side: 'sell', reduces: true, price: '63000' });
        assert.deepEqual(await positions(long), [[account, '0.01']]);
      });

      it('closes a position with a stop order that stands at the venue', async () => {
        assert.ok(rig.venue.standingStops.has(account));
        const userId = await holder('buy');
        const stop = { side: 'sell', type: 'stop', stopPrice: '58000', reduces: true } as const;
        const placed = await place(userId, stop);
        await rig.price('59000');
        assert.equal((await found(placed))!.status, 'open');
        const open = await rig.venue.openOrders(userId);
        assert.deepEqual(
          open.map(({ clientOrderId }) => clientOrderId),
          [placed.clientOrderId],
        );
        await rig.price('57500');
        await rig.price('57500');
        assert.deepEqual([(await found(placed))!.status, await positions(userId)], ['filled', []]);
      });

      it('never sets more aside than there is, whoever places at the same time', async () => {
        const userId = await newUser();
        await rig.price('61000');
        const { venue, other } = rig;
        const wanted = Array.from({ length: 6 }, () => order(userId, { quantity: '0.1' }));
        const answers = await Promise.all(wanted.map((each, n) => (n % 2 ? venue : other).place([each])));
        assert.equal(answers.flat().filter((answer) => 'state' in answer).length, 1);
        assert.equal(await free(userId), '400');
      });

      it('places an order once, however often and from wherever it is asked for', async () => {
        const userId = await newUser();
        await rig.price('61000');
        const wanted = order(userId);
        const { venue, other } = rig;
        const answers = await Promise.all([venue, other, venue].map((each) => each.place([wanted])));
        assert.equal(new Set(answers.map(([answer]) => stateOf(answer).exchangeOrderId)).size, 1);
        await rig.price('60500');
        await rig.price('60000');
        const ended = await found(wanted);
        assert.equal(ended!.status, 'filled');
        assert.deepEqual(stateOf((await other.place([wanted]))[0]), ended);
        assert.deepEqual(await positions(userId), [[account, '0.01']]);
      });

      it('does not show or touch orders of other users and accounts', async () => {
        const [userId, stranger] = [await newUser(), await newUser()];
        await rig.price('61000');
        const placed = await place(userId);
        const { venue } = rig;
        const other: VenueOrder['account'] = account === 'MARGIN' ? 'FUTURES' : 'MARGIN';
        for (const foreign of [
          { ...placed, userId: stranger },
          { ...placed, account: other },
          { ...placed, account: 'SPOT' as const },
        ]) {
          assert.deepEqual(await venue.find([foreign]), [null]);
          const [answered] = await venue.cancel([foreign]);
          assert.ok(isNoOrder(answered), JSON.stringify(answered));
        }
        assert.ok(!('state' in (await venue.place([{ ...placed, userId: stranger }]))[0]));
        assert.deepEqual(await positions(stranger), []);
        assert.equal((await found(placed))!.status, 'open');
      });

      it('tells the trades of a pair since a time', async () => {
        const userId = await holder('buy');
        const [first] = await rig.venue.fillsSince(userId, rig.pair, account, 0);
        await place(userId, { side: 'sell', price: '61000', reduces: true });
        await rig.price('60500');
        await rig.price('61000');
        const all = await rig.venue.fillsSince(userId, rig.pair, account, 0);
        assert.equal(all[0].tradeId, first.tradeId);
        assert.deepEqual(
          all.slice(-1).map(({ quantity }) => String(quantity)),
          ['0.01'],
        );
        const later = await rig.venue.fillsSince(userId, rig.pair, account, first.at + 1);
        assert.deepEqual(
          later.map(({ tradeId }) => tradeId),
          all.filter(({ at }) => at > first.at).map(({ tradeId }) => tradeId),
        );
      });

      it('answers orders of several accounts in their order', async () => {
        const [one, two] = [await newUser(), await newUser()];
        await rig.price('61000');
        const wanted = [
          order(one),
          { ...order(one), account: 'SPOT' as const, leverage: 1 },
          order(two, { quantity: '10' }),
          order(two),
        ];
        const answers = await rig.venue.place(wanted);
        assert.deepEqual(
          answers.map((answer) => ('state' in answer ? answer.state.clientOrderId : 'refused')),
          [wanted[0].clientOrderId, 'refused', 'refused', wanted[3].clientOrderId],
        );
        const states = await rig.venue.find(wanted);
        assert.deepEqual(
          states.map((state) => said(state)?.clientOrderId),
          [wanted[0].clientOrderId, undefined, undefined, wanted[3].clientOrderId],
        );
      });
    });

  const { order: orderOf } = venueHands(() => rig, { account: 'FUTURES', leverage: 10 });
  let owners = 0;
  /** Each order is that of an execution of its own. */
  const order = (...given: Parameters<typeof orderOf>): VenueOrder => ({
    ...{ ...orderOf(...given), owner: `execution${++owners}` },
  });
  const place = async (wanted: VenueOrder) => {
    const [answer] = await rig.venue.place([wanted]);
    assert.ok('state' in answer, JSON.stringify(answer));
    return wanted;
  };
  const holder = async () => {
    const userId = await rig.positionUser('FUTURES', '1000');
    await rig.price('60000');
    const opened = await place(order(userId));
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
    const added = await place(order(userId, { price: '59000' }));
    await rig.margin.match([rig.tick('59000')]);
    const stop = { type: 'stop', side: 'sell', stopPrice: '30000', reduces: true } as const;
    const standing = await place(order(userId, stop));
    const owners = await rig.margin.match([rig.tick('50000')]);
    assert.deepEqual(owners.sort(), [opened.owner, added.owner, standing.owner].sort());
    assert.deepEqual(await rig.venue.positions(userId), []);
    const [state] = await rig.venue.find([standing]);
    assert.deepEqual([state!.status, state!.reason], ['expired', 'the position was liquidated']);
    const fills = await rig.venue.fillsSince(userId, btcUsdt, 'FUTURES', 0);
    assert.deepEqual(
      fills.map(({ isLiquidation }) => isLiquidation),
      [false, false, true],
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
    for (let n = 0; n < 3; n++) await rig.venue.cancel([await place(order(userId, { price: '50000' }))]);
    const document = await context.db
      .collection<{ _id: string }>('paper_margin')
      .findOne({ _id: `${userId}:FUTURES` });
    assert.equal((document as unknown as { orders: unknown[] }).orders.length, 1);
    assert.deepEqual(await rig.other.find([opened]), before);
  });

  it('removes the accounts and orders of a user', async () => {
    const { userId } = await holder();
    await place(order(userId, { price: '50000' }));
    await context.storage.owned.removeAll(userId);
    for (const name of ['paper_margin', 'paper_margin_orders'])
      assert.equal(await context.db.collection(name).countDocuments({ userId }), 0);
  });
});
