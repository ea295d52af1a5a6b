import assert from 'node:assert/strict';
import { Decimal } from '../../../../compute/model/decimal.js';
import type { MarketTick } from '../../../../compute/model/market-tick.js';
import { PaperVenue } from '../../../../storage/exchanges/paper/paper-venue.js';
import type { VenueOrder } from '../../../../storage/exchanges/trading-venue.js';
import { openStorage, type Storage } from '../../../../storage/index.js';
import { btcUsdt, PaperRig } from '../../../support/paper/paper-rig.js';
import { cutWrites } from '../../../support/servers/cut-writes.js';
import { temporaryRedis } from '../../../support/servers/temporary-redis.js';
import { temporaryStorage } from '../../../support/servers/temporary-storage.js';
import { WriteCut } from '../../../support/servers/write-cut.js';

const d = (text: string): Decimal => Decimal.parse(text);

describe('the paper exchange, cut off before any write', function () {
  this.timeout(60_000);
  const context = temporaryStorage();
  const redis = temporaryRedis();
  let rig: PaperRig;
  let userId: string;
  let orders: VenueOrder[];
  let ticks: MarketTick[];
  let serial = 0;
  const buy = (price: string): VenueOrder => ({
    userId,
    pair: btcUsdt,
    clientOrderId: `cut${++serial}`,
    owner: 'execution',
    side: 'buy',
    type: 'limit',
    price: d(price),
    stopPrice: null,
    quantity: d('0.01'),
    reduces: false,
    account: 'SPOT',
    leverage: 1,
    marginMode: 'ISOLATED',
  });
  const sell = (stopPrice: string): VenueOrder => ({
    ...buy('1'),
    side: 'sell',
    type: 'stop',
    price: null,
    stopPrice: d(stopPrice),
    quantity: d('0.02'),
  });
  const over = (storage: Storage) => new PaperRig(storage, redis.redis);
  const money = async () => {
    const { cash, holdings } = (await context.storage.accounts.find(userId, 'PAPER'))!;
    return Object.fromEntries(
      [...cash, ...holdings].map(({ asset, quantity }) => [asset, quantity]),
    ) as Record<string, string>;
  };
  const free = async () =>
    Promise.all(
      ['USDT', 'BTC'].map(async (asset) =>
        String((await rig.venue.freeBalances([userId], asset, 'SPOT')).get(userId)),
      ),
    );

  /** Two purchases and a stop of what is held, and ticks that fill all three, one of them in two parts. */
  async function prepare(): Promise<void> {
    rig = over(context.storage);
    userId = await rig.user('2000');
    await rig.give(userId, 'BTC', '0.02');
    await rig.price('61000');
    orders = [buy('60000'), buy('59000'), sell('58000')];
    await rig.venue.place(orders);
    ticks = [
      rig.tick('61000'),
      rig.tick('59500', { low: '59500', high: '60500' }),
      rig.tick('58500', { low: '58500', high: '59500' }),
      rig.tick('57000', { low: '57000', high: '58500', volume: '0.04' }),
      rig.tick('57500', { volume: '0.04' }),
    ];
  }

  // 2,000 - 600 - 590, and 0.01 x 57,971 + 0.01 x 57,471.25, less fees of 0.1 %.
  const ended = { USDT: '1963.2680775', BTC: '0.01998' };

  const play = async (storage: Storage) => {
    const { matcher, settler } = over(storage);
    for (const tick of ticks) {
      await matcher.match([tick]);
      await settler.settle();
    }
    while ((await settler.settle()) > 0);
  };

  it('ends with the same money after a repeat, wherever it was cut', async () => {
    const writes = await cutWrites(context.url, {
      prepare,
      work: play,
      async check() {
        await play(context.storage);
        const states = await rig.venue.find(orders);
        assert.deepEqual(
          states.map((state) => [state!.status, state!.fills.length]),
          [
            ['filled', 1],
            ['filled', 1],
            ['filled', 2],
          ],
        );
        assert.deepEqual(await money(), ended);
        assert.deepEqual(await free(), [ended.USDT, ended.BTC]);
        assert.equal(await rig.settler.settle(), 0);
      },
    });
    assert.ok(writes >= 15, `${writes} writes`);
    await over(context.storage).settleAll();
    assert.deepEqual(await money(), ended);
  });

  it('never shows more free than there is, wherever the settlement was cut', async () => {
    let cut = 0;
    await cutWrites(context.url, {
      async prepare() {
        await prepare();
        for (const tick of ticks) await rig.matcher.match([tick]);
      },
      work: async (storage) => {
        const { settler } = over(storage);
        while ((await settler.settle()) > 0);
      },
      async check() {
        cut++;
        assert.deepEqual(await free(), [ended.USDT, ended.BTC]);
        await rig.settleAll();
        assert.deepEqual(await free(), [ended.USDT, ended.BTC]);
        assert.deepEqual(await money(), ended);
      },
    });
    assert.ok(cut >= 4, `${cut} cuts`);
  });

  it('places an order once and says that it does not know, wherever the placement was cut', async () => {
    let answers: unknown[] = [];
    const writes = await cutWrites(context.url, {
      async prepare() {
        rig = over(context.storage);
        userId = await rig.user('1000');
        await rig.price('61000');
        orders = [buy('60000')];
        answers = [];
      },
      work: async (storage) => {
        answers = await over(storage).venue.place(orders);
        const [answer] = answers as object[];
        if ('unknown' in answer) throw new Error('cut');
      },
      async check() {
        assert.deepEqual(answers, [{ unknown: 'MongoDB did not answer' }]);
        assert.deepEqual(await rig.venue.find(orders), [null]);
        const [again] = await rig.venue.place(orders);
        assert.ok('state' in again);
        assert.equal((await rig.venue.openOrders(userId)).length, 1);
      },
    });
    assert.equal(writes, 1);
  });

  it('places the orders of many users in one write', async () => {
    const way = await WriteCut.open(context.url);
    const storage = openStorage(way.url, { timeoutMs: 10_000 });
    try {
      const rich = { storage, redis: redis.redis, startingBalance: '1000' };
      const many = Array.from({ length: 40 }, () => ({ ...buy('60000'), userId: `many${serial}` }));
      const answers = await new PaperVenue(rich).place(many);
      const placed = answers.filter((answer) => 'state' in answer).length;
      assert.deepEqual([way.written, placed], [1, 40]);
    } finally {
      await storage.close();
      await way.close();
    }
  });

  it('cancels an order once, wherever the cancellation was cut', async () => {
    await cutWrites(context.url, {
      prepare,
      work: (storage) => over(storage).venue.cancel(orders),
      async check() {
        const states = await rig.venue.cancel(orders);
        assert.deepEqual(
          states.map((state) => state!.status),
          ['cancelled', 'cancelled', 'cancelled'],
        );
        await rig.settleAll();
        assert.deepEqual(await free(), ['2000', '0.02']);
      },
    });
  });
});
