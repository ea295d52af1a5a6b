import type { Redis } from 'ioredis';
import { AppError } from '../../compute/model/errors.js';
import { Prices } from '../../storage/candles/prices.js';
import { liveChannel } from '../../storage/live/live-events.js';
import { livePast, toldEvents, type ToldEvent } from '../../storage/live/live-past.js';
import { ChannelListener } from '../../storage/servers/channel-listener.js';
import type { Revoked } from '../../storage/users/revoked.js';
import type { SignedInDirectory } from '../../storage/users/signed-in-directory.js';
import { LivePrices } from './live-prices.js';
import { eventText, LiveReader, plainEvent, type LiveTopic, type ReaderOptions } from './live-reader.js';
import { ReaderTable } from './reader-table.js';

export interface LiveHubOptions {
  /** Answers at once or fails. */
  redis: Redis;
  /** A connection that nothing else uses. */
  subscriber: Redis;
  signedIn: Pick<SignedInDirectory, 'ofSession' | 'onRevoked'>;
  market: string;
  /** Streams at most. */
  most: number;
  /** Aborted when the gateway begins to shut down. */
  ending: AbortSignal;
}

export type OpenedReader = Omit<ReaderOptions, 'onEnd'> & { lastId: string | null };

const tickMs = 1_000;
/** In ticks: when the operators hear of the cluster, and when all hear that the stream is alive. */
const [clusterTicks, aliveTicks] = [2, 15];
/** Readers that are written to before other work has its turn. */
const writtenAtOnce = 100;

/** The open streams of a gateway. One connection to Redis hears of events for all of them. */
export class LiveHub {
  readonly #options: LiveHubOptions;
  readonly #table: ReaderTable;
  readonly #prices: LivePrices;
  readonly #listener: ChannelListener;
  /** The latest event that was heard of; null before the first. */
  #lastId: string | null = null;
  /** What is heard while the events before it are read; null otherwise. */
  #heldBack: ToldEvent[] | null = null;
  readonly #queue: (() => void)[] = [];
  #isPumping = false;
  #ticking: NodeJS.Timeout | undefined;
  #ticks = 0;

  constructor(options: LiveHubOptions) {
    this.#options = options;
    const { redis, subscriber, signedIn, ending, market, most } = options;
    this.#table = new ReaderTable(most);
    this.#prices = new LivePrices(new Prices(redis), market);
    this.#listener = new ChannelListener(subscriber, {
      channel: liveChannel,
      onMessage: (message) => this.#hear(toldEvents(message)),
      onMissed: () => (this.#heldBack ??= []),
      onSubscribed: () => void this.#catchUp(),
    });
    signedIn.onRevoked((revoked) => void this.#endRevoked(revoked));
    ending.addEventListener('abort', () => this.#sendAway());
  }

  /** How many streams are open. */
  get size(): number {
    return this.#table.size;
  }

  /** Opens a stream with what its reader has missed. Throws `gateway_busy`, `gateway_closing`, `rate_limited` and `redis_unavailable`. */
  async open({ lastId, ...options }: OpenedReader): Promise<LiveReader> {
    const { redis, signedIn, ending } = this.#options;
    if (ending.aborted)
      throw new AppError('gateway_closing', 'this gateway is closing; open the stream again');
    const reader = new LiveReader({ ...options, onEnd: (ended) => this.#remove(ended) });
    this.#table.add(reader);
    this.#ticking ??= setInterval(() => void this.#tick(), tickMs).unref();
    try {
      // From here on it receives new events, and holds them back until it has the earlier ones.
      const past = await livePast(redis, reader.targets, lastId);
      if (options.topics.includes('prices')) {
        // Prices are read only while a client listens to them.
        if (this.#table.of('prices').size === 1 || !this.#prices.isKnown) await this.#sendPrices();
        reader.send(this.#prices.whole);
      }
      reader.begin(past);
    } catch (error) {
      reader.leave();
      throw error;
    }
    // The session may have ended since it was looked up.
    const { user } = options;
    if (user && user.sessionId !== '' && !(await signedIn.ofSession(user.sessionId)))
      reader.close(sessionEnded);
    return reader;
  }

  close(): void {
    clearInterval(this.#ticking);
    this.#sendAway();
    this.#listener.close();
  }

  #remove(reader: LiveReader): void {
    this.#table.remove(reader);
    if (this.#table.size > 0) return;
    clearInterval(this.#ticking);
    this.#ticking = undefined;
  }

  #hear(events: readonly ToldEvent[]): void {
    if (this.#heldBack) return void this.#heldBack.push(...events);
    for (const event of events) {
      this.#lastId = event.id;
      const text = eventText(event);
      this.#toEach(event.to, (reader) => reader.tell(event, text));
    }
  }

  /** Reads what was told while the connection was away. */
  async #catchUp(): Promise<void> {
    this.#heldBack ??= [];
    const knows = this.#lastId !== null;
    try {
      const { id, events, lost } = await livePast(this.#options.redis, this.#table.targets(), this.#lastId);
      const heard = [...events, ...this.#heldBack];
      this.#heldBack = null;
      this.#lastId = id;
      for (const target of lost) this.#toEach(target, (reader) => reader.reset([target]));
      this.#hear(heard);
      if (!knows) this.#sendAway();
    } catch {
      this.#heldBack = null;
      this.#sendAway();
    }
    await this.#endRevoked({ users: [...this.#table.users()] });
  }

  /** What readers have missed is not known here: they come back, and say themselves what they have heard of. */
  #sendAway(): void {
    for (const reader of this.#table.all()) reader.leave();
  }

  /** Ends the streams of ended sessions, and those of users who have changed, who come back with what they may read now. */
  async #endRevoked({ sessions = [], users = [] }: Revoked): Promise<void> {
    const [ended, changed] = [new Set(sessions), new Set(users)];
    for (const reader of this.#table.all()) {
      const { user } = reader.options;
      if (!user || user.sessionId === '') continue;
      if (ended.has(user.sessionId)) reader.close(sessionEnded);
      else if (changed.has(user.userId)) {
        const now = await this.#options.signedIn.ofSession(user.sessionId).catch(() => undefined);
        if (now === null) reader.close(sessionEnded);
        else if (now?.operator !== user.operator) reader.leave();
      }
    }
  }

  async #tick(): Promise<void> {
    this.#ticks++;
    const now = Date.now();
    for (const reader of this.#table.all()) if (reader.options.endsAtMs <= now) reader.leave();
    if (this.#table.of('prices').size > 0) await this.#sendPrices().catch(() => undefined);
    if (this.#ticks % clusterTicks === 0) this.#send('cluster', plainEvent('cluster', {}));
    const id = this.#lastId ?? '0-0';
    if (this.#ticks % aliveTicks === 0) this.#write([...this.#table.all()], (reader) => reader.showAlive(id));
  }

  async #sendPrices(): Promise<void> {
    const changed = await this.#prices.changed();
    if (changed) this.#send('prices', changed);
  }

  #send(topic: LiveTopic, text: string): void {
    this.#toEach(topic, (reader) => reader.send(text));
  }

  #toEach(target: string, work: (reader: LiveReader) => void): void {
    this.#write([...this.#table.of(target)], work);
  }

  /** Works for some readers after the other, in the order in which it was asked; between them requests have their turn. */
  #write(readers: readonly LiveReader[], work: (reader: LiveReader) => void): void {
    for (let from = 0; from < readers.length; from += writtenAtOnce)
      this.#queue.push(() => readers.slice(from, from + writtenAtOnce).forEach(work));
    if (this.#isPumping) return;
    this.#isPumping = true;
    const next = () => {
      this.#queue.shift()?.();
      if (this.#queue.length > 0) setImmediate(next);
      else this.#isPumping = false;
    };
    next();
  }
}

const sessionEnded = 'the session has ended';
