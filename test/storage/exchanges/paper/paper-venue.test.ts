import assert from 'node:assert/strict';
import { Decimal } from '../../../../compute/model/decimal.js';
import { PaperVenue } from '../../../../storage/exchanges/paper/paper-venue.js';
import type { VenueOrder } from '../../../../storage/exchanges/trading-venue.js';
import { btcUsdt, PaperRig } from '../../../support/paper/paper-rig.js';
import { temporaryRedis } from '../../../support/servers/temporary-redis.js';
import { temporaryStorage } from '../../../support/servers/temporary-storage.js';
import { itIsAVenue } from '../../../support/venues/venue-contract.js';

const d = (text: string): Decimal => Decimal.parse(text);

describe('the paper exchange', function () {
  this.timeout(60_000);
  const context = temporaryStorage();
  const redis = temporaryRedis();
  let rig: PaperRig;
  before(() => {
    rig = new PaperRig(context.storage, redis.redis);
  });

  itIsAVenue(() => rig);

  let orders = 0;
  const order = (userId: string, rest: Partial<VenueOrder> = {}): VenueOrder => ({
    userId,
    pair: btcUsdt,
    clientOrderId: `paper${++orders}`,
    owner: `execution${orders}`,
    side: 'buy',
    type: 'limit',
    price: d('60000'),
    stopPrice: null,
    quantity: d('0.01'),
    reduces: false,
    account: 'SPOT',
    leverage: 1,
    marginMode: 'ISOLATED',
    ...rest,
  });

  it('tells which orders a tick changed, and to which executions they belong', async () => {
    const userId = await rig.user('1000');
    await rig.price('61000');
    const [near, far] = [order(userId), order(userId, { price: d('30000') })];
    await rig.venue.place([near, far]);
    const match = async (price: string) =>
      (await rig.matcher.match([rig.tick(price)])).filter((each) => each.userId === userId);
    assert.deepEqual(await match('61000'), []);
    assert.deepEqual(await match('59000'), [
      { userId, clientOrderId: near.clientOrderId, owner: near.owner },
    ]);
  });

  it('trades no pair while another market than the demo market is followed', async () => {
    const options = { storage: context.storage, redis: redis.redis, startingBalance: '1000' };
    const pairs = ['demo', 'csv'].map((market) =>
      new PaperVenue({ ...options, market }).rules(btcUsdt, 'SPOT'),
    );
    const [demo, csv] = await Promise.all(pairs);
    assert.ok(demo);
    assert.equal(csv, null);
  });

  it('fills in parts by the volume of ticks, and books each part as it comes', async () => {
    const userId = await rig.user('1000');
    await rig.price('61000');
    const wanted = order(userId);
    await rig.venue.place([wanted]);
    await rig.matcher.match([rig.tick('61000')]);
    const tick = rig.tick('60000', { volume: '0.016' });
    await rig.matcher.match([tick]);
    assert.deepEqual(await rig.matcher.match([tick]), []);
    // What was paid is gone, and the rest of the order stays locked.
    const free = async () => String((await rig.venue.freeBalances([userId], 'USDT', 'SPOT')).get(userId));
    assert.equal(await free(), '400');
    await rig.settleAll();
    assert.equal(await free(), '400');
    assert.equal(String(await rig.total(userId, 'USDT')), '760');
    assert.equal(String(await rig.total(userId, 'BTC')), '0.003996');
    await rig.matcher.match([rig.tick('60000', { volume: '1' })]);
    await rig.settleAll();
    assert.equal(String(await rig.total(userId, 'USDT')), '400');
    assert.equal(String(await rig.total(userId, 'BTC')), '0.00999');
    assert.equal((await rig.venue.find([wanted]))[0]!.fills.length, 2);
  });

  it('keeps the cost of what was bought, so that positions show it', async () => {
    const userId = await rig.user('1000');
    await rig.price('61000');
    await rig.venue.place([order(userId)]);
    await rig.price('61000');
    await rig.price('60000');
    const { cash, holdings } = (await context.storage.accounts.find(userId, 'PAPER'))!;
    assert.deepEqual(cash, [{ asset: 'USDT', quantity: '400' }]);
    assert.deepEqual(holdings, [
      { asset: 'BTC', quantity: '0.00999', cost: '600', basis: 'average', cursor: null, checkedAt: 0 },
    ]);
    await rig.venue.place([order(userId, { side: 'sell', price: d('66000'), quantity: d('0.00999') })]);
    await rig.price('61000');
    await rig.price('66000');
    const after = (await context.storage.accounts.find(userId, 'PAPER'))!;
    assert.deepEqual(after.holdings, []);
    // 400 and 0.00999 x 66,000, less a fee of 0.1 %.
    assert.deepEqual(after.cash, [{ asset: 'USDT', quantity: '1058.68066' }]);
  });

  it('goes on selling after a stop was reached, though the price recovers and a tick fills little', async () => {
    const userId = await rig.user('0');
    await rig.give(userId, 'BTC', '0.01');
    await rig.price('61000');
    const stop = order(userId, { side: 'sell', type: 'stop', price: null, stopPrice: d('60000') });
    await rig.venue.place([stop]);
    await rig.matcher.match([rig.tick('61000')]);
    await rig.matcher.match([rig.tick('59000', { volume: '0.02' })]);
    await rig.matcher.match([rig.tick('65000', { volume: '0.02' })]);
    const [state] = await rig.venue.find([stop]);
    assert.deepEqual([state!.status, state!.fills.length], ['filled', 2]);
  });

  it('lets a stop with a limit rest at its limit once it was jumped over', async () => {
    const userId = await rig.user('0');
    await rig.give(userId, 'BTC', '0.01');
    await rig.price('61000');
    const stop = order(userId, { side: 'sell', type: 'stop', price: d('59500'), stopPrice: d('60000') });
    await rig.venue.place([stop]);
    await rig.price('61000');
    await rig.price('59000');
    assert.equal((await rig.venue.find([stop]))[0]!.status, 'open');
    await rig.price('60500');
    assert.equal((await rig.venue.find([stop]))[0]!.status, 'filled');
  });

  it('holds no short positions: a sale of more than is held is refused with that reason', async () => {
    const userId = await rig.user('1000');
    await rig.price('61000');
    assert.deepEqual(await rig.venue.place([order(userId, { side: 'sell', price: d('61000') })]), [
      {
        refused: 'the order needs 0.01 BTC, and 0 BTC are free; the paper exchange holds no short positions',
      },
    ]);
  });

  it('refuses an order at market while the last price is old, and takes a limit order', async () => {
    const userId = await rig.user('1000');
    await redis.redis.del('tidemark:prices:demo');
    const [market, limit] = await rig.venue.place([
      order(userId, { type: 'market', price: null }),
      order(userId, { price: d('30000') }),
    ]);
    assert.deepEqual(market, { refused: 'there is no recent price of BTC/USDT' });
    assert.ok('state' in limit);
  });

  it('removes the orders of a user', async () => {
    const userId = await rig.user('1000');
    await rig.price('61000');
    await rig.venue.place([order(userId)]);
    await rig.price('60000');
    await context.storage.owned.removeAll(userId);
    assert.equal(await context.db.collection('paper_orders').countDocuments({ userId }), 0);
  });

  it('settles a user while another process changes the account', async () => {
    const userId = await rig.user('1000');
    await rig.price('61000');
    await rig.venue.place([order(userId)]);
    await rig.matcher.match([rig.tick('61000')]);
    await rig.matcher.match([rig.tick('60000')]);
    const settlers = [1, 2, 3].map(() => new PaperRig(context.another(), redis.redis));
    await Promise.all([...settlers.map((each) => each.settleAll()), rig.give(userId, 'USDT', '5')]);
    await rig.settleAll();
    assert.equal(String(await rig.total(userId, 'USDT')), '405');
    assert.equal(String(await rig.total(userId, 'BTC')), '0.00999');
  });
});
