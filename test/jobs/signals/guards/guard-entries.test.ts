import assert from 'node:assert/strict';
import { deliveredExecution } from '../../../../jobs/signals/delivered-execution.js';
import { lostToday } from '../../../../jobs/signals/guards/losses-today.js';
import { Decimal } from '../../../../compute/model/decimal.js';
import type { TradingVenue } from '../../../../storage/exchanges/trading-venue.js';
import { LevelAnnouncer } from '../../../../storage/signals/level-announcements.js';
import type { SignalTerms } from '../../../../storage/signals/partner-signal.js';
import { announceSignal } from '../../../../storage/signals/signal-wakes.js';
import type { StoredExecution } from '../../../../storage/signals/stored-execution.js';
import type { Subscription } from '../../../../storage/signals/subscription.js';
import { temporaryStorage } from '../../../support/servers/temporary-storage.js';
import { bookedTrade } from '../../../support/signals/booked-trade.js';
import { until } from '../../../support/process/until.js';
import { EngineRig } from '../../../support/signals/engine-rig.js';
import { endedExecution, filledOrder, storedFill } from '../../../support/signals/ended-execution.js';
import { newSignal, signalTerms } from '../../../support/signals/signal-terms.js';

const dayMs = 86_400_000;

describe('the limits of a subscriber', function () {
  this.timeout(60_000);
  const temporary = temporaryStorage();
  let rig: EngineRig;
  let made = 0;
  before(async () => {
    rig = await EngineRig.open(temporary, '105');
    // Two engines are two workers: they share the database and the queue.
    await rig.startEngine({ sweepMs: 200 });
    await rig.startEngine({ sweepMs: 200 });
  });
  after(() => rig.close());

  const newPartner = () => `guarded partner ${++made}`;
  const subscribe = (partner: string, userId: string, more: Partial<Subscription>) =>
    rig.subscribe(`channel of ${partner}`, userId, more);

  /**
   * An execution as it is when several signals are delivered before any of them is ordered: at 105 with its first order, at 115
   * it waits for the price.
   */
  async function delivered(
    partner: string,
    subscription: Subscription,
    price = 115,
    terms: Partial<SignalTerms> = {},
    balance = '10000',
  ): Promise<StoredExecution> {
    const signal = await rig.storage.signals.add(
      newSignal(partner, { terms: { ...signalTerms, investPercent: null, ...terms } }),
    );
    assert.ok(signal !== 'key_reused');
    return deliveredExecution(signal, subscription, {
      market: rig.market,
      rules: await rig.venue.rules(),
      balance: Decimal.read(balance),
      openSignals: 0,
      isHalted: false,
      price: { price, change24hPercent: null, time: Date.now() },
      fault: null,
      stopMoveMs: 0,
      lateMs: (rig.venue as TradingVenue).lateMs,
      nowMs: Date.now(),
    });
  }

  /** Stores executions at once, and answers them once each is open or skipped. */
  async function decided(executions: StoredExecution[]): Promise<StoredExecution[]> {
    await deliver(executions);
    await new LevelAnnouncer(rig.redis).announce(executions);
    const ids = executions.map(({ id }) => id);
    const stored = () => rig.storage.executions.ofIds(ids);
    await rig.tickUntil('105', async () =>
      (await stored()).every(({ status }) => status === 'open' || status === 'skipped'),
    );
    return stored();
  }

  /** Stores executions, and wakes them as their delivery does. */
  async function deliver(executions: readonly StoredExecution[]): Promise<void> {
    await rig.storage.executions.addAll(
      executions.map((each) => ({ ...each, dueAt: each.dueAt && new Date() })),
    );
    for (const partnerId of new Set(executions.map((each) => each.partnerId)))
      await announceSignal(rig.redis, partnerId);
  }

  const opened = (executions: StoredExecution[]) => executions.filter(({ status }) => status === 'open');
  const reasons = (executions: StoredExecution[]) =>
    executions.filter(({ status }) => status === 'skipped').map(({ reason }) => reason);

  it('hold the number of signals, however many are ordered at once', async () => {
    const partner = newPartner();
    const subscription = await subscribe(partner, `user of ${partner}`, { maxOpenSignals: 2 });
    const executions = await Promise.all(Array.from({ length: 6 }, () => delivered(partner, subscription)));
    const found = await decided(executions);
    assert.equal(opened(found).length, 2);
    assert.deepEqual(
      reasons(found),
      Array(4).fill('2 signals are followed already, which is the most that the subscription allows'),
    );
    const asked = found.filter(({ orders }) => rig.venue.orders.has(orders[0].clientOrderId));
    assert.equal(asked.length, 2);
  });

  it('spend nothing of a coin that another signal has bought and will sell', async () => {
    const [first, second] = [newPartner(), newPartner()];
    const userId = `user of coins ${++made}`;
    const bought = await decided([await delivered(first, await subscribe(first, userId, {}), 105)]);
    const { quantity } = bought[0].state!.position;
    const answers = { freeBalances: async () => new Map([[userId, Decimal.read(quantity)]]) };
    // Of an order that the venue cannot have it is asked what is free.
    Object.assign(rig.venue, { ...answers, lateMs: 1_000 });
    const whole = await subscribe(second, userId, { investPercent: '90' });
    const found = await decided([
      await delivered(second, whole, 105, { coin: 'ETH', quote: 'BTC' }, quantity),
    ]);
    for (const name of ['freeBalances', 'lateMs']) Reflect.deleteProperty(rig.venue, name);
    assert.deepEqual([bought[0].status, found[0].status], ['open', 'skipped']);
    assert.match(found[0].reason!, /more than the 0 BTC that the balance allows now/);
  });

  it('hold the total of signals of several partners, which several workers order at once', async () => {
    for (let round = 0; round < 2; round++) {
      const userId = `user of all ${++made}`;
      const executions: StoredExecution[] = [];
      for (let n = 0; n < 6; n++) {
        const partner = newPartner();
        const limits = { maxTotalExposure: '22', investPercent: '10' };
        executions.push(await delivered(partner, await subscribe(partner, userId, limits)));
      }
      const found = await decided(executions);
      // Each invests 10 % of 10,000 at 110, of which 9.1 % is spent at 100. The venue in memory does not take it from the balance:
      // 22 % is 2,200 to 2,600, more than two and less than three signals invest, filled or not.
      assert.equal(opened(found).length, 2, JSON.stringify(reasons(found)));
      assert.match(reasons(found)[0]!, /^all signals together would invest \d+[.\d]* USDT, more than/);
    }
  });

  it('count a wallet that all accounts of a user share once', async () => {
    const userId = `user of one wallet ${++made}`;
    const wallet = rig.venue as object as { sharedWallet?: TradingVenue['sharedWallet'] };
    const invested = async () => {
      const executions: StoredExecution[] = [];
      for (const account of ['SPOT', 'MARGIN', 'FUTURES'] as const) {
        const partner = newPartner();
        const limits = { maxTotalExposure: '12', investPercent: '10' };
        const own = await subscribe(partner, `${userId} ${wallet.sharedWallet !== undefined}`, limits);
        executions.push(await delivered(partner, own, 115, { account }));
      }
      return opened(await decided(executions)).length;
    };
    assert.equal(await invested(), 3);
    wallet.sharedWallet = new Set(['SPOT', 'MARGIN']);
    assert.equal(await invested(), 1);
    delete wallet.sharedWallet;
  });

  it('keep one direction and one leverage of a contract, before any order', async () => {
    const userId = `user of both ${++made}`;
    const futures = { account: 'FUTURES', leverage: 2 } as const;
    const short: Partial<SignalTerms> = {
      ...{ ...futures, side: 'short', targets: ['80'], stopLoss: '130' },
      entries: [{ level: 'min', type: 'limit', price: '100', zoneEnd: null, percent: '100' }],
    };
    const [long, other] = [newPartner(), newPartner()];
    const [held] = await decided([await delivered(long, await subscribe(long, userId, {}), 105, futures)]);
    assert.equal(held.status, 'open');
    const subscription = await subscribe(other, userId, {});
    // The short waits for the price. The long was stored as sent, so it is looked up until it cannot arrive any more.
    const wanted = [
      await delivered(other, subscription, 95, short),
      await delivered(other, subscription, 105, { ...futures, leverage: 3 }),
    ];
    for (const refused of await decided(wanted)) {
      assert.equal(
        refused.reason,
        'another signal is long on BTC/USDT with a leverage of 2 and ISOLATED margin; an account has one direction and one leverage on a pair',
      );
      assert.equal(rig.venue.orders.has(refused.orders[0].clientOrderId), false);
    }
  });

  it('hold an entry back while the balance that they depend on cannot be read', async () => {
    const partner = newPartner();
    const subscription = await subscribe(partner, `user of ${partner}`, { maxDailyLoss: '5' });
    const free = await subscribe(partner, `free user of ${partner}`, {});
    rig.venue.isSilent = true;
    const [limited, unlimited] = [
      await delivered(partner, subscription, 105),
      await delivered(partner, free, 105),
    ];
    // It has waited for longer than an order waits for others.
    limited.orders[0].createdAt = new Date(Date.now() - 120_000);
    await deliver([limited, unlimited]);
    const now = async ({ id }: StoredExecution) => (await rig.storage.executions.ofIds([id]))[0];
    await rig.tickUntil('105', async () => (await now(unlimited)).status === 'open');
    await until(
      'a second look',
      () => rig.venue.balancesAsked.filter((id) => id === limited.userId).length > 1,
    );
    assert.equal(rig.venue.orders.has((await now(limited)).orders[0].clientOrderId), false);
    rig.venue.isSilent = false;
    await rig.tickUntil('105', async () => (await now(limited)).status === 'open');
  });

  it('end entries for the day once so much is lost, and what is held is sold as before', async () => {
    const [partner, other] = [newPartner(), newPartner()];
    const userId = `user of ${partner}`;
    const limits = { maxDailyLoss: '5' };
    const [held] = await decided([await delivered(partner, await subscribe(partner, userId, limits))]);
    assert.equal(held.status, 'open');
    const today = new Date().toISOString().slice(0, 10);
    const lost = bookedTrade({
      userId,
      profit: '-700',
      days: [{ day: today, profit: '-700' }],
      closedAt: new Date(),
    });
    await rig.storage.trades.book([lost]);
    const [refused] = await decided([await delivered(other, await subscribe(other, userId, limits))]);
    assert.equal(refused.status, 'skipped');
    assert.match(
      refused.reason!,
      /^700 USDT were lost today, and the subscription allows \d+[.\d]* USDT \(5 %\); entries go on at 00:00 UTC$/,
    );
    assert.deepEqual(
      refused.events.map(({ type }) => type),
      ['entry_reached', 'entry_refused', 'closing', 'skipped'],
    );
    assert.equal(rig.venue.orders.has(refused.orders[0].clientOrderId), false);
    await rig.tickUntil('89', async () => {
      const [{ status }] = await rig.storage.executions.ofIds([held.id]);
      return status === 'closed';
    });
    await rig.putPrice('105');
  });

  it('count the losses of a UTC day: of trades that are over, that are not booked yet, and that go on', () => {
    const now = Date.UTC(2026, 0, 6, 15);
    const userId = 'loser';
    const scope = { userId, exchange: 'PAPER', quote: 'USDT' };
    const booked = bookedTrade({
      userId,
      profit: '-30',
      days: [
        { day: '2026-01-05', profit: '-20' },
        { day: '2026-01-06', profit: '-10' },
      ],
    });
    const unbooked = endedExecution({ userId }, '95');
    const partly = endedExecution({
      userId,
      endedAt: null,
      orders: [
        filledOrder('buy', [storedFill({ quantity: '2' })]),
        filledOrder('sell', [storedFill({ price: '99', at: new Date(now) })]),
      ],
    });
    const twice = endedExecution({ userId, id: booked.id }, '50');
    const foreign = [
      endedExecution({ userId: 'other' }, '1'),
      endedExecution({ userId, exchange: 'BINANCE' }, '1'),
    ];
    const open = [unbooked, partly, twice, ...foreign, endedExecution({ userId, pair: 'ETH/BTC' }, '1')];
    assert.equal(lostToday(scope, open, [booked], now).toString(), '16');
    assert.equal(lostToday(scope, open, [booked], now + dayMs).toString(), '0');
  });
});
