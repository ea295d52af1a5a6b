import assert from 'node:assert/strict';
import { updateDueRecords, updateRecord } from '../../../../jobs/signals/booking/update-record.js';
import { sliceCandles } from '../../../../compute/model/candles.js';
import { Decimal } from '../../../../compute/model/decimal.js';
import { encodeExecution } from '../../../../storage/signals/execution-json.js';
import type { StoredExecution } from '../../../../storage/signals/stored-execution.js';
import { flatCandles } from '../../../support/candles/odd-candles.js';
import { filledOrder, storedFill } from '../../../support/signals/ended-execution.js';
import { makeExecution } from '../../../support/signals/make-execution.js';
import { updateRecordsSchedule } from '../../../../jobs/schedules/update-records.js';
import type { ScheduleTools } from '../../../../jobs/schedules/worker/schedule.js';
import type { BookedTrade } from '../../../../storage/ledger/booked-trade.js';
import type { Channel } from '../../../../storage/signals/channel.js';
import type { Redis } from 'ioredis';
import { Prices } from '../../../../storage/candles/prices.js';
import { openRedis, patient } from '../../../../storage/servers/redis.js';
import { freshRedisUrl } from '../../../support/servers/servers.js';
import { temporaryStorage } from '../../../support/servers/temporary-storage.js';
import { bookedTrade } from '../../../support/signals/booked-trade.js';
import { makeStoredExecution } from '../../../support/signals/make-stored-execution.js';
import { newSubscription } from '../../../support/signals/new-subscription.js';
import { newSignal, signalTerms } from '../../../support/signals/signal-terms.js';

const fewFound = (found: number) => ({
  ...{ low: null, high: null, reason: `an interval needs 20 traded signals with a stop, found ${found}` },
});

const nothing = {
  expectancyInterval: fewFound(0),
  ...{ traded: 0, openLosers: 0, hitRatePercent: null, expectancyR: null, maxDrawdownR: null },
};

describe('track records', () => {
  const temporary = temporaryStorage();
  const storage = () => temporary.storage;
  let redis: Redis;
  const warned: object[] = [];
  const log = { warn: (facts: object) => void warned.push(facts) };
  const tools = (from = storage()) => ({ storage: from, prices: new Prices(redis), log });
  before(async () => {
    redis = openRedis(await freshRedisUrl(), patient);
  });
  after(() => redis.disconnect());
  const scheduleTools = () => ({
    ...{ redis, log, lease: { confirm: () => Promise.resolve(), token: 1 } },
    settings: { MARKET: 'demo', EXCHANGES: 'BINANCE=binance' },
  });
  let channels = 0;
  const newChannel = () => storage().channels.add({ partnerId: 'partner', name: `channel ${++channels}` });

  const signalOf = async (channel: Channel, ttlMs: number | null = null) => {
    const terms = { ...signalTerms, ttlMs };
    const added = await storage().signals.add(newSignal('partner', { channelId: channel.id, terms }));
    assert.ok(added !== 'key_reused');
    return added;
  };
  const booked = async (channel: Channel, signalId: string, more: Partial<BookedTrade>) => {
    const trade = bookedTrade({ channelId: channel.id, signalId, exchange: 'BINANCE', ...more });
    await storage().trades.book([trade]);
    await storage().channelRecords.markDue([trade]);
  };
  const recordOf = async ({ id }: Channel) => (await storage().channelRecords.list()).get(id);

  it('count a signal once, by the median of its followers, cancelled and expired ones included', async () => {
    const channel = await newChannel();
    const [good, bad, expired] = [
      await signalOf(channel),
      await signalOf(channel),
      await signalOf(channel, 1),
    ];
    await storage().signals.command(bad, { type: 'cancel' }, 'the partner cancelled it');
    for (const r of [1, 2, 9])
      await booked(channel, good.id, {
        ...{ r, returnPercent: r * 10, entrySlippagePercent: 0.1 * r, deliverySlippagePercent: 0.5 },
      });
    await booked(channel, bad.id, {
      r: -1,
      returnPercent: -10,
      entrySlippagePercent: 0.4,
      deliverySlippagePercent: 0.5,
    });
    assert.ok(expired.id > bad.id);
    assert.equal(await updateDueRecords(tools()), 1);
    assert.deepEqual(await recordOf(channel), {
      ...{ signals: 3, cancelled: 1, expired: 1, followers: 0, traded: 2, hitRatePercent: 50 },
      ...{ expectancyR: 0.5, maxDrawdownR: 1, medianSlippagePercent: 0.30000000000000004 },
      ...{ openLosers: 0, medianDeliverySlippagePercent: 0.5, expectancyInterval: fewFound(2) },
      paper: { ...nothing, followers: 0, medianSlippagePercent: null, medianDeliverySlippagePercent: null },
      reference: { ...nothing, unpriced: 0 },
    });
  });

  it('keep paper apart from money, whoever trades first, and count who follows', async () => {
    const channel = await newChannel();
    const [both, onPaper] = [await signalOf(channel), await signalOf(channel)];
    await booked(channel, both.id, { r: -1 });
    for (const { id } of [both, onPaper]) await booked(channel, id, { exchange: 'PAPER', r: 5 });
    const { subscriptions } = storage();
    for (const [n, exchange] of ['PAPER', 'PAPER', 'BINANCE', 'KUCOIN'].entries())
      await subscriptions.add(newSubscription(`follower ${n}`, channel.id, { exchange }));
    await subscriptions.add(newSubscription('silent', channel.id, { autoInvest: false }));
    await subscriptions.setPaused('follower 3', true);
    await updateDueRecords(tools());
    const { paper, ...live } = (await recordOf(channel))!;
    assert.deepEqual([live.followers, live.traded, live.expectancyR], [1, 1, -1]);
    assert.deepEqual([paper.followers, paper.traded, paper.expectancyR], [2, 2, 5]);
  });

  it('count a signal that is still traded after the time for its entry as neither expired nor traded', async () => {
    const channel = await newChannel();
    const [open, ended] = [await signalOf(channel, 1), await signalOf(channel, 1)];
    await storage().executions.addAll([
      makeStoredExecution({ signalId: open.id, channelId: channel.id, status: 'open' }),
      makeStoredExecution({
        signalId: open.id,
        channelId: channel.id,
        status: 'expired',
        endedAt: new Date(),
      }),
      makeStoredExecution({
        signalId: ended.id,
        channelId: channel.id,
        status: 'expired',
        endedAt: new Date(),
      }),
    ]);
    const { id } = await signalOf(channel);
    await booked(channel, id, { r: 1 });
    await updateDueRecords(tools());
    const { signals, expired, traded } = (await recordOf(channel))!;
    assert.deepEqual([signals, expired, traded], [3, 1, 1]);
  });

  /** A follower who has bought 1 at 100, where the market stood at 98 when the signal came. */
  const holder = (channel: Channel, signalId: string, more: Partial<StoredExecution> = {}) => {
    const bought = filledOrder('buy', [storedFill()]);
    const plan = makeExecution();
    const position = { ...plan.position, quantity: Decimal.parse('1'), entered: Decimal.parse('1') };
    return makeStoredExecution({
      ...{ signalId, channelId: channel.id, exchange: 'BINANCE', status: 'open', deliveryPrice: '98' },
      ...{ state: encodeExecution({ ...plan, status: 'open', position }), orders: [bought] },
      ...more,
    });
  };
  const priceIs = (price: number) =>
    new Prices(redis).put('demo', [
      { base: 'BTC', quote: 'USDT', price, change24hPercent: null, time: Date.now() },
    ]);
  const runSchedule = () =>
    updateRecordsSchedule.run(
      { ...scheduleTools(), storage: storage() } as unknown as ScheduleTools,
      new AbortController().signal,
    );

  it('count losses that followers still hold, at the last price, and gains once they are closed', async () => {
    const channel = await newChannel();
    const { id } = await signalOf(channel);
    await storage().executions.addAll([
      holder(channel, id),
      holder(channel, id, { exchange: 'PAPER' }),
      holder(channel, id, { status: 'closed', endedAt: new Date() }),
    ]);
    const found = async () => {
      await runSchedule();
      const { traded, openLosers, expectancyR, medianDeliverySlippagePercent, paper } =
        (await recordOf(channel))!;
      return [traded, openLosers, expectancyR, medianDeliverySlippagePercent, paper.openLosers];
    };
    await priceIs(96);
    // The stop is at 90, and 2 more than 98 are 2.04 %.
    assert.deepEqual(await found(), [1, 1, -0.4, (2 / 98) * 100, 1]);
    await priceIs(105);
    assert.deepEqual(await found(), [0, 0, null, null, 0]);
    await priceIs(80);
    assert.deepEqual((await found()).slice(0, 3), [1, 1, -2]);
    // A trade of another follower that is closed counts beside it.
    await booked(channel, id, { r: 4 });
    await updateDueRecords(tools(), Date.now() + 20_000);
    const { traded, openLosers, expectancyR } = (await recordOf(channel))!;
    assert.deepEqual([traded, openLosers, expectancyR], [1, 1, 1]);
  });

  it('tell what the levels would have brought by candles of the market, whoever followed', async () => {
    const channel = await newChannel();
    const [good, bad, later] = [await signalOf(channel), await signalOf(channel), await signalOf(channel)];
    await storage().signals.command(later, { type: 'cancel' }, 'the partner cancelled it');
    const unpriced = { ...signalTerms, coin: 'XMR' };
    await storage().signals.add(newSignal('partner', { channelId: channel.id, terms: unpriced }));
    const hourMs = 3_600_000;
    const first = Math.ceil(Date.now() / hourMs) * hourMs;
    const candles = flatCandles(3, 105);
    for (const n of [0, 1, 2]) candles.time[n] = first + n * hourMs;
    // Bought at 105, sold halves at 120 and 130; the risk is 15.
    candles.high[1] = 125;
    candles.high[2] = 131;
    const pair = { market: 'demo', base: 'BTC', quote: 'USDT' };
    await storage().candles.add(pair, sliceCandles(candles, 0, 2));
    await runSchedule();
    const { reference } = (await recordOf(channel))!;
    // One half is still held, which is no loss.
    assert.deepEqual([reference.traded, reference.openLosers, reference.unpriced], [0, 0, 1]);
    await storage().candles.add(pair, sliceCandles(candles, 2, 3));
    await runSchedule();
    const after = (await recordOf(channel))!;
    assert.deepEqual([after.traded, after.reference.traded, after.reference.unpriced], [0, 2, 1]);
    assert.ok(Math.abs(after.reference.expectancyR! - (20 - 0.23) / 15) < 1e-9);
    const stored = await storage().signals.ofIds([good.id, bad.id, later.id]);
    assert.deepEqual(Object.fromEntries(stored.map(({ id, reference: found }) => [id, found?.state])), {
      [good.id]: 'closed',
      [bad.id]: 'closed',
      [later.id]: 'expired',
    });
  });

  it('halt a channel whose trades cost its subscribers too much, and tell each operator once', async () => {
    const channel = await newChannel();
    const operator = await storage().users.add({
      email: 'operator@example.com',
      passwordHash: 'none',
      plan: 'free',
    });
    await storage().users.setOperator(operator.id, true);
    const mailed = async () => {
      const mail = await storage().mails.takeDue(Date.now(), 600_000);
      return mail && [mail.kind, mail.email];
    };
    const closedAt = new Date();
    const trade = async (costPercent: number) =>
      booked(channel, (await signalOf(channel)).id, { costPercent, closedAt });
    const soon = Date.now() + 20_000;
    await trade(1.9);
    await updateDueRecords(tools(), soon);
    assert.deepEqual([await storage().halts.list(), await mailed()], [[], null]);
    await trade(0.2);
    await updateDueRecords(tools(), soon + 20_000);
    const [halt] = await storage().halts.list();
    const cause = 'its trades of 24 hours cost its subscribers 2.1 % of their capital in fees, above 2 %';
    assert.deepEqual([halt.channelId, halt.partnerId, halt.cause], [channel.id, 'partner', cause]);
    assert.deepEqual(await mailed(), ['churn', 'operator@example.com']);
    await trade(5);
    await updateDueRecords(tools(), soon + 40_000);
    assert.deepEqual([(await storage().halts.list()).length, await mailed()], [1, null]);
    // What was before its operator resumed it does not count again.
    await storage().halts.remove({ exchange: null, partnerId: 'partner', channelId: channel.id });
    await storage().channels.noteResumed(channel.id);
    await runSchedule();
    assert.deepEqual(await storage().halts.list(), []);
  });

  it('cover three and six months beside the year, by when trades closed', async () => {
    const channel = await newChannel();
    const [first, second] = [await signalOf(channel), await signalOf(channel)];
    const ago = (days: number) => new Date(Date.now() - days * 86_400_000);
    await booked(channel, first.id, { r: 2, closedAt: ago(120) });
    await booked(channel, second.id, { r: -1, closedAt: ago(10) });
    await updateDueRecords(tools());
    const of = async (period: '3M' | '6M' | '1y') => {
      const record = (await storage().channelRecords.ofPeriod(period)).get(channel.id)!;
      return [record.signals, record.traded, record.expectancyR];
    };
    assert.deepEqual(await of('3M'), [2, 1, -1]);
    assert.deepEqual(await of('6M'), [2, 2, 0.5]);
    assert.deepEqual(await of('1y'), [2, 2, 0.5]);
  });

  it('are computed once for thousands of trades that close within seconds', async () => {
    const channel = await newChannel();
    const { id } = await signalOf(channel);
    const nowMs = Date.now();
    let computed = 0;
    for (let n = 0; n < 30; n++) {
      const trades = Array.from({ length: 100 }, () => bookedTrade({ channelId: channel.id, signalId: id }));
      await storage().trades.book(trades);
      await storage().channelRecords.markDue(trades);
      computed += await updateDueRecords(tools(), nowMs + n * 300);
    }
    assert.equal(computed, 1);
    const [due] = (await storage().channelRecords.due(new Date())).filter(
      (each) => each.channelId === channel.id,
    );
    assert.deepEqual(due.due, { [id]: 29 });
    assert.equal(await updateDueRecords(tools(), nowMs + 20_000), 1);
  });

  it('stay due for a trade that is booked while they are computed', async () => {
    const channel = await newChannel();
    const { id } = await signalOf(channel);
    await booked(channel, id, {});
    const [due] = (await storage().channelRecords.due(new Date())).filter(
      (each) => each.channelId === channel.id,
    );
    await booked(channel, id, {});
    await updateRecord(tools(), due, Date.now() - 20_000);
    const left = (await storage().channelRecords.due(new Date())).find(
      (each) => each.channelId === channel.id,
    );
    assert.deepEqual(left, { channelId: channel.id, due: { [id]: 2 } });
    assert.equal(await updateDueRecords(tools()), 1);
    const after = (await storage().channelRecords.due(new Date())).find(
      (each) => each.channelId === channel.id,
    );
    assert.equal(after, undefined);
  });

  it('are computed by one of several processes at once', async () => {
    const channel = await newChannel();
    const { id } = await signalOf(channel);
    await booked(channel, id, { r: 3 });
    const another = temporary.another();
    await Promise.all([
      updateDueRecords(tools()),
      updateDueRecords(tools(another)),
      updateDueRecords(tools(another)),
    ]);
    assert.equal((await recordOf(channel))?.expectancyR, 3);
  });

  it('are computed for other channels beside one whose record fails', async () => {
    const channels = [await newChannel(), await newChannel(), await newChannel()];
    for (const channel of channels) await booked(channel, (await signalOf(channel)).id, { r: 4 });
    const { trades, channelRecords } = storage();
    const isOurs = ({ channelId }: { channelId: string }) => channels.some(({ id }) => id === channelId);
    const [first] = (await channelRecords.due(new Date())).filter(isOurs);
    const failing = Object.assign(Object.create(storage()) as ReturnType<typeof storage>, {
      trades: Object.assign(Object.create(trades) as typeof trades, {
        ofSignal: (id: string) =>
          id in first.due ? Promise.reject(new TypeError('a fault of the code')) : trades.ofSignal(id),
      }),
    });
    await assert.rejects(updateDueRecords(tools(failing)), /a fault of the code/);
    const computed = await Promise.all(channels.map(async (each) => (await recordOf(each))?.expectancyR));
    assert.deepEqual(
      computed.filter((each) => each === 4),
      [4, 4],
    );
    assert.equal(await updateDueRecords(tools()), 1);
  });

  it('are computed each night for every channel, also without a trade', async () => {
    const channel = await newChannel();
    await signalOf(channel, 1);
    const told = await runSchedule();
    assert.equal(told, `${(await storage().channels.list()).length} track records computed`);
    assert.deepEqual((await recordOf(channel))?.expired, 1);
  });

  it('are computed each night beside one whose record fails', async () => {
    const [broken, other] = [await newChannel(), await newChannel()];
    await booked(broken, (await signalOf(broken)).id, { r: 4 });
    await signalOf(other, 1);
    const { channels } = storage();
    const failing = Object.assign(Object.create(storage()) as ReturnType<typeof storage>, {
      channels: {
        list: () => channels.list(),
        find: (id: string) =>
          id === broken.id ? Promise.reject(new TypeError('a fault of the code')) : channels.find(id),
      },
    });
    const scheduled = { ...scheduleTools(), storage: failing };
    await assert.rejects(
      updateRecordsSchedule.run(scheduled as unknown as ScheduleTools, new AbortController().signal),
      /a fault of the code/,
    );
    assert.equal((await recordOf(other))?.expired, 1);
    assert.equal(await updateDueRecords(tools()), 1);
  });

  it('of a channel that is gone are removed', async () => {
    const trade = bookedTrade({ channelId: 'gone' });
    await storage().channelRecords.markDue([trade]);
    await updateDueRecords(tools());
    assert.deepEqual(
      await temporary.db.collection<{ _id: string }>('channel_records').findOne({ _id: 'gone' }),
      null,
    );
  });
});
