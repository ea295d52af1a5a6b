import type { Redis } from 'ioredis';
import { listenToTicks, readKeptTicks } from '../../../storage/candles/market-ticks.js';
import type { VenueMarket } from '../../../storage/exchanges/trading-venue.js';
import { ChannelListener } from '../../../storage/servers/channel-listener.js';
import type { Lease } from '../../../storage/servers/lease.js';
import { levelChannel, readLevels } from '../../../storage/signals/level-announcements.js';
import { WatchProgress } from '../../../storage/signals/watch-progress.js';
import { LeasedWork, untilAborted } from '../../durable/leased-work.js';
import { PriceWatch, type PriceWatchTools } from './price-watch.js';
import { VenueFeed } from './venue-feed.js';

const reloadMs = 30_000;

/** Ticks of a venue have its own times, which differ from pair to pair. Ticks this long before the last one are replayed, too. */
const unevenMs = 5_000;

export interface LeasedWatchOptions extends Omit<PriceWatchTools, 'progress'> {
  redis: Redis;
  /** Opens a connection of its own for listening. */
  openSubscriber: () => Redis;
  /** The market of a venue, whose prices the holder of the lease publishes. Absent: a market worker publishes them. */
  venueMarket?: VenueMarket | undefined;
}

/** Runs the price watch of a market in the one process that holds its lease; the others wait to take over. */
export class LeasedWatch {
  readonly #options: LeasedWatchOptions;
  readonly #progress: WatchProgress;
  readonly #work: LeasedWork;
  #watch: PriceWatch | null = null;

  constructor(options: LeasedWatchOptions) {
    this.#options = options;
    const { redis, market: name, log } = options;
    this.#progress = new WatchProgress(redis, name);
    const hold = (_: Lease, ending: AbortSignal) => this.#hold(ending).finally(() => (this.#watch = null));
    this.#work = new LeasedWork({ redis, kind: 'price-watch', name, log, hold });
  }

  /** The watch, while this process holds it. */
  get watch(): PriceWatch | null {
    return this.#watch;
  }

  close(): Promise<void> {
    return this.#work.close();
  }

  /** Processes the ticks since the last one that any holder has processed. */
  async #replay(watch: PriceWatch): Promise<void> {
    const { redis, market, log, venueMarket } = this.#options;
    try {
      const since = await this.#progress.read();
      const fromMs = (since ?? 0) - (venueMarket ? unevenMs : 0);
      if (since !== null) await watch.replay(await readKeptTicks(redis, market, fromMs));
    } catch (error) {
      log.warn({ err: error }, 'missed ticks not processed');
    }
  }

  /** The feed of a venue's market; it continues where the last holder has ended. */
  async #openFeed(watch: PriceWatch): Promise<VenueFeed | undefined> {
    const { venueMarket: market } = this.#options;
    if (!market) return undefined;
    const followedUntilMs = await this.#progress.read().catch(() => null);
    return new VenueFeed({ ...this.#options, market, pairs: () => watch.pairs, followedUntilMs });
  }

  async #hold(ending: AbortSignal): Promise<void> {
    const { market, openSubscriber } = this.#options;
    const watch = new PriceWatch({ ...this.#options, progress: this.#progress });
    let hasMissed = true;
    let caughtUp = Promise.resolve();
    const levels = new ChannelListener(openSubscriber(), {
      channel: levelChannel,
      onMessage: (message) => watch.announced(readLevels(message)),
      onMissed: () => watch.noteMissed(),
    });
    const ticks = listenToTicks(openSubscriber(), market, {
      ticks: (all) => {
        if (hasMissed) caughtUp = caughtUp.then(() => this.#replay(watch));
        hasMissed = false;
        void caughtUp.then(() => watch.ticks(all));
      },
      disconnected: () => {
        hasMissed = true;
      },
    });
    const feed = await this.#openFeed(watch);
    const reloading = setInterval(() => watch.noteMissed(), reloadMs);
    this.#watch = watch;
    // The levels are loaded before the first tick, which then waits less.
    await watch.load().catch(() => undefined);
    await untilAborted(ending);
    this.#watch = null;
    clearInterval(reloading);
    await feed?.close();
    ticks.close();
    levels.close();
    await watch.close();
  }
}
