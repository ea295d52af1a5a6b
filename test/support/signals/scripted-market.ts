import { pino } from 'pino';
import type { Redis } from 'ioredis';
import { Decimal } from '../../../compute/model/decimal.js';
import type { MarketTick } from '../../../compute/model/market-tick.js';
import { SignalEngine } from '../../../jobs/signals/signal-engine.js';
import { TickPublisher } from '../../../storage/candles/market-ticks.js';
import { Prices } from '../../../storage/candles/prices.js';
import { MarginMatcher } from '../../../storage/exchanges/paper/margin/margin-matcher.js';
import { PaperAccounts } from '../../../storage/exchanges/paper/paper-accounts.js';
import { PaperMatcher } from '../../../storage/exchanges/paper/paper-matcher.js';
import { PaperSettler } from '../../../storage/exchanges/paper/paper-settler.js';
import { PaperVenue } from '../../../storage/exchanges/paper/paper-venue.js';
import { connected, openRedis, patient } from '../../../storage/servers/redis.js';
import { openTestService, type TestAnswer, type TestService } from '../gateway/gateway.js';
import { until } from '../process/until.js';
import { everything } from './new-subscription.js';
import { partnerClient, type PartnerClient } from './partner-client.js';
import { noFaults } from '../paper/paper-rig.js';

/** A signal of a subscriber as `GET /backend/signals/:id` shows it. */
export interface Timeline {
  status: string;
  reason: string | null;
  orders: {
    leg: string;
    side: string;
    type: string;
    price: string | null;
    quantity: string;
    status: string;
  }[];
  events: { type: string; cause: string; figures: Record<string, string> }[];
}

const pair = { base: 'BTC', quote: 'USDT' };
const startingBalance = '10000';

/** A gateway and a signal engine over the paper exchange, on a market whose prices the test sets. */
export class ScriptedMarket {
  readonly service: TestService;
  readonly venue: PaperVenue;
  readonly #redis: Redis;
  readonly #engine: SignalEngine;
  readonly #settler: PaperSettler;
  readonly #publisher: TickPublisher;
  #lastAt = 0;

  private constructor(service: TestService, redis: Redis) {
    const { storage, redisUrl } = service;
    this.service = service;
    this.#redis = redis;
    this.venue = new PaperVenue({ storage, redis, startingBalance });
    const [spot, margin] = [
      new PaperMatcher(storage.paperOrders, noFaults),
      new MarginMatcher(storage.paperMargin, noFaults),
    ];
    this.#engine = new SignalEngine({
      ...{ storage, redis, market: 'demo' },
      openSubscriber: () => openRedis(redisUrl, patient),
      venues: new Map([['PAPER', this.venue]]),
      match: async (ticks) => {
        const [orders, owners] = await Promise.all([spot.match(ticks), margin.match(ticks)]);
        return [...new Set([...orders.map(({ owner }) => owner), ...owners])];
      },
      log: pino({ level: 'silent' }),
    });
    this.#settler = new PaperSettler(
      storage.paperOrders,
      new PaperAccounts(storage.accounts, startingBalance),
      noFaults,
    );
    this.#publisher = new TickPublisher(redis, 'demo', 0);
  }

  static async open(): Promise<ScriptedMarket> {
    const service = await openTestService({ computeNodes: 0, env: { MARKET: 'demo' } });
    const redis = openRedis(service.redisUrl, patient);
    await connected(redis);
    const market = new ScriptedMarket(service, redis);
    await market.#engine.start();
    return market;
  }

  async close(): Promise<void> {
    await this.#engine.close();
    this.#redis.disconnect();
    await this.service.close();
  }

  /** A partner with a channel, and a user who follows it. */
  async follower(settings: object = {}): Promise<Follower> {
    const partner = await partnerClient(this.service);
    const warmUp = await partner.create({ confirm_price: true });
    await partner.ask('DELETE', `/v1/signal/${warmUp}/cancel`, { parent_signal_id: warmUp });
    const channel = (await this.service.storage.channels.first(partner.id))!.id;
    const token = await this.service.signIn();
    const userId = (await this.service.deps.signedIn.find(token))!.userId;
    const follower = new Follower(this, partner, token, userId);
    const more = {
      ...everything,
      maxSlippagePercent: 5,
      investPercent: 10,
      stopOnExchange: false,
      ...settings,
    };
    await follower.ask('POST', '/backend/subscriptions', { channel, ...more });
    return follower;
  }

  /** A new price of BTC/USDT, told to everyone who listens. */
  async tick(price: string): Promise<void> {
    const value = Decimal.parse(price);
    const at = Math.max(Date.now(), this.#lastAt + 1);
    const since = this.#lastAt || at;
    this.#lastAt = at;
    await new Prices(this.#redis).put('demo', [
      { ...pair, price: Number(price), change24hPercent: null, time: at },
    ]);
    const tick: MarketTick = { pair, price: value, high: value, low: value, volume: null, since, at };
    await this.#publisher.publish(at, () => [tick]);
    while ((await this.#settler.settle()) > 0);
  }

  /** Repeats a price until something is so. */
  async tickUntil(
    what: string,
    price: string,
    isSo: () => Promise<boolean>,
    withinMs?: number,
  ): Promise<void> {
    const tickAndLook = async () => {
      await this.tick(price);
      return isSo();
    };
    await until(what, tickAndLook, withinMs);
  }
}

/** A subscriber and the partner that is followed. */
export class Follower {
  readonly partner: PartnerClient;
  readonly userId: string;
  readonly #market: ScriptedMarket;
  readonly #token: string;
  /** The signal that was created last. */
  signalId = '';

  constructor(market: ScriptedMarket, partner: PartnerClient, token: string, userId: string) {
    this.#market = market;
    this.partner = partner;
    this.#token = token;
    this.userId = userId;
  }

  async ask(method: string, path: string, body?: object): Promise<TestAnswer> {
    const answer = await fetch(this.#market.service.url + path, {
      method,
      headers: { 'session-token': this.#token, ...(body ? { 'Content-Type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const { result, payload } = (await answer.json()) as Pick<TestAnswer, 'result' | 'payload'>;
    return { status: answer.status, headers: answer.headers, result, payload };
  }

  /** Creates a signal at a present price. */
  async create(price: string, path: string, body: object): Promise<void> {
    await this.#market.tick(price);
    const { status, payload } = await this.partner.ask('POST', path, body);
    if (status !== 200) throw new Error(JSON.stringify(payload));
    this.signalId = (payload as { parent_signal_id: string }).parent_signal_id;
    await this.until(price, ({ status: state }) => state !== 'queued');
  }

  /** Sends a command for the signal. */
  command(method: string, path: string, body: object = {}): Promise<TestAnswer> {
    return this.partner.ask(method, `/v1/signal/${this.signalId}/${path}`, {
      parent_signal_id: this.signalId,
      ...body,
    });
  }

  async timeline(): Promise<Timeline | null> {
    const { status, payload } = await this.ask('GET', `/backend/signals/${this.signalId}`);
    if (status !== 200) return null;
    const { status: state, reason, orders, events } = payload as Timeline;
    return { status: state, reason, orders, events };
  }

  /** Repeats a price until the timeline shows something; answers it. */
  async until(price: string, isSo: (timeline: Timeline) => boolean): Promise<Timeline> {
    let last: Timeline | null = null;
    const what = `what ${price} leads to`;
    try {
      await this.#market.tickUntil(what, price, async () => {
        last = await this.timeline();
        return last !== null && isSo(last);
      });
    } catch (error) {
      throw new Error(`${what}: ${JSON.stringify(last, null, 1)}`, { cause: error });
    }
    return last!;
  }

  /** Repeats a price until the timeline has an event of this type more than before. */
  async untilEvent(price: string, type: string, count = 1): Promise<Timeline> {
    return this.until(price, ({ events }) => events.filter((each) => each.type === type).length >= count);
  }
}
