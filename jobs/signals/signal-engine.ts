import type { Redis } from 'ioredis';
import { Prices } from '../../storage/candles/prices.js';
import type { TradingVenue, VenueMarket } from '../../storage/exchanges/trading-venue.js';
import type { Storage } from '../../storage/index.js';
import type { Log } from '../../storage/process/log.js';
import { ChannelListener } from '../../storage/servers/channel-listener.js';
import { LevelAnnouncer } from '../../storage/signals/level-announcements.js';
import { signalWakeChannel } from '../../storage/signals/signal-wakes.js';
import type { PartnerSlot } from '../../storage/signals/stored-execution.js';
import { LeasedWork, type LeasedWorkOptions } from '../durable/leased-work.js';
import { DueList } from '../durable/due-list.js';
import { Sweeper } from '../durable/sweeper.js';
import { WakeQueue, type Wake } from '../durable/wake-queue.js';
import type { PausableWorker } from '../../storage/servers/mongo-watch.js';
import { WakeWorker } from '../durable/wake-worker.js';
import { ExecutionsUnderWay } from './executions-under-way.js';
import type { AdvanceTools } from './advance-batch.js';
import { advanceExecutions } from './advance-executions.js';
import { deliverSignals } from './deliver-signals.js';
import { deliveryMs } from './delivered-execution.js';
import { deliverWake } from './partner-slots.js';
import { OpenedNotes } from './opened-notes.js';
import type { PriceWatchTools } from './price-watch/price-watch.js';
import { LeasedWatch } from './price-watch/leased-watch.js';
import { AccountWatch } from './reconcile/account-watch.js';
import { placeReconciled, readyWithin } from './reconcile/place-reconciled.js';
import { Reconciler } from './reconcile/reconciler.js';
import { SubscriberPages } from './subscriber-pages.js';
import { wakeUnserved } from './unserved-executions.js';
import { WakeTimers } from './wake-timers.js';

export interface SignalEngineOptions {
  storage: Pick<
    Storage,
    | 'accounts'
    | 'channelRecords'
    | 'connections'
    | 'executions'
    | 'foreignOrders'
    | 'halts'
    | 'mails'
    | 'openExecutions'
    | 'signals'
    | 'subscriptions'
    | 'trades'
    | 'users'
  >;
  /** A patient connection that is ready. */
  redis: Redis;
  /** Opens a connection of its own for listening. */
  openSubscriber: () => Redis;
  /** The venues that orders go to, by the name that subscriptions use. */
  venues: ReadonlyMap<string, TradingVenue>;
  /** See `PriceWatchTools`. */
  match: PriceWatchTools['match'];
  /** The market whose prices are followed. */
  market: string;
  log: Log;
  /** How long a stop order stands at least before a trailing stop replaces it. Default: 0. */
  stopMoveMs?: number;
  /** Nothing acts on a price that is older than this. Default: 10 s. */
  oldTickMs?: number;
  /** How often an account is compared with what is stored. Default: 30 s. */
  reconcileMs?: number;
  /** See `AccountWatchOptions`. */
  followMs?: number;
  /** How often it looks for due work that was not announced. Default: 5 s. */
  sweepMs?: number;
}

/** Delivers signals, advances executions and watches prices, together with the engines of other processes. */
export class SignalEngine {
  readonly #options: SignalEngineOptions;
  readonly #queue: WakeQueue;
  readonly #due: DueList;
  readonly #opened: OpenedNotes;
  readonly #underWay: ExecutionsUnderWay;
  readonly #timers: WakeTimers;
  readonly #worker: WakeWorker;
  readonly #reconciler: Reconciler;
  #watches: LeasedWatch[] = [];
  #parts: { close(): Promise<void> }[] = [];

  constructor(options: SignalEngineOptions) {
    this.#options = options;
    const { redis, log } = options;
    this.#queue = new WakeQueue(redis);
    this.#due = new DueList(redis);
    this.#opened = new OpenedNotes({ executions: options.storage.executions, log });
    this.#timers = new WakeTimers((wake) => this.#wake([wake]));
    const levels = new LevelAnnouncer(redis);
    const wakeAt = (slot: PartnerSlot, atMs: number) => this.#timers.set({ ...slot, work: 'advance' }, atMs);
    const subscribers = new SubscriberPages(options.storage.subscriptions);
    this.#reconciler = new Reconciler({
      ...options,
      venues: [...options.venues.values()],
      isBusy: () => this.#worker.running > 0,
      wake: this.#wakeSlots,
      ...(options.reconcileMs !== undefined && { everyMs: options.reconcileMs }),
    });
    const place: AdvanceTools['place'] = (venue, orders) => placeReconciled(this.#reconciler, venue, orders);
    const ready: AdvanceTools['ready'] = (venue, userId, ms) =>
      readyWithin(this.#reconciler, venue, userId, { ms });
    const prices = new Prices(redis);
    const [queue, due, opened] = [this.#queue, this.#due, this.#opened];
    const underWay = (this.#underWay = new ExecutionsUnderWay({ queue, due, log }));
    const shared = {
      ...options,
      ready,
      place,
      keyRefused: this.#reconciler.keyRefused,
      checkKey: this.#reconciler.checkKey.bind(this.#reconciler),
      subscribers,
      queue,
      due,
      opened,
      underWay,
      prices,
      levels,
      wakeAt,
    };
    this.#worker = new WakeWorker({
      redis,
      queue: this.#queue,
      works: {
        deliver: (slot) => deliverSignals(shared, slot),
        advance: (slot) => advanceExecutions(shared, slot),
      },
      log,
    });
  }

  /** What takes the work of signals. */
  get workers(): readonly PausableWorker[] {
    return this.#worker.workers;
  }

  /** Jobs that run here. */
  get running(): number {
    return this.#worker.running;
  }

  /** Executions that this process watches prices for; 0 while another process does. */
  get watched(): number {
    return this.#watches.reduce((sum, { watch }) => sum + (watch?.size ?? 0), 0);
  }

  async start(): Promise<void> {
    const { storage, redis, openSubscriber, log, sweepMs } = this.#options;
    await wakeUnserved(storage.executions, this.#options.venues, log);
    await this.#worker.start();
    this.#reconciler.start();
    const queue = this.#queue;
    const announced = new ChannelListener(openSubscriber(), {
      channel: signalWakeChannel,
      onMessage: (partnerId) => this.#wake([deliverWake(partnerId)]),
      onMissed: () => undefined,
    });
    // The first sweep finds signals that were announced before.
    await announced.subscribed;
    const due = () => dueWork(storage);
    const recover = async () => this.#due.add(await storage.executions.wakeDelivered(Date.now(), deliveryMs));
    const sweeper = new Sweeper({
      redis,
      queue,
      due,
      recover,
      log,
      ...(sweepMs === undefined ? {} : { everyMs: sweepMs }),
    });
    const { executions } = storage;
    this.#watches = this.#markets().map((more) => {
      return new LeasedWatch({ ...this.#options, executions, queue, due: this.#due, ...more });
    });
    this.#parts = [
      { close: () => Promise.resolve(announced.close()) },
      sweeper,
      ...this.#watches,
      ...this.#accountStreams(),
      this.#reconciler,
    ];
  }

  /** The private streams of each venue that has them, read by the one process that holds their lease. */
  #accountStreams(): LeasedWork[] {
    const { venues, redis, log } = this.#options;
    const own = { reconciler: this.#reconciler, underWay: this.#underWay, wake: this.#wakeSlots };
    const tools = { ...this.#options, ...own };
    return [...venues.values()]
      .filter((venue) => venue.streamAccounts !== undefined)
      .map((venue) => {
        const hold: LeasedWorkOptions['hold'] = (lease, ending) =>
          new AccountWatch({ ...tools, venue }, lease).run(ending);
        return new LeasedWork({ redis, kind: 'account-streams', name: venue.id, log, hold });
      });
  }

  /** The markets to watch: that of the service, which alone matches paper orders, and those of the venues. */
  #markets(): (Pick<PriceWatchTools, 'market' | 'match'> & { venueMarket?: VenueMarket })[] {
    const { market, match, venues } = this.#options;
    const ofVenues = [...venues.values()].flatMap(({ markets }) => [...(markets?.values() ?? [])]);
    const byName = new Map(ofVenues.map((each) => [each.name, each]));
    return [
      { market, match },
      ...[...byName].map(([name, venueMarket]) => ({ market: name, match: matchNothing, venueMarket })),
    ];
  }

  /** Finishes running jobs. Another process does the remaining work, or this one after its next start. */
  async close(): Promise<void> {
    this.#timers.close();
    await Promise.all(this.#parts.map((part) => part.close()));
    await this.#worker.close();
    await this.#underWay.settled();
    await this.#opened.close();
    await this.#queue.close();
  }

  readonly #wakeSlots = (slots: readonly PartnerSlot[]): Promise<void> =>
    this.#queue.wake(slots.map((slot) => ({ ...slotIn(slot), work: 'advance' as const })));

  /** A wake that fails is repeated by the sweeper. */
  #wake(wakes: readonly Wake[]): void {
    this.#queue.wake(wakes).catch((error: unknown) => this.#options.log.debug({ err: error }, 'not woken'));
  }
}

const matchNothing = () => Promise.resolve([]);

/** The slot of an execution, without its other fields. */
const slotIn = ({ partnerId, slot }: PartnerSlot): PartnerSlot => ({ partnerId, slot });

/** Every slot with due rows. */
async function dueWork({ signals, executions }: SignalEngineOptions['storage']): Promise<Wake[]> {
  const now = Date.now();
  const [partners, slots] = await Promise.all([signals.duePartners(now), executions.dueSlots(now)]);
  return [...partners.map(deliverWake), ...slots.map((slot): Wake => ({ ...slot, work: 'advance' }))];
}
