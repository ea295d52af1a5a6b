import type { Redis } from 'ioredis';
import { demoAssets } from '../../compute/demo/demo-assets.js';
import { demoSignalAt, type DemoSeries, type DemoSignal } from '../../compute/demo/demo-signals.js';
import { AppError } from '../../compute/model/errors.js';
import { utcDay } from '../../compute/model/utc-day.js';
import { demoPairRules } from '../../compute/paper/demo-pair-rules.js';
import { snapshotAccounts } from '../accounts/snapshot-accounts.js';
import { rankStrategiesSchedule } from '../schedules/rank-strategies.js';
import { ScheduleQueue } from '../schedules/worker/schedule-queue.js';
import { recordStart } from '../signals/booking/update-record.js';
import { updateReferences } from '../signals/booking/update-references.js';
import { openSecretBox } from '../../storage/accounts/open-secret-box.js';
import { UserExchanges } from '../../storage/accounts/user-exchanges.js';
import { LatestPrices } from '../../storage/candles/latest-prices.js';
import { paperName } from '../../storage/exchanges/exchange-names.js';
import type { Storage } from '../../storage/index.js';
import type { Settings } from '../../storage/process/settings.js';
import { noDefaults, type Channel } from '../../storage/signals/channel.js';
import { announceSignal } from '../../storage/signals/signal-wakes.js';
import { defaultSettings } from '../../storage/signals/subscription.js';
import type { Partner } from '../../storage/users/partners.js';
import { demoEmail } from '../../storage/users/demo-account.js';

const partnerName = 'Demo desk';
const channelName = 'demo-trend';
const description =
  'Made up, on the demo market: buys what is furthest above its mean of seven days, with two targets and a stop.';

/** Quantities are worth some hundred to some thousand USDT. */
const holdings = [
  { asset: 'BTC', quantity: '0.05' },
  { asset: 'ETH', quantity: '0.8' },
  { asset: 'SOL', quantity: '5' },
];

/** Signals of the 30 days before, and those that the demo account follows from the start. */
const [pastSignals, newSignals] = [8, 2];
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const spanMs = 30 * dayMs;

export interface DemoContentTools {
  settings: Settings;
  storage: Storage;
  redis: Redis;
}

/**
 * What a first start of the demo market shows: a partner with a channel and ten signals, whose record follows from the candles, and the
 * demo account, which follows the channel, acts for the partner and holds three assets on paper. Needs stored candles. Made once for an
 * account: what was removed is not made again. A start that was interrupted is gone on with by the next; of several processes one
 * makes it. Answers whether it made it now; never on another market.
 */
export async function ensureDemoContent(tools: DemoContentTools, nowMs = Date.now()): Promise<boolean> {
  const { settings, storage } = tools;
  if (settings.MARKET !== 'demo') return false;
  return storage.leases.hold('demo-content', async () => {
    const user = await storage.users.byEmail(demoEmail);
    if (!user || (await storage.users.hasDemoContent(user.id))) return false;
    await makeContent(tools, user.id, nowMs);
    await storage.users.noteDemoContent(user.id);
    return true;
  });
}

async function makeContent(tools: DemoContentTools, userId: string, nowMs: number): Promise<void> {
  const { settings, storage, redis } = tools;
  const exchanges = new UserExchanges(settings, storage, redis);
  const { marketOf } = exchanges.exchanges;
  if (!(await storage.accounts.find(userId, paperName))) await exchanges.give(userId, holdings);
  const prices = new LatestPrices(storage, redis);
  const snapshots = { storage, prices, marketOf, paperBalance: settings.PAPER_BALANCE };
  await snapshotAccounts(snapshots, [userId], utcDay(nowMs));
  const partner = await demoPartner(tools, userId);
  const channel =
    (await storage.channels.named(partner.id, channelName)) ??
    (await storage.channels.add({ partnerId: partner.id, name: channelName, description }));
  await addSignals(tools, { channel, userId }, nowMs);
  await updateReferences(storage, channel, recordStart(nowMs), (name) => [marketOf(name)]);
  await new ScheduleQueue(redis).runNow(rankStrategiesSchedule.name);
}

/** The partner, for whom the demo account acts. Its first key is revoked, since its secret was never shown. */
async function demoPartner({ settings, storage }: DemoContentTools, userId: string): Promise<Partner> {
  const { partners } = storage;
  if (!(await partners.named(partnerName)))
    await partners.revokeKey((await partners.add(partnerName, await openSecretBox(settings))).key);
  try {
    await partners.addMember(partnerName, userId);
  } catch (error) {
    // The operator has made the account act for another partner.
    if (!(error instanceof AppError) || error.code !== 'already_exists') throw error;
  }
  return (await partners.named(partnerName))!;
}

/** Adds the signals that are missing, the oldest first. Those of the past are not delivered. */
async function addSignals(
  { storage, redis }: DemoContentTools,
  { channel, userId }: { channel: Channel; userId: string },
  nowMs: number,
): Promise<void> {
  const { id: channelId, partnerId } = channel;
  const { signals: stored } = await storage.signals.list({ partnerId, limit: pastSignals + newSignals });
  const series = await demoSeries(storage, nowMs);
  const taken: string[] = [];
  for (let n = 0; n < pastSignals + newSignals; n++) {
    const isPast = n < pastSignals;
    const atMs = isPast ? nowMs - spanMs + (n * spanMs) / pastSignals : nowMs;
    // Half of the assets have their turn before one comes again.
    const signal = demoSignalAt(series, atMs, new Set(taken.slice(-Math.floor(series.length / 2))));
    if (!signal) continue;
    taken.push(signal.asset);
    if (n < stored.length) continue;
    if (n === pastSignals) await follow(storage, channelId, userId);
    const added = await storage.signals.add({ partnerId, channelId, ...partsOf(signal) }, atMs);
    if (added !== 'key_reused' && isPast)
      await storage.signals.advance(added, { after: null, isDone: true, delivered: 0 }, null);
  }
  // If it is not heard, the workers find the signals by themselves.
  await announceSignal(redis, partnerId).catch(() => undefined);
  const { signals } = await storage.signals.list({ partnerId, limit: pastSignals + newSignals });
  await storage.channelRecords.markDue(signals.map(({ id }) => ({ channelId, signalId: id })));
}

async function follow({ subscriptions }: Storage, channelId: string, userId: string): Promise<void> {
  const followed = await subscriptions.ofUser(userId);
  if (followed.some((each) => each.channelId === channelId)) return;
  const { sides } = noDefaults;
  await subscriptions.add({ ...defaultSettings, sides, userId, channelId, exchange: paperName });
}

async function demoSeries({ candles, series }: Storage, nowMs: number): Promise<DemoSeries[]> {
  const found: DemoSeries[] = [];
  for (const { base } of demoAssets) {
    const pair = { base, quote: 'USDT' };
    const [stored, rules] = [
      await series.find({ market: 'demo', ...pair, interval: '1h' }),
      demoPairRules(pair),
    ];
    const count = (spanMs + 8 * dayMs) / hourMs;
    if (stored && rules)
      found.push({ asset: base, rules, candles: await candles.closedBy(stored, nowMs, count) });
  }
  return found;
}

const partsOf = ({ asset, entry, targets, stopLoss }: DemoSignal) => ({
  terms: {
    version: 2,
    coin: asset,
    quote: 'USDT',
    exchange: paperName,
    side: 'long',
    account: 'SPOT',
    leverage: 1,
    marginType: 'ISOLATED',
    entryMode: 'range',
    entries: [{ level: 'max', type: 'limit', price: entry.max, zoneEnd: entry.min, percent: '100' }],
    targets,
    stopLoss,
    investPercent: null,
    ttlMs: 3 * dayMs,
    imageUrls: [],
    description: 'Demo: furthest above its mean of seven days.',
  } as const satisfies Parameters<Storage['signals']['add']>[0]['terms'],
  commands: [],
  idempotency: null,
});
