import type { MarketTick } from '../../../compute/model/market-tick.js';
import { pino } from 'pino';
import type { Redis } from 'ioredis';
import { ObjectId, type Filter } from 'mongodb';
import { Decimal } from '../../../compute/model/decimal.js';
import { SignalEngine, type SignalEngineOptions } from '../../../jobs/signals/signal-engine.js';
import { TickPublisher } from '../../../storage/candles/market-ticks.js';
import { Prices } from '../../../storage/candles/prices.js';
import type { Storage } from '../../../storage/index.js';
import type { ExecutionDocument } from '../../../storage/signals/executions.js';
import type { StoredExecution } from '../../../storage/signals/stored-execution.js';
import { connected, openRedis, patient } from '../../../storage/servers/redis.js';
import type {
  PartnerSignal,
  SignalCommandEvent,
  SignalTerms,
} from '../../../storage/signals/partner-signal.js';
import { announceSignal } from '../../../storage/signals/signal-wakes.js';
import type { Subscription } from '../../../storage/signals/subscription.js';
import { until } from '../process/until.js';
import { freshRedisUrl } from '../servers/servers.js';
import type { TemporaryStorage } from '../servers/temporary-storage.js';
import { MemoryVenue } from './memory-venue.js';
import { everything } from './new-subscription.js';
import { newSignal, signalTerms } from './signal-terms.js';

const pair = { base: 'BTC', quote: 'USDT' };

/** Engines over a venue in memory, with a market whose prices the test makes. */
export class EngineRig {
  readonly storage: Storage;
  readonly redis: Redis;
  readonly redisUrl: string;
  readonly market: string;
  readonly venue: MemoryVenue;
  readonly #engines: SignalEngine[] = [];
  #price: string | null = null;
  readonly #publisher: TickPublisher;

  readonly #temporary: TemporaryStorage;

  private constructor(
    temporary: TemporaryStorage,
    redis: Redis,
    redisUrl: string,
    market: string,
    price: string | null,
  ) {
    this.#temporary = temporary;
    this.storage = temporary.storage;
    this.redis = redis;
    this.redisUrl = redisUrl;
    this.market = market;
    this.venue = new MemoryVenue(price);
    this.#publisher = new TickPublisher(redis, market, 0);
  }

  /** `price`: the present price of BTC/USDT. */
  static async open(
    temporary: TemporaryStorage,
    price: string | null,
    market = `test${++markets}`,
  ): Promise<EngineRig> {
    const redisUrl = await freshRedisUrl();
    const redis = openRedis(redisUrl, patient);
    await connected(redis);
    const rig = new EngineRig(temporary, redis, redisUrl, market, price);
    if (price !== null) await rig.putPrice(price);
    return rig;
  }

  async startEngine(
    more: Partial<
      Pick<SignalEngineOptions, 'sweepMs' | 'venues' | 'match' | 'reconcileMs' | 'followMs'>
    > = {},
  ): Promise<SignalEngine> {
    const redis = openRedis(this.redisUrl, patient);
    await connected(redis);
    const engine = new SignalEngine({
      storage: this.storage,
      redis,
      openSubscriber: () => openRedis(this.redisUrl, patient),
      venues: new Map([['PAPER', this.venue]]),
      match: this.venue.match,
      market: this.market,
      log: pino({ level: 'silent' }),
      ...more,
    });
    await engine.start();
    this.#engines.push(engine);
    return engine;
  }

  /** A subscription of a user to a channel. */
  subscribe(channelId: string, userId: string, more: Partial<Subscription> = {}): Promise<Subscription> {
    return this.storage.subscriptions.add({
      userId,
      channelId,
      exchange: 'PAPER',
      autoInvest: true,
      investPercent: '10',
      maxOpenSignals: 5,
      maxExposure: '4',
      sides: ['long', 'short'],
      ...everything,
      stopOnExchange: false,
      ...more,
    });
  }

  /** The same subscription of many users, stored at once. */
  async subscribeAll(channelId: string, [first, ...others]: string[]): Promise<void> {
    const { id } = await this.subscribe(channelId, first);
    const subscriptions = this.#temporary.db.collection<{ _id: string }>('subscriptions');
    const stored = await subscriptions.findOne({ _id: id });
    const copies = others.map((userId) => ({ ...stored, _id: new ObjectId().toHexString(), userId }));
    if (copies.length > 0) await subscriptions.insertMany(copies);
  }

  /** Stores a signal and announces it, as the API does. */
  async signal(partnerId: string, terms: Partial<SignalTerms> = {}): Promise<PartnerSignal> {
    const added = await this.storage.signals.add(
      newSignal(partnerId, { terms: { ...signalTerms, ...terms } }),
    );
    if (added === 'key_reused') throw new Error(added);
    await announceSignal(this.redis, partnerId);
    return added;
  }

  async command(signal: PartnerSignal, event: SignalCommandEvent): Promise<void> {
    const present = (await this.storage.signals.find(signal.partnerId, signal.id))!;
    await this.storage.signals.command(present, event, 'the partner said so');
    await announceSignal(this.redis, signal.partnerId);
  }

  /** A new price, told to everyone who listens. */
  async tick(price: string): Promise<void> {
    await this.putPrice(price);
    await this.#publisher.publish(Date.now(), () => [tickOf(price)]);
  }

  /** A new price that only the exchange has seen yet. */
  async trade(price: string): Promise<void> {
    await this.venue.match([tickOf(price)]);
  }

  /** Repeats a price until something is so: the watch may not have begun yet. */
  async tickUntil(price: string, isSo: () => Promise<boolean>, withinMs = 90_000): Promise<void> {
    await until(
      `what ${price} leads to`,
      async () => {
        await this.tick(price);
        return isSo();
      },
      withinMs,
    );
  }

  /** The executions of a signal, by subscription. */
  async executionsOf(signalId: string): Promise<StoredExecution[]> {
    const found = this.#temporary.db.collection<ExecutionDocument>('executions').find({ signalId });
    const documents = await found.sort({ _id: 1 }).toArray();
    return documents.map(({ _id, ...rest }) => ({ id: _id, ...rest }));
  }

  /** Lets time pass for the orders of a signal's executions, and makes these due. */
  async age(signalId: string, ms: number): Promise<void> {
    const earlier = (at: Date | null | undefined) => at && new Date(at.getTime() - ms);
    for (const { id, orders } of await this.executionsOf(signalId)) {
      const aged = orders.map((order) => ({
        ...order,
        ...{ createdAt: earlier(order.createdAt), sentAt: earlier(order.sentAt) },
        ...{ leftAt: earlier(order.leftAt), retryAt: earlier(order.retryAt) },
      }));
      const changes = { $set: { orders: aged, dueAt: new Date() } };
      await this.#temporary.db.collection<{ _id: string }>('executions').updateOne({ _id: id }, changes);
    }
  }

  /** How many executions of a signal a filter of MongoDB finds, which costs less than to read hundreds of them. */
  countOf(signalId: string, filter: Filter<ExecutionDocument> = {}): Promise<number> {
    return this.#temporary.db
      .collection<ExecutionDocument>('executions')
      .countDocuments({ ...filter, signalId });
  }

  /** Stores the last price anew, so that it is not too old for a delivery that takes its time. */
  async repeatPrice(): Promise<void> {
    if (this.#price !== null) await this.putPrice(this.#price);
  }

  async putPrice(price: string): Promise<void> {
    this.#price = price;
    const tick = { ...pair, price: Number(price), change24hPercent: null, time: Date.now() };
    await new Prices(this.redis).put(this.market, [tick]);
  }

  async close(): Promise<void> {
    await Promise.all(this.#engines.map((engine) => engine.close()));
    this.redis.disconnect();
  }
}

let markets = 0;

function tickOf(price: string): MarketTick {
  const value = Decimal.parse(price);
  const at = Date.now();
  return { pair, price: value, high: value, low: value, volume: null, since: at, at };
}
