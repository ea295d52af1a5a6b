import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { pino } from 'pino';
import { inChunks } from '../../compute/model/in-chunks.js';
import { SignalEngine, type SignalEngineOptions } from '../../jobs/signals/signal-engine.js';
import { Prices } from '../../storage/candles/prices.js';
import { PaperVenue } from '../../storage/exchanges/paper/paper-venue.js';
import type { TradingVenue } from '../../storage/exchanges/trading-venue.js';
import type { Storage } from '../../storage/index.js';
import { openMongo } from '../../storage/servers/mongo.js';
import { connected, openRedis, patient } from '../../storage/servers/redis.js';
import { announceSignal } from '../../storage/signals/signal-wakes.js';
import { until } from '../support/process/until.js';
import { newSignal } from '../support/signals/signal-terms.js';
import { percentile, printTable } from './measure.js';

export const signalMarket = 'demo';
const timeoutMs = 60_000;
const longestMs = 1_800_000;
/** Between signals of another partner; longer in a storm, in which the balance of its subscriber would not last otherwise. */
const pauseMs = 300;
const longPauseMs = 4_000;
const stormPauseMs = 600;

interface BenchSettings {
  maxOpenSignals: number;
  investPercent: string;
}

/** Of a subscriber who follows signals all the time: no order ends, and the balance has to last. */
const little = { investPercent: '0.1' };

const inSeconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

/** Servers, and a worker with the paper exchange whose orders stand: no tick comes. */
export class SignalBench {
  readonly storage: Storage;
  readonly redis: Redis;
  readonly venue: CountingVenue;
  readonly #mongodbUrl: string;
  readonly #engine: BenchEngine;
  readonly #pricing: NodeJS.Timeout;

  private constructor(parts: {
    storage: Storage;
    redis: Redis;
    venue: CountingVenue;
    mongodbUrl: string;
    engine: BenchEngine;
    pricing: NodeJS.Timeout;
  }) {
    this.storage = parts.storage;
    this.redis = parts.redis;
    this.venue = parts.venue;
    this.#mongodbUrl = parts.mongodbUrl;
    this.#engine = parts.engine;
    this.#pricing = parts.pricing;
  }

  static async open(
    storage: Storage,
    { redisUrl, mongodbUrl }: { redisUrl: string; mongodbUrl: string },
  ): Promise<SignalBench> {
    const redis = openRedis(redisUrl, patient);
    await connected(redis);
    const venue = new CountingVenue({ storage, redis, startingBalance: '10000' });
    const price = { base: 'BTC', quote: 'USDT', price: 105, change24hPercent: null };
    const putPrice = () => new Prices(redis).put(signalMarket, [{ ...price, time: Date.now() }]);
    await putPrice();
    const pricing = setInterval(() => void putPrice(), 1_000);
    const engine = await startBenchEngine(storage, redisUrl, venue, () => Promise.resolve([]));
    return new SignalBench({ storage, redis, venue, mongodbUrl, engine, pricing });
  }

  /** Subscribers of the channel of a partner. */
  async subscribe(partnerId: string, count: number, settings: Partial<BenchSettings> = {}): Promise<void> {
    const { maxOpenSignals = 1_000_000, investPercent = '5' } = settings;
    const { db, close } = openMongo(this.#mongodbUrl, { timeoutMs });
    const all = Array.from({ length: count }, (_, n) => ({
      _id: `${partnerId} ${n}` as never,
      ...{ userId: `${partnerId} user ${n}`, channelId: `channel of ${partnerId}`, exchange: 'PAPER' },
      ...{ autoInvest: true, investPercent, maxOpenSignals, maxExposure: '4', maxDailyLoss: null },
      ...{ sides: ['long', 'short'], accounts: ['SPOT'], stopOnExchange: false, isPaused: false },
      createdAt: new Date(),
    }));
    for (let from = 0; from < count; from += 1_000)
      await db.collection('subscriptions').insertMany(all.slice(from, from + 1_000));
    await close();
  }

  async send(partnerId: string): Promise<string> {
    const signal = await this.storage.signals.add(newSignal(partnerId));
    if (signal === 'key_reused') throw new Error(signal);
    await announceSignal(this.redis, partnerId);
    return signal.id;
  }

  /** Sends signals of a partner with one subscriber, one after the other, until `stop`; answers how long each took to its order. */
  sendOthers(partnerId: string, restMs = pauseMs): { stop: () => Promise<number[]> } {
    const times: number[] = [];
    let isOver = false;
    const sending = (async () => {
      while (!isOver) {
        const before = performance.now();
        const id = await this.send(partnerId);
        await until('the other order', () => this.venue.has(`${id}:${partnerId} 0`), timeoutMs);
        times.push(performance.now() - before);
        await delay(restMs);
      }
    })();
    return {
      stop: async () => {
        isOver = true;
        await sending;
        return times;
      },
    };
  }

  /** How long until something is so. */
  waitFor(what: string, started: number, isSo: () => boolean | Promise<boolean>): Promise<number> {
    const look = async () => {
      // Looking all the time would slow down what is waited for.
      await delay(100);
      return (await isSo()) && performance.now() - started;
    };
    return until(what, look, longestMs);
  }

  async close(): Promise<void> {
    clearInterval(this.#pricing);
    await this.#engine.close();
    this.redis.disconnect();
  }
}

/** The paper exchange, which remembers the executions whose orders stand. */
export class CountingVenue extends PaperVenue {
  readonly #owners = new Set<string>();
  readonly #bySignal = new Map<string, number>();
  placed = 0;

  has(executionId: string): boolean {
    return this.#owners.has(executionId);
  }

  countOf(signalId: string): number {
    return this.#bySignal.get(signalId) ?? 0;
  }

  override async place(orders: Parameters<PaperVenue['place']>[0]) {
    const answers = await super.place(orders);
    this.placed += orders.length;
    for (const [n, { owner }] of orders.entries()) {
      if (!('state' in answers[n]) || this.#owners.has(owner)) continue;
      this.#owners.add(owner);
      const [signalId] = owner.split(':');
      this.#bySignal.set(signalId, this.countOf(signalId) + 1);
    }
    return answers;
  }

  get size(): number {
    return this.#owners.size;
  }
}

/** A running engine, with the connection that it was given. */
export interface BenchEngine {
  engine: SignalEngine;
  close: () => Promise<void>;
}

export async function startBenchEngine(
  storage: Storage,
  redisUrl: string,
  venue: TradingVenue,
  match: SignalEngineOptions['match'],
): Promise<BenchEngine> {
  const redis = openRedis(redisUrl, patient);
  await connected(redis);
  const engine = new SignalEngine({
    storage,
    redis,
    openSubscriber: () => openRedis(redisUrl, patient),
    venues: new Map([['PAPER', venue]]),
    match,
    market: signalMarket,
    log: pino({ level: 'warn' }),
  });
  await engine.start();
  const close = async () => {
    await engine.close();
    redis.disconnect();
  };
  return { engine, close };
}

/** One signal to many subscribers, while another partner sends signals. */
export async function benchFanOut(bench: SignalBench, count: number): Promise<void> {
  await bench.subscribe('large', count);
  await bench.subscribe('small', 1, little);
  const before = process.cpuUsage();
  const started = performance.now();
  const id = await bench.send('large');
  const others = bench.sendOthers('small');
  const durableMs = await bench.waitFor('the delivery', started, async () => {
    const [signal] = await bench.storage.signals.ofIds([id]);
    return signal.delivery.isDone;
  });
  const placedMs = await bench.waitFor('the last order', started, () => bench.venue.countOf(id) === count);
  const times = await others.stop();
  const settledMs = await bench.waitFor(
    'the end',
    started,
    async () => (await bench.storage.executions.dueSlots(Date.now() + 60_000)).length === 0,
  );
  const { user, system } = process.cpuUsage(before);
  printTable(`one signal to ${count} subscribers`, [
    ['', 'after'],
    ['every execution and first order durable', inSeconds(durableMs)],
    ['the last order standing on the paper exchange', inSeconds(placedMs)],
    ['every answer of the exchange stored', inSeconds(settledMs)],
    ['orders placed more than once', String(bench.venue.placed - bench.venue.size)],
    ["another partner's signal to its order, median", inSeconds(percentile(times, 0.5))],
    ["another partner's signal to its order, longest", inSeconds(Math.max(...times))],
    ['processor time of the worker', inSeconds((user + system) / 1_000)],
    ['memory of the worker', `${Math.round(process.memoryUsage.rss() / 2 ** 20)} MB`],
  ]);
}

/** How many executions of signals are stored. The embedded MongoDB takes too long to count all of a storm at once. */
async function storedOf(storage: Storage, signalIds: readonly string[]): Promise<number> {
  let stored = 0;
  for (const some of inChunks(signalIds, 10)) {
    const counts = await storage.executionReads.countsOf(some);
    for (const each of counts.values()) stored += Object.values(each).reduce((sum, count) => sum + count, 0);
  }
  return stored;
}

/** A partner who sends signals at a pace of 100 a minute, while another sends one now and then. */
export async function benchStorm(
  bench: SignalBench,
  { signals, subscribers, maxOpenSignals }: { signals: number; subscribers: number; maxOpenSignals: number },
): Promise<void> {
  const partner = 'storm';
  await bench.subscribe(partner, subscribers, { maxOpenSignals });
  await bench.subscribe('calm', 1, little);
  const others = bench.sendOthers('calm', longPauseMs);
  const ids: string[] = [];
  const started = performance.now();
  for (let n = 0; n < signals; n++) {
    ids.push(await bench.send(partner));
    await delay(Math.max(0, started + (n + 1) * stormPauseMs - performance.now()));
  }
  const sentMs = performance.now() - started;
  const drainedMs = await bench.waitFor('the deliveries', started, async () =>
    (await bench.storage.signals.ofIds(ids)).every(({ delivery }) => delivery.isDone),
  );
  const followed = Math.min(signals, maxOpenSignals) * subscribers;
  const placedMs = await bench.waitFor(
    'the orders',
    started,
    () => ids.reduce((sum, id) => sum + bench.venue.countOf(id), 0) === followed,
  );
  const times = await others.stop();
  const stored = await storedOf(bench.storage, ids);
  const title = `${signals} signals, 100 a minute, to ${subscribers} subscribers who follow ${maxOpenSignals}`;
  printTable(title, [
    ['', 'after'],
    ['the last signal sent', inSeconds(sentMs)],
    ['the last execution stored', inSeconds(drainedMs)],
    ['the last order standing', inSeconds(placedMs)],
    ['executions missing', String(signals * subscribers - stored)],
    ["another partner's signal to its order, median", inSeconds(percentile(times, 0.5))],
    ["another partner's signal to its order, longest", inSeconds(Math.max(...times))],
    ['memory of the worker', `${Math.round(process.memoryUsage.rss() / 2 ** 20)} MB`],
  ]);
}
