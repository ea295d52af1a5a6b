import assert from 'node:assert/strict';
import type { SignalEngine } from '../../../../jobs/signals/signal-engine.js';
import type { StoredExecution } from '../../../../storage/signals/stored-execution.js';
import { until } from '../../../support/process/until.js';
import { temporaryRedis } from '../../../support/servers/temporary-redis.js';
import { temporaryStorage } from '../../../support/servers/temporary-storage.js';
import { keyOf } from '../../../support/venues/live-rig.js';
import { StreamedDesk } from '../../../support/venues/streamed-desk.js';

const hourMs = 3_600_000;
const isSold = ({ events }: StoredExecution): boolean => events.some(({ type }) => type === 'sold_elsewhere');

for (const dialect of ['binance', 'bybit', 'kucoin'] as const)
  describe(`private streams of ${dialect}`, function () {
    this.timeout(120_000);
    const context = temporaryStorage();
    const redis = temporaryRedis();
    let desk: StreamedDesk;
    let engine: SignalEngine;
    const start = async (reconcileMs: number) => {
      engine = await desk.startEngine(reconcileMs);
    };
    before(async () => {
      desk = await StreamedDesk.open(dialect, context, redis.redis);
    });
    beforeEach(() => desk.exchange.streamFaults({}));
    afterEach(() => engine.close());
    after(() => desk.close());

    it('tell of what the owner does, which no price and no comparison shows', async () => {
      await start(hourMs);
      const { userId, isSo } = await desk.holder();
      await desk.known(userId);
      await desk.sellByHand(userId);
      const { state } = await isSo('the sale is known', isSold);
      // The rest of a step, which cannot be sold.
      assert.ok(Number(state!.position.quantity) < 0.00001);
    });

    it('book each trade once, however often, late and in whatever order they tell it', async () => {
      await start(hourMs);
      await desk.exchange.streamFaults({ times: 3, isReordered: true, lateMs: 40 });
      const { userId, isSo } = await desk.holder();
      await desk.known(userId);
      const ended = await isSo('it has sold', ({ endedAt }) => endedAt !== null, '54000');
      const booked = ended.orders.flatMap(({ fills }) => fills.map(({ quantity }) => quantity));
      const { trades } = await desk.exchange.ledger([keyOf(userId)]);
      assert.deepEqual(booked.sort(), trades.map(({ quantity }) => quantity).sort());
    });

    it('leave nothing to be asked for; an account that is refused is compared as without them', async () => {
      await start(300);
      const [told, refused] = [await desk.holder(), await desk.holder()];
      await desk.known(told.userId);
      await desk.known(refused.userId);
      await desk.exchange.streamFaults({ refused: [keyOf(refused.userId)] });
      await desk.exchange.cutStreams();
      await desk.known(told.userId, false);
      await desk.known(told.userId);
      // What was heard and read since they opened comes first.
      const before = await desk.readings(told.userId);
      const others = await desk.readings(refused.userId);
      await until('the other is read again', async () => (await desk.readings(refused.userId)) > others + 6);
      assert.ok((await desk.readings(told.userId)) - before < 4);
      await desk.known(refused.userId, false);
    });

    it('begin with a comparison, which finds what was missed while they were away', async () => {
      await start(hourMs);
      const { userId, isSo } = await desk.holder();
      await desk.known(userId);
      await desk.exchange.streamFaults({ isClosed: true });
      await desk.exchange.cutStreams();
      await desk.known(userId, false);
      await desk.sellByHand(userId);
      await desk.exchange.streamFaults({});
      await isSo('the sale is known', isSold);
    });

    it('are opened again when their keys expire, and by another process when theirs has ended', async () => {
      await start(hourMs);
      const other = await desk.startEngine(hourMs);
      const { userId, isSo } = await desk.holder();
      await desk.known(userId);
      const { opened } = await desk.exchange.streams();
      await desk.exchange.expireStreams(keyOf(userId));
      if (dialect === 'binance')
        await until('they are opened again', async () => (await desk.exchange.streams()).opened > opened);
      await engine.close();
      await desk.known(userId);
      await desk.sellByHand(userId);
      await isSo('the sale is known', isSold);
      await other.close();
    });
  });
