import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { ensureDemoContent } from '../../../jobs/market/demo-content.js';
import { TickPublisher } from '../../../storage/candles/market-ticks.js';
import type { PriceTick } from '../../../compute/model/price.js';
import { sliceCandles } from '../../../compute/model/candles.js';
import type { Storage } from '../../../storage/index.js';
import { readSettings } from '../../../storage/process/read-settings.js';
import { failFast, openRedis } from '../../../storage/servers/redis.js';
import { ensureDemoAccount } from '../../../storage/users/demo-account.js';
import { demoHours } from '../../support/candles/demo-candles.js';
import { freshRedisUrl } from '../../support/servers/servers.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

const shownHours = 24 * 60;
const pairs = ['BTC_USDT', 'ETH_USDT', 'SOL_USDT', 'BNB_USDT', 'XRP_USDT'];

describe('the content of the demo market', function () {
  this.timeout(60_000);
  const context = temporaryStorage();
  let folder: string;
  let redis: Redis;
  /** When the stored candles end. */
  let nowMs: number;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tidemark-demo-'));
    redis = openRedis(await freshRedisUrl(), failFast);
    await fillMarket();
    await ensureDemoAccount(context.storage.users, folder);
  });
  after(async () => {
    redis.disconnect();
    await rm(folder, { recursive: true });
  });

  async function fillMarket(): Promise<void> {
    const ticks: PriceTick[] = [];
    for (const pair of pairs) {
      const [base, quote] = pair.split('_');
      const all = demoHours().get(pair)!;
      const count = all.time.length;
      await context.storage.candles.add(
        { market: 'demo', base, quote },
        sliceCandles(all, count - shownHours, count),
      );
      nowMs = all.time[count - 1] + 3_600_000;
      ticks.push({ base, quote, price: all.close[count - 1], change24hPercent: 0, time: nowMs });
    }
    const publisher = new TickPublisher(redis, 'demo', 0);
    await publisher.publish(nowMs, () => [], ticks);
  }

  const make = (market = 'demo', storage: Storage = context.storage) =>
    ensureDemoContent(
      { settings: readSettings({ MARKET: market, DATA_DIR: folder }, folder), storage, redis },
      nowMs,
    );

  /** What the pages show, without ids and times. */
  async function shown() {
    const { users, partners, channels, signals, subscriptions, accounts } = context.storage;
    const { id } = (await users.byEmail('demo@tidemark.local'))!;
    const partner = await partners.ofMember(id);
    const found = await signals.list({ limit: 100 });
    const paper = await accounts.find(id, 'PAPER');
    return {
      partner: partner?.name ?? null,
      keys: partner?.keys.length ?? 0,
      channels: (await channels.list()).map(({ name }) => name),
      signals: found.signals.map(({ terms, createdAt, reference }) => ({ terms, createdAt, reference })),
      followed: (await subscriptions.ofUser(id)).length,
      held: paper?.holdings.map(({ asset, quantity }) => `${quantity} ${asset}`) ?? [],
    };
  }

  it('is not made on another market', async () => {
    assert.equal(await make('csv'), false);
    assert.deepEqual((await shown()).channels, []);
  });

  it('is a partner, a channel, ten signals and three holdings, made once by two processes', async () => {
    const made = await Promise.all([make(), make('demo', context.another()), make()]);
    assert.deepEqual(made.filter(Boolean), [true]);
    const { signals, ...rest } = await shown();
    assert.deepEqual(rest, {
      partner: 'Demo desk',
      keys: 0,
      channels: ['demo-trend'],
      followed: 1,
      held: ['0.05 BTC', '0.8 ETH', '5 SOL'],
    });
    assert.equal(signals.length, 10);
    // The record of those of the past follows from the candles at once.
    const past = signals.slice(2);
    assert.ok(past.every(({ reference }) => reference && reference.state !== 'unpriced'));
    assert.ok(past.some(({ reference }) => reference!.state === 'closed'));
  });

  it('are signals that the rule of the channel gives on the candles of their time, with levels in order', async () => {
    const { signals } = await shown();
    for (const { terms, createdAt } of signals) {
      const { time, close } = demoHours().get(`${terms.coin}_USDT`)!;
      const count = time.filter((each) => each + 3_600_000 <= createdAt.getTime()).length;
      const [{ price, zoneEnd }] = terms.entries;
      const levels = [terms.stopLoss, zoneEnd, price, ...terms.targets].map(Number);
      assert.deepEqual(
        levels,
        levels.toSorted((one, other) => one - other),
      );
      assert.ok(close[count - 1] > Number(zoneEnd) && close[count - 1] < Number(price), terms.coin);
    }
  });

  it('is not made again by a later start', async () => {
    const before = await shown();
    assert.equal(await make(), false);
    assert.deepEqual(await shown(), before);
  });

  it('stays away when the operator has removed it', async () => {
    await context.storage.partners.remove('Demo desk');
    await context.db.collection('channels').deleteMany({});
    assert.equal(await make(), false);
    const { partner, channels } = await shown();
    assert.deepEqual([partner, channels], [null, []]);
  });

  it('is gone on with where a start was interrupted', async () => {
    const { storage, db } = context;
    await db.collection('users').updateMany({}, { $unset: { hasDemoContent: 1 } });
    await db.collection('signals').deleteMany({});
    const { id } = (await storage.users.byEmail('demo@tidemark.local'))!;
    await db.collection('subscriptions').deleteMany({ userId: id });
    assert.equal(await make(), true);
    // As if the process had ended after seven signals.
    const whole = await shown();
    const rows = await db.collection('signals').find().sort({ _id: -1 }).limit(3).toArray();
    await db.collection('signals').deleteMany({ _id: { $in: rows.map(({ _id }) => _id) } });
    await db.collection('users').updateMany({}, { $unset: { hasDemoContent: 1 } });
    assert.equal(await make(), true);
    const resumed = await shown();
    const terms = ({ signals }: typeof whole) => signals.map((each) => each.terms);
    assert.deepEqual(terms(resumed), terms(whole));
    assert.deepEqual({ ...resumed, signals: [] }, { ...whole, signals: [] });
  });
});
