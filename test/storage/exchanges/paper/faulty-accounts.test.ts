import assert from 'node:assert/strict';
import type { TradingAccount } from '../../../../compute/model/trading-account.js';
import { Decimal } from '../../../../compute/model/decimal.js';
import { btcUsdt, PaperRig } from '../../../support/paper/paper-rig.js';
import { temporaryRedis } from '../../../support/servers/temporary-redis.js';
import { temporaryStorage } from '../../../support/servers/temporary-storage.js';

const d = (text: string): Decimal => Decimal.parse(text);

describe('a paper account whose data are faulty', function () {
  this.timeout(60_000);
  const context = temporaryStorage();
  const redis = temporaryRedis();
  const reported: string[] = [];
  let rig: PaperRig;
  let serial = 0;
  before(async () => {
    rig = new PaperRig(context.storage, redis.redis, { report: (id) => reported.push(id) });
    await rig.price('61000');
  });
  beforeEach(() => void (reported.length = 0));

  /** Users, each with an order that the price 60,000 fills. */
  const buyers = async (account: TradingAccount, count: number) => {
    const userIds: string[] = [];
    for (let n = 0; n < count; n++)
      userIds.push(account === 'SPOT' ? await rig.user('1000') : await rig.positionUser(account, '1000'));
    const orders = userIds.map((userId) => ({
      ...{ userId, account, pair: btcUsdt, clientOrderId: `faulty${++serial}`, owner: 'execution' },
      ...{ side: 'buy' as const, type: 'limit' as const, price: d('60000'), stopPrice: null },
      ...{ quantity: d('0.001'), reduces: false, leverage: 1, marginMode: 'ISOLATED' as const },
    }));
    await rig.venue.place(orders);
    return { userIds, orders };
  };
  const damage = (collection: string, id: string | object, fields: object) =>
    context.db.collection(collection).updateOne(typeof id === 'string' ? { _id: id as never } : id, {
      $set: fields,
    });
  const filled = async (orders: Awaited<ReturnType<typeof buyers>>['orders']) =>
    (await rig.venue.find(orders)).map((state) => state?.status);

  // The fee is 0.1 % of what is bought.
  it('does not keep orders on SPOT from being filled, and trades from being booked', async () => {
    const { userIds, orders } = await buyers('SPOT', 5);
    await damage('accounts', { userId: userIds[2] }, { 'cash.0.quantity': 'many' });
    await rig.price('59000');
    assert.deepEqual(await filled(orders), Array(5).fill('filled'));
    for (const n of [0, 1, 3, 4]) assert.equal(String(await rig.total(userIds[n], 'BTC')), '0.000999');
    assert.deepEqual(reported, [userIds[2]]);
    await rig.settleAll();
    assert.deepEqual(reported, [userIds[2]]);
    await rig.price('61000');
  });

  it('does not keep orders of others on SPOT from being filled when its own order is faulty', async () => {
    const { orders } = await buyers('SPOT', 5);
    await damage('paper_orders', orders[3].clientOrderId, { quantity: 'many' });
    await rig.price('59000');
    const own = orders.filter((_, n) => n !== 3);
    assert.deepEqual(await filled(own), Array(4).fill('filled'));
    assert.deepEqual(reported, [orders[3].clientOrderId]);
    await rig.price('61000');
  });

  for (const account of ['MARGIN', 'FUTURES'] as const)
    it(`does not keep orders on ${account} from being filled`, async () => {
      const { userIds, orders } = await buyers(account, 5);
      const ids = await context.db.collection('paper_margin').find({ userId: userIds[1] }).toArray();
      await damage('paper_margin', String(ids[0]._id), { wallet: 'much' });
      await rig.price('59000');
      const own = orders.filter((_, n) => n !== 1);
      assert.deepEqual(await filled(own), Array(4).fill('filled'));
      assert.deepEqual(reported, [String(ids[0]._id)]);
      await rig.price('61000');
    });
});
