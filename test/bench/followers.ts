import { setTimeout as delay } from 'node:timers/promises';
import { inChunks } from '../../compute/model/in-chunks.js';
import type { LiveVenue } from '../../storage/exchanges/live/live-venue.js';
import { tryKey } from '../../storage/exchanges/try-key.js';
import { StreamedAccounts } from '../../storage/accounts/streamed-accounts.js';
import { connected, openRedis, patient } from '../../storage/servers/redis.js';
import type { StoredExecution } from '../../storage/signals/stored-execution.js';
import type { SignalTerms } from '../../storage/signals/partner-signal.js';
import { until } from '../support/process/until.js';
import { keyOf } from '../support/venues/live-rig.js';
import { isOpenWithStop, LiveScene } from '../support/venues/live-scene.js';
import { percentile, printTable } from './measure.js';
import { withStorage } from './with-storage.js';

const all = { accounts: 1_000, followers: 200 };
/** Longer than any request takes on a busy machine. */
const timeoutMs = 20_000;
const inSeconds = (ms: number) => `${(ms / 1_000).toFixed(2)} s`;
const never = new AbortController().signal;
/** The commonest kind of key. */
const spotAlone = { spot: { USDT: '10000' }, mayTradeMargin: false, mayTradeFutures: false };
const terms: Partial<SignalTerms> = {
  entries: [{ level: 'max', type: 'limit', price: '60000', zoneEnd: null, percent: '100' }],
  targets: ['66000', '68000'],
  stopLoss: '50000',
};

/** Reads accounts that are not known by their streams, as the market worker does to show them; answers how many were read in the end. */
async function poll(
  venue: LiveVenue,
  users: readonly string[],
  { known, end }: { known: ReadonlySet<string>; end: AbortSignal },
): Promise<number> {
  for (let n = 0, all = 0; ; all++) {
    const userId = users[all % users.length];
    if (known.has(userId)) {
      if (all % users.length === 0) await delay(100);
      if (end.aborted) return n;
      continue;
    }
    n++;
    try {
      await venue.holdings(userId, { urgency: 'poll' });
      await venue.openOrders(userId, { urgency: 'poll' });
    } catch {
      if (!end.aborted) await delay(100);
    }
    if (end.aborted) return n;
  }
}

/** Moves the stop of the follower of a signal again and again; answers how long each move took from the command to its acknowledgement. */
async function moveStops(scene: LiveScene, userId: string, end: AbortSignal): Promise<number[]> {
  const signal = await scene.rig.signal(`partner of ${userId}`, terms);
  const execution = (isSo: (one: StoredExecution) => boolean) =>
    until(`an execution of ${userId}`, async () => {
      const [found] = await scene.rig.executionsOf(signal.id);
      return found && isSo(found) && found;
    });
  await execution(isOpenWithStop);
  const times: number[] = [];
  for (let n = 1; !end.aborted; n++) {
    const stopLoss = String(50_000 + n);
    const startedAt = Date.now();
    await scene.rig.command(signal, { type: 'update_prices', stopLoss });
    const isIt = (each: StoredExecution['orders'][number]) =>
      each.stopPrice === stopLoss && each.acknowledgedAt;
    const { orders } = await execution((one) => one.orders.some(isIt));
    times.push(orders.find(isIt)!.acknowledgedAt!.getTime() - startedAt);
    await delay(250);
  }
  return times;
}

/** Answers how long each follower's first order took from the signal to its acknowledgement. */
async function follow(scene: LiveScene, followers: number): Promise<number[]> {
  const startedAt = Date.now();
  const { id } = await scene.rig.signal('partner of many', terms);
  const isThere = { 'orders.0.acknowledgedAt': { $exists: true } };
  while ((await scene.rig.countOf(id, isThere)) < followers) await delay(100);
  const executions = await scene.rig.executionsOf(id);
  return executions.map(({ orders }) => orders[0].acknowledgedAt!.getTime() - startedAt);
}

/**
 * An engine trades for 1,000 accounts on an exchange that holds the limits of Binance, and their accounts are polled, while 200 of them
 * follow a signal, the stop of another one is moved, and a user tries a key: over one address, and the half of it over each of two.
 * `seconds`: how long the signal waits at most until the accounts are known by their private streams.
 */
export async function benchFollowers(seconds = 900): Promise<void> {
  for (const addresses of [1, 2]) await benchAddress(addresses, seconds / addresses);
}

/** One of so many addresses, with its part of the accounts. */
async function benchAddress(addresses: number, seconds: number): Promise<void> {
  const [accounts, followers] = [all.accounts / addresses, all.followers / addresses];
  await withStorage(async (_, { redisUrl, context }) => {
    const redis = openRedis(redisUrl, patient);
    await connected(redis);
    const scene = await LiveScene.open(context, redis, 'binance', 0);
    const { exchange, live, rig } = scene;
    const end = new AbortController();
    const works: Promise<unknown>[] = [];
    try {
      await live.price('60000');
      const users: string[] = [];
      for (const some of inChunks([...Array(accounts).keys()], 50))
        users.push(...(await Promise.all(some.map(() => live.account(spotAlone)))));
      const mover = users[accounts - 1];
      const partnerOf = (n: number) =>
        n < followers
          ? 'partner of many'
          : n === accounts - 1
            ? `partner of ${mover}`
            : 'partner of the others';
      const settings = { exchange: live.name, stopOnExchange: true };
      for (const [n, userId] of users.entries())
        await rig.subscribe(`channel of ${partnerOf(n)}`, userId, settings);
      await exchange.limits(true);
      const [venue, other] = [live.open(timeoutMs), live.open(timeoutMs)];
      const startedAt = performance.now();
      await scene.startEngine({ venues: new Map([[live.name, venue]]) });
      const known = new Set<string>();
      const polling = poll(other, users, { known, end: end.signal });
      works.push(polling);
      const priced = setInterval(() => void live.price('60000').catch(() => undefined), 1_000);
      end.signal.addEventListener('abort', () => clearInterval(priced));
      const streamed = new StreamedAccounts(redis, live.name);
      while (known.size < accounts && performance.now() - startedAt < seconds * 1_000) {
        for (const userId of await streamed.list()) known.add(userId);
        await delay(500);
      }
      const streamedMs = performance.now() - startedAt;
      const { opened } = await exchange.streams();
      const moving = moveStops(scene, mover, end.signal);
      works.push(moving);
      await delay(5_000);
      const before = process.cpuUsage();
      const following = follow(scene, followers);
      const triedAt = performance.now();
      const owner = users[accounts - 2];
      const key = { apiKey: keyOf(owner), secret: `secret of ${owner}`, passphrase: null };
      await tryKey(live.exchanges(timeoutMs), live.name, key, never);
      const triedMs = performance.now() - triedAt;
      const times = await following;
      const { user, system } = process.cpuUsage(before);
      await delay(2_000);
      end.abort();
      const moves = await moving;
      const refused = (await exchange.requests()).filter(({ isBeyondLimit }) => isBeyondLimit).length;
      await exchange.limits(false);
      const row = (name: string, ms: readonly number[]) =>
        [name, inSeconds(percentile(ms, 0.5)), inSeconds(Math.max(...ms))] as const;
      printTable(
        `${accounts} accounts on each of ${addresses} addresses, ${followers} of which follow a signal`,
        [
          ['', 'median', 'longest'],
          row('the signal to the acknowledged first order', times),
          row('the command to the acknowledged stop in its new place', moves),
          ['a key tried', '', inSeconds(triedMs)],
          [
            `${known.size} accounts known by streams over ${opened} connections, after`,
            '',
            inSeconds(streamedMs),
          ],
          ['processor time of the engine meanwhile', '', inSeconds((user + system) / 1_000)],
          ['stops moved', '', String(moves.length)],
          ['requests refused because of a limit', '', String(refused)],
          [
            'accounts polled a minute until they were known',
            '',
            ((await polling) / (streamedMs / 60_000)).toFixed(1),
          ],
        ],
      );
    } finally {
      end.abort();
      await exchange.limits(false).catch(() => undefined);
      await Promise.allSettled(works);
      await scene.close();
      redis.disconnect();
    }
  });
}
