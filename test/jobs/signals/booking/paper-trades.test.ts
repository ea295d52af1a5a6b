import assert from 'node:assert/strict';
import { pino } from 'pino';
import { Decimal } from '../../../../compute/model/decimal.js';
import { Booking } from '../../../../jobs/signals/booking/booking.js';
import { SignalEngine } from '../../../../jobs/signals/signal-engine.js';
import { Settling } from '../../../../jobs/signals/signals-role.js';
import { Prices } from '../../../../storage/candles/prices.js';
import { PaperAccounts } from '../../../../storage/exchanges/paper/paper-accounts.js';
import { PaperMatcher } from '../../../../storage/exchanges/paper/paper-matcher.js';
import { PaperSettler } from '../../../../storage/exchanges/paper/paper-settler.js';
import { PaperVenue } from '../../../../storage/exchanges/paper/paper-venue.js';
import { openRedis, patient } from '../../../../storage/servers/redis.js';
import { until } from '../../../support/process/until.js';
import { temporaryStorage } from '../../../support/servers/temporary-storage.js';
import { EngineRig } from '../../../support/signals/engine-rig.js';
import { noFaults } from '../../../support/paper/paper-rig.js';

const startingBalance = '10000';

describe('trades on the paper exchange', function () {
  this.timeout(240_000);
  const temporary = temporaryStorage();
  let rig: EngineRig;
  let parts: { close(): Promise<void> }[] = [];
  before(async () => {
    const log = pino({ level: 'silent' });
    rig = await EngineRig.open(temporary, '105', 'demo');
    const { storage, redis, market } = rig;
    const venue = new PaperVenue({ storage, redis, startingBalance, market });
    const matcher = new PaperMatcher(storage.paperOrders, noFaults);
    const engine = new SignalEngine({
      ...{ storage, redis, market, log },
      openSubscriber: () => openRedis(rig.redisUrl, patient),
      venues: new Map([[venue.id, venue]]),
      match: async (ticks) => [...new Set((await matcher.match(ticks)).map(({ owner }) => owner))],
    });
    await engine.start();
    const settler = new PaperSettler(
      storage.paperOrders,
      new PaperAccounts(storage.accounts, startingBalance),
      noFaults,
    );
    const booking = new Booking({ storage, prices: new Prices(redis), log, everyMs: 50 });
    parts = [engine, new Settling(settler, log), booking];
  });
  after(async () => {
    for (const part of parts) await part.close();
    await rig.close();
  });

  /** What the user has, with holdings at their cost. */
  const worth = async (userId: string): Promise<Decimal> => {
    const [account] = await rig.storage.accounts.onExchange('PAPER', [userId]);
    const amounts = [
      ...account.cash.map(({ quantity }) => quantity),
      ...account.holdings.map(({ cost }) => cost!),
    ];
    return amounts.reduce((sum, amount) => sum.plus(Decimal.read(amount)), Decimal.zero);
  };

  for (const [name, path] of [
    ['at its targets', ['121', '131']],
    ['at a target and the stop', ['121', '89']],
    ['at the stop', ['89']],
  ] as const)
    it(`book what the account has earned or lost, to 1e-8: a long that is sold ${name}`, async () => {
      await rig.putPrice('105');
      const partner = `partner ${name}`;
      const { userId } = await rig.subscribe(`channel of ${partner}`, `user ${name}`, {
        stopOnExchange: true,
      });
      const signal = await rig.signal(partner);
      const isAt = async (status: string) => (await rig.executionsOf(signal.id))[0]?.status === status;
      await rig.tickUntil('105', () => isAt('open'));
      for (const [n, price] of path.entries())
        await rig.tickUntil(price, async () => {
          const [{ orders }] = await rig.executionsOf(signal.id);
          return orders.filter(({ side, status }) => side === 'sell' && status === 'filled').length > n;
        });
      const [trade] = await until('the trade', async () => {
        const found = await rig.storage.trades.ofUser({ userId, limit: 1 });
        return found.length > 0 && found;
      });
      await until('the settlement', async () => {
        const { orders } = (await rig.executionsOf(signal.id))[0];
        const account = (await rig.storage.accounts.onExchange('PAPER', [userId])).at(0);
        const fills = orders.flatMap((order) => order.fills.map(({ tradeId }) => tradeId));
        return fills.every((id) => account?.booked?.some((each) => each.id === id));
      });
      const earned = (await worth(userId)).minus(Decimal.parse(startingBalance));
      const difference = Number(earned.minus(Decimal.read(trade.profit)).toString());
      assert.ok(Math.abs(difference) <= 1e-8, `${earned.toString()} earned, ${trade.profit} booked`);
      assert.equal(Decimal.read(trade.profit).sign, name === 'at its targets' ? 1 : earned.sign);
      assert.ok(trade.fees.length > 0 && trade.fees.every(({ value }) => value !== null));
    });
});
