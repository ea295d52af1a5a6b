import assert from 'node:assert/strict';
import { updateDueRecords, updateRecord } from '../../../../jobs/signals/booking/update-record.js';
import { updateRecordsSchedule } from '../../../../jobs/schedules/update-records.js';
import type { ScheduleTools } from '../../../../jobs/schedules/worker/schedule.js';
import type { BookedTrade } from '../../../../storage/ledger/booked-trade.js';
import type { Channel } from '../../../../storage/signals/channel.js';
import { temporaryStorage } from '../../../support/servers/temporary-storage.js';
import { bookedTrade } from '../../../support/signals/booked-trade.js';
import { makeStoredExecution } from '../../../support/signals/make-stored-execution.js';
import { newSubscription } from '../../../support/signals/new-subscription.js';
import { newSignal, signalTerms } from '../../../support/signals/signal-terms.js';

const fewFound = (found: number) => ({
  ...{ low: null, high: null, reason: `an interval needs 20 traded signals with a stop, found ${found}` },
});

describe('track records', () => {
  const temporary = temporaryStorage();
  const storage = () => temporary.storage;
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
      await booked(channel, good.id, { r, returnPercent: r * 10, entrySlippagePercent: 0.1 * r });
    await booked(channel, bad.id, { r: -1, returnPercent: -10, entrySlippagePercent: 0.4 });
    assert.ok(expired.id > bad.id);
    assert.equal(await updateDueRecords(storage()), 1);
    assert.deepEqual(await recordOf(channel), {
      ...{ signals: 3, cancelled: 1, expired: 1, followers: 0, traded: 2, hitRatePercent: 50 },
      ...{ expectancyR: 0.5, maxDrawdownR: 1, medianSlippagePercent: 0.30000000000000004 },
      expectancyInterval: fewFound(2),
      paper: {
        expectancyInterval: fewFound(0),
        ...{ followers: 0, traded: 0, hitRatePercent: null, expectancyR: null, maxDrawdownR: null },
        medianSlippagePercent: null,
      },
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
    await updateDueRecords(storage());
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
    await updateDueRecords(storage());
    const { signals, expired, traded } = (await recordOf(channel))!;
    assert.deepEqual([signals, expired, traded], [3, 1, 1]);
  });

  it('cover three and six months beside the year, by when trades closed', async () => {
    const channel = await newChannel();
    const [first, second] = [await signalOf(channel), await signalOf(channel)];
    const ago = (days: number) => new Date(Date.now() - days * 86_400_000);
    await booked(channel, first.id, { r: 2, closedAt: ago(120) });
    await booked(channel, second.id, { r: -1, closedAt: ago(10) });
    await updateDueRecords(storage());
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
      computed += await updateDueRecords(storage(), nowMs + n * 300);
    }
    assert.equal(computed, 1);
    const [due] = (await storage().channelRecords.due(new Date())).filter(
      (each) => each.channelId === channel.id,
    );
    assert.deepEqual(due.due, { [id]: 29 });
    assert.equal(await updateDueRecords(storage(), nowMs + 20_000), 1);
  });

  it('stay due for a trade that is booked while they are computed', async () => {
    const channel = await newChannel();
    const { id } = await signalOf(channel);
    await booked(channel, id, {});
    const [due] = (await storage().channelRecords.due(new Date())).filter(
      (each) => each.channelId === channel.id,
    );
    await booked(channel, id, {});
    await updateRecord(storage(), due, Date.now() - 20_000);
    const left = (await storage().channelRecords.due(new Date())).find(
      (each) => each.channelId === channel.id,
    );
    assert.deepEqual(left, { channelId: channel.id, due: { [id]: 2 } });
    assert.equal(await updateDueRecords(storage()), 1);
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
    await Promise.all([updateDueRecords(storage()), updateDueRecords(another), updateDueRecords(another)]);
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
    await assert.rejects(updateDueRecords(failing), /a fault of the code/);
    const computed = await Promise.all(channels.map(async (each) => (await recordOf(each))?.expectancyR));
    assert.deepEqual(
      computed.filter((each) => each === 4),
      [4, 4],
    );
    assert.equal(await updateDueRecords(storage()), 1);
  });

  it('are computed each night for every channel, also without a trade', async () => {
    const channel = await newChannel();
    await signalOf(channel, 1);
    const tools = { storage: storage(), lease: { confirm: () => Promise.resolve(), token: 1 } };
    const told = await updateRecordsSchedule.run(
      tools as unknown as ScheduleTools,
      new AbortController().signal,
    );
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
    const tools = { storage: failing, lease: { confirm: () => Promise.resolve(), token: 1 } };
    await assert.rejects(
      updateRecordsSchedule.run(tools as unknown as ScheduleTools, new AbortController().signal),
      /a fault of the code/,
    );
    assert.equal((await recordOf(other))?.expired, 1);
    assert.equal(await updateDueRecords(storage()), 1);
  });

  it('of a channel that is gone are removed', async () => {
    const trade = bookedTrade({ channelId: 'gone' });
    await storage().channelRecords.markDue([trade]);
    await updateDueRecords(storage());
    assert.deepEqual(
      await temporary.db.collection<{ _id: string }>('channel_records').findOne({ _id: 'gone' }),
      null,
    );
  });
});
