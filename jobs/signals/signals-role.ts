import type { MarketTick } from '../../compute/model/market-tick.js';
import { announceNode } from '../../storage/cluster/nodes.js';
import { MarginMatcher } from '../../storage/exchanges/paper/margin/margin-matcher.js';
import { PaperAccounts } from '../../storage/exchanges/paper/paper-accounts.js';
import { PaperMatcher } from '../../storage/exchanges/paper/paper-matcher.js';
import { PaperSettler } from '../../storage/exchanges/paper/paper-settler.js';
import { paperName } from '../../storage/exchanges/exchange-names.js';
import { openStorage, type Storage } from '../../storage/index.js';
import { closeInOrder } from '../../storage/process/close-in-order.js';
import { tellLive } from '../../storage/live/live-events.js';
import type { Log } from '../../storage/process/log.js';
import type { RoleContext, RunningRole } from '../../storage/process/role.js';
import { connected, openRedis, patient } from '../../storage/servers/redis.js';
import { openVenues } from './open-venues.js';
import { Prices } from '../../storage/candles/prices.js';
import { Booking } from './booking/booking.js';
import { SignalEngine } from './signal-engine.js';
import { RepeatedWork } from '../../storage/process/repeated-work.js';

const everyMs = 1_000;

/** Books trades of the paper exchange in the accounts of users, every second. Several processes may do so at once. */
export class Settling {
  readonly #work: RepeatedWork;

  constructor(settler: Pick<PaperSettler, 'settle'>, log: Pick<Log, 'warn'>) {
    const settleAll = async (signal: AbortSignal) => {
      while (!signal.aborted && (await settler.settle()) > 0);
    };
    this.#work = new RepeatedWork(settleAll, everyMs, (err) => log.warn({ err }, 'paper trades not booked'));
  }

  close(): Promise<void> {
    return this.#work.close();
  }
}

/** A database that does not answer within this time counts as unavailable. */
const storageTimeoutMs = 20_000;

/** Starts a signals worker, which delivers signals of partners and trades them for their subscribers. */
export async function startSignals({
  settings,
  servers,
  log,
  metrics,
  tracing,
  report,
}: RoleContext): Promise<RunningRole> {
  const { redisUrl, mongodbUrl } = servers;
  const ending = new AbortController();
  const storage = openStorage(mongodbUrl, { timeoutMs: storageTimeoutMs, metrics, tracing });
  const redis = openRedis(redisUrl, patient, metrics);
  const close = async () => {
    ending.abort();
    redis.disconnect();
    await storage.close();
  };
  try {
    await connected(redis);
    await storage.migrate(redis);
    const openSubscriber = () => openRedis(redisUrl, patient);
    const { PAPER_BALANCE: startingBalance, MARKET: market } = settings;
    const venues = openVenues({ settings, storage, redis, signal: ending.signal });
    if (settings.LIVE_TRADING === 'on') {
      const isEmbedded = settings.MONGODB_URL === '';
      const warning = liveWarning([...venues.keys()], isEmbedded);
      report(warning);
      log.warn({ isEmbedded }, warning);
    }
    const engine = new SignalEngine({
      storage,
      redis,
      openSubscriber,
      log,
      market,
      venues,
      match: paperMatch(storage, log),
      stopMoveMs: settings.STOP_MOVE_SECONDS * 1_000,
      oldTickMs: settings.PRICE_AGE_SECONDS * 1_000,
    });
    await engine.start();
    const bare = () => storage.executionReads.unprotectedSince();
    metrics?.read('unprotectedPositions', async () => [
      [(await bare()).length, { stop: 'missing' }],
      [await storage.executionReads.countWatched(), { stop: 'watched' }],
    ]);
    metrics?.read('unprotectedSeconds', async () => [[secondsSince(await bare())]]);
    const accounts = new PaperAccounts(storage.accounts, startingBalance);
    const settler = new PaperSettler(storage.paperOrders, accounts, (user, err) =>
      log.error({ err, user }, 'the paper account of a user cannot be settled; tried again in a minute'),
    );
    const settling = new Settling(settler, log);
    const booking = new Booking({ storage, prices: new Prices(redis), tell: tellLive(redis), log });
    const work = () => ({ threads: null, busy: null, running: engine.running });
    const node = announceNode(redis, 'signals', work);
    return {
      workers: engine.workers,
      close: () =>
        closeInOrder([
          () => node.stop(),
          () => engine.close(),
          () => settling.close(),
          () => booking.close(),
          close,
        ]),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const secondsSince = (times: readonly Date[]): number =>
  Math.max(0, ...times.map((time) => (Date.now() - time.getTime()) / 1_000));

/** The warning for the operator at each start with live trading. */
function liveWarning(venues: readonly string[], isEmbedded: boolean): string {
  const names = venues.filter((name) => name !== paperName).join(', ');
  const live = `LIVE TRADING IS ON: signals are executed with real money on ${names}`;
  if (!isEmbedded) return live;
  return `${live}. ALL ORDERS ARE KEPT IN AN EMBEDDED DATABASE, ONE PROCESS WITHOUT A REPLICA: set MONGODB_URL to a replica set`;
}

/** Matches paper orders, and answers the ids of the executions that they belong to. */
function paperMatch({ paperOrders, paperMargin }: Storage, log: Log) {
  const spot = new PaperMatcher(paperOrders, (order, err) =>
    log.error({ err, order }, 'a paper order cannot be matched; tried again in a minute'),
  );
  const margin = new MarginMatcher(paperMargin, (account, err) =>
    log.error({ err, account }, 'a paper account cannot be matched; tried again in a minute'),
  );
  return async (ticks: readonly MarketTick[]) => {
    const [orders, owners] = await Promise.all([spot.match(ticks), margin.match(ticks)]);
    return [...new Set([...orders.map(({ owner }) => owner), ...owners])];
  };
}
