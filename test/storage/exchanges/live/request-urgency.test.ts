import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { tryKey } from '../../../../storage/exchanges/try-key.js';
import { ExchangeProcess } from '../../../support/fake-exchange/exchange-process.js';
import { temporaryRedis } from '../../../support/servers/temporary-redis.js';
import { temporaryStorage } from '../../../support/servers/temporary-storage.js';
import { liveOrder } from '../../../support/venues/live-order.js';
import { keyOf, LiveRig } from '../../../support/venues/live-rig.js';

const accounts = 12;
/** The machine may be busy; without classes the orders would wait for a minute. */
const patientMs = 10_000;
const never = new AbortController().signal;

for (const [dialect, name] of [
  ['binance', 'Binance'],
  ['bybit', 'Bybit'],
  ['kucoin', 'KuCoin'],
] as const)
  describe(`requests to ${name} within its limits and with the default budget`, function () {
    this.timeout(60_000);
    const context = temporaryStorage();
    const redis = temporaryRedis();
    let exchange: ExchangeProcess;
    let rig: LiveRig;
    let users: string[];
    before(async () => {
      exchange = await ExchangeProcess.start(dialect);
      rig = new LiveRig(exchange, context.storage, redis.redis, 0);
      await rig.price('60000');
      users = await Promise.all(Array.from({ length: accounts }, () => rig.user('10000')));
      await exchange.limits(true);
    });
    after(() => exchange.close());

    it('orders, cancels and the trial of a key do not wait while accounts are polled by two processes without an end', async () => {
      const [venue, other] = [rig.open(patientMs), rig.open(patientMs)];
      await Promise.all(users.map((userId) => venue.holdings(userId)));
      let isOver = false;
      const polling = [venue, other].flatMap((venue) =>
        users.map(async (userId) => {
          while (!isOver) {
            await venue.holdings(userId, { urgency: 'poll' }).catch(() => delay(20));
            await venue.openOrders(userId, { urgency: 'poll' }).catch(() => delay(20));
          }
        }),
      );
      await delay(1_500);
      const orders = users.map((userId) => liveOrder(userId, { price: '50000' }));
      const placed = await venue.place(orders);
      for (const each of placed) assert.ok('state' in each, JSON.stringify(each));
      for (const each of await other.cancel(orders))
        assert.ok(each && 'status' in each, JSON.stringify(each));
      const key = {
        apiKey: keyOf(users[0]),
        secret: `secret of ${users[0]}`,
        passphrase: dialect === 'kucoin' ? 'the passphrase' : null,
      };
      const { mayTrade } = await tryKey(rig.exchanges(patientMs), rig.name, key, never);
      assert.equal(mayTrade, true);
      isOver = true;
      const beyond = (await exchange.requests()).filter(({ isBeyondLimit }) => isBeyondLimit);
      assert.deepEqual(beyond, []);
      await exchange.limits(false);
      let isEnded = false;
      const ended = Promise.all(polling).then(() => (isEnded = true));
      for (; !isEnded; await delay(50)) await redis.redis.flushdb();
      await ended;
    });
  });
