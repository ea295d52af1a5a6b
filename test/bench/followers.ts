import { setTimeout as delay } from 'node:timers/promises';
import { inChunks } from '../../compute/model/in-chunks.js';
import { Decimal } from '../../compute/model/decimal.js';
import type { LiveVenue } from '../../storage/exchanges/live/live-venue.js';
import { tryKey } from '../../storage/exchanges/try-key.js';
import { connected, openRedis, patient } from '../../storage/servers/redis.js';
import { ExchangeProcess } from '../support/fake-exchange/exchange-process.js';
import { liveOrder } from '../support/venues/live-order.js';
import { keyOf, LiveRig } from '../support/venues/live-rig.js';
import { percentile, printTable } from './measure.js';
import { withStorage } from './with-storage.js';

const all = { accounts: 1_000, followers: 200 };
/** Longer than any request takes on a busy machine. */
const timeoutMs = 20_000;
const inSeconds = (ms: number) => `${(ms / 1_000).toFixed(2)} s`;
const never = new AbortController().signal;
/** The commonest kind of key. */
const spotAlone = { spot: { USDT: '10000', BTC: '1' }, mayTradeMargin: false, mayTradeFutures: false };

/** Opens the private streams of accounts; answers those that are open. */
function stream(venue: LiveVenue, users: readonly string[], end: AbortSignal): Set<string> {
  const open = new Set<string>();
  const streams = venue.streamAccounts!({
    onOpen: (userId) => open.add(userId),
    onNews: () => undefined,
    onGap: (userId) => open.delete(userId),
  });
  const following = setInterval(() => streams.follow(users), 1_000);
  end.addEventListener('abort', () => {
    clearInterval(following);
    streams.close();
  });
  return open;
}

/** Reads accounts that are not streamed as the comparison with the exchange does; answers how many were read in the end. */
async function poll(
  venue: LiveVenue,
  users: readonly string[],
  { streamed, end }: { streamed: ReadonlySet<string>; end: AbortSignal },
): Promise<number> {
  for (let n = 0, all = 0; ; all++) {
    const userId = users[all % users.length];
    if (streamed.has(userId)) {
      if (all % users.length === 0) await delay(100);
      if (end.aborted) return n;
      continue;
    }
    n++;
    try {
      await Promise.all([
        venue.holdings(userId, { urgency: 'poll' }),
        venue.positions(userId, { urgency: 'poll' }),
      ]);
      await venue.openOrders(userId, { urgency: 'poll' });
    } catch {
      if (!end.aborted) await delay(100);
    }
    if (end.aborted) return n;
  }
}

/** Moves the stop of an account again and again; answers how long each move took. */
async function moveStops(venue: LiveVenue, userId: string, end: AbortSignal): Promise<number[]> {
  const times: number[] = [];
  const stopAt = (stopPrice: string) =>
    liveOrder(userId, { side: 'sell', type: 'stop', price: '40000', stopPrice, reduces: true });
  for (let standing = stopAt('50000'), n = 0; ; n++) {
    if (n === 0) await venue.place([standing]);
    if (end.aborted) return times;
    const next = stopAt(String(50_001 + n));
    const startedAt = performance.now();
    const replaces = { ...standing, filled: Decimal.zero };
    const [placed] = await venue.place([{ ...next, replaces }]);
    if (!('state' in placed)) throw new Error(JSON.stringify(placed));
    times.push(performance.now() - startedAt);
    standing = next;
    await delay(250);
  }
}

/** The balance of each follower is read, and then its first order is placed; answers when each was acknowledged. */
async function follow(venue: LiveVenue, users: readonly string[]): Promise<number[]> {
  const startedAt = performance.now();
  const times: number[] = [];
  await venue.freeBalances(users, 'USDT', 'SPOT');
  await Promise.all(
    users.map(async (userId) => {
      const [placed] = await venue.place([liveOrder(userId, { price: '50000' })]);
      if (!('state' in placed)) throw new Error(JSON.stringify(placed));
      times.push(performance.now() - startedAt);
    }),
  );
  return times;
}

/**
 * 1,000 accounts are streamed, and polled by two workers until they are, on an exchange that holds the limits of Binance, while 200 of them
 * follow a signal, the stop of another one is moved, and a user tries a key: over one address, and the half of it over each of two.
 * `seconds`: how long the signal waits for the streams at most.
 */
export async function benchFollowers(seconds = 300): Promise<void> {
  for (const addresses of [1, 2]) await benchAddress(addresses, seconds / addresses);
}

/** One of so many addresses, with its part of the accounts. */
async function benchAddress(addresses: number, seconds: number): Promise<void> {
  const [accounts, followers] = [all.accounts / addresses, all.followers / addresses];
  await withStorage(async (storage, { redisUrl }) => {
    const exchange = await ExchangeProcess.start('binance');
    const redis = openRedis(redisUrl, patient);
    await connected(redis);
    const rig = new LiveRig(exchange, storage, redis, 0);
    const end = new AbortController();
    try {
      await rig.price('60000');
      const users: string[] = [];
      for (const some of inChunks([...Array(accounts).keys()], 50))
        users.push(...(await Promise.all(some.map(() => rig.account(spotAlone)))));
      const [venue, other] = [rig.open(timeoutMs), rig.open(timeoutMs)];
      // Accounts that have traded are open: to open one takes 10 ms of the processor.
      for (const some of inChunks(users.slice(0, followers), 50)) {
        await Promise.all(some.map((userId) => venue.holdings(userId)));
        await redis.flushdb();
      }
      await exchange.limits(true);
      const polledAt = performance.now();
      const streamed = stream(venue, users, end.signal);
      const terms = { streamed, end: end.signal };
      const polling = [poll(venue, users, terms), poll(other, [...users].reverse(), terms)];
      while (streamed.size < accounts && performance.now() - polledAt < seconds * 1_000) await delay(100);
      const streamedMs = performance.now() - polledAt;
      const { opened, lines } = await exchange.streams();
      const moving = moveStops(other, users[accounts - 1], end.signal);
      await delay(3_000);
      const before = process.cpuUsage();
      const following = follow(venue, users.slice(0, followers));
      const triedAt = performance.now();
      const owner = users[accounts - 2];
      const key = { apiKey: keyOf(owner), secret: `secret of ${owner}`, passphrase: null };
      await tryKey(rig.exchanges(timeoutMs), rig.name, key, never);
      const triedMs = performance.now() - triedAt;
      const times = await following;
      const { user, system } = process.cpuUsage(before);
      await delay(2_000);
      end.abort();
      const polledMinutes = (performance.now() - polledAt) / 60_000;
      const moves = await moving;
      const requests = await exchange.requests();
      await exchange.limits(false);
      // What waits for a limit ends.
      const flushing = setInterval(() => void redis.flushdb(), 100);
      const polled = (await Promise.all(polling)).reduce((sum, count) => sum + count, 0);
      clearInterval(flushing);
      printTable(
        `${accounts} accounts on each of ${addresses} addresses, ${followers} of which follow a signal`,
        [
          ['', 'median', 'longest'],
          [
            'the signal to the acknowledged first order',
            inSeconds(percentile(times, 0.5)),
            inSeconds(Math.max(...times)),
          ],
          [
            'a stop moved in one request, until it is acknowledged',
            inSeconds(percentile(moves, 0.5)),
            inSeconds(Math.max(...moves)),
          ],
          ['a key tried', '', inSeconds(triedMs)],
          [`${lines.length} accounts streamed over ${opened} connections, after`, '', inSeconds(streamedMs)],
          ['processor time of the worker meanwhile', '', inSeconds((user + system) / 1_000)],
          ['stops moved', '', String(moves.length)],
          [
            'requests refused because of a limit',
            '',
            String(requests.filter(({ isBeyondLimit }) => isBeyondLimit).length),
          ],
          ['accounts polled a minute until they were streamed', '', (polled / polledMinutes).toFixed(1)],
        ],
      );
    } finally {
      end.abort();
      redis.disconnect();
      await exchange.close();
    }
  });
}
