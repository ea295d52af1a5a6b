import type { Redis } from 'ioredis';
import { Decimal } from '../../../compute/model/decimal.js';
import type { TradingAccount } from '../../../compute/model/trading-account.js';
import { demoAssets } from '../../../compute/demo/demo-assets.js';
import { TickPublisher } from '../../../storage/candles/market-ticks.js';
import { Prices } from '../../../storage/candles/prices.js';
import { openStorage, type Storage } from '../../../storage/index.js';
import { openMongo, type Mongo } from '../../../storage/servers/mongo.js';
import { connected, openRedis, patient } from '../../../storage/servers/redis.js';
import { demoPairRules } from '../../../compute/paper/demo-pair-rules.js';
import type { DialectName } from '../fake-exchange/dialects.js';
import { ExchangeProcess } from '../fake-exchange/exchange-process.js';
import type { RequestLine } from '../fake-exchange/exchange-state.js';
import type { TradedPair } from '../fake-exchange/book/traded-pair.js';
import { OwnServer, type BreakableServer } from '../servers/own-server.js';
import { LiveRig } from '../venues/live-rig.js';
import { SignalsWorker } from './signals-worker.js';
import type { ScenarioPair } from './signal-scenario.js';

/** A price of a pair against USDT, and what was traded at it; null: any quantity. */
export interface ScenePrice {
  base: string;
  price: string;
  volume: string | null;
}

/** Where the orders of a scene go: the paper exchange, or the adapter of an exchange over the fake one that speaks like it. */
export type SceneVenue = 'PAPER' | Uppercase<DialectName>;

export type SceneAccount = Exclude<TradingAccount, 'MARGIN'>;

export interface SceneMarket {
  venue: SceneVenue;
  /** Default: SPOT. */
  account?: SceneAccount;
}

/** The market that the workers follow. */
const markets = { PAPER: 'demo', BINANCE: 'binance', BYBIT: 'bybit', KUCOIN: 'kucoin' } as const;

/** Servers that can be broken, workers that can be killed, and a market whose prices the campaign makes. */
export class FaultScene {
  readonly redis: BreakableServer;
  readonly mongodb: BreakableServer;
  readonly storage: Storage;
  readonly mongo: Mongo;
  readonly client: Redis;
  readonly workers: SignalsWorker[] = [];
  readonly venue: SceneVenue;
  /** The account that the signals are for. */
  readonly account: SceneAccount;
  /** The exchange of a scene that is not on paper. */
  readonly exchange: ExchangeProcess | null;
  readonly #live: LiveRig | null;
  readonly #last = new Map<string, string>();
  #requestsSeen = 0;

  private constructor(
    {
      redis,
      mongodb,
      exchange,
    }: Record<'redis' | 'mongodb', BreakableServer> & { exchange: ExchangeProcess | null },
    client: Redis,
    { venue, account }: Required<SceneMarket>,
  ) {
    this.venue = venue;
    this.account = account;
    this.exchange = exchange;
    this.redis = redis;
    this.mongodb = mongodb;
    this.storage = openStorage(mongodb.url, { timeoutMs: 20_000 });
    this.mongo = openMongo(mongodb.url, { timeoutMs: 20_000 });
    this.client = client;
    this.#live = exchange && new LiveRig(exchange, this.storage, client);
  }

  static async open(
    { venue, account = 'SPOT' }: SceneMarket = { venue: 'PAPER' },
    openRedisServer: () => Promise<BreakableServer> = () => OwnServer.open('redis'),
  ): Promise<FaultScene> {
    const [redis, mongodb, exchange] = await Promise.all([
      openRedisServer(),
      OwnServer.open('mongodb'),
      venue === 'PAPER' ? null : ExchangeProcess.start(markets[venue]),
    ]);
    const client = openRedis(redis.url, patient);
    await connected(client);
    const scene = new FaultScene({ redis, mongodb, exchange }, client, { venue, account });
    await scene.storage.migrate();
    await exchange?.apply({ type: 'pairs', pairs: demoAssets.map(({ base }) => pairOf(base)) });
    await exchange?.limits(true);
    return scene;
  }

  /** Pairs whose prices differ, each against USDT. */
  get pairs(): ScenarioPair[] {
    return demoAssets.map(({ base, price, decimals }) => ({ base, price, decimals }));
  }

  async startWorker(): Promise<SignalsWorker> {
    const live = this.exchange && {
      EXCHANGES: `${this.venue}=${markets[this.venue]}@${this.exchange.url}`,
      LIVE_TRADING: 'on',
      SECRETS_KEY: 'ab'.repeat(32),
    };
    const env = { MARKET: markets[this.venue], REDIS_URL: this.redis.url, ...live };
    const worker = await SignalsWorker.start(this.mongodb.url, env);
    this.workers.push(worker);
    return worker;
  }

  /** Whether a stop can stand at the exchange. */
  get hasStops(): boolean {
    return this.#live?.venue.standingStops.has(this.account) ?? false;
  }

  /** A user with 10,000 USDT. */
  async user(name: string): Promise<string> {
    return this.#live ? this.#live.account({ [this.account.toLowerCase()]: { USDT: '10000' } }) : name;
  }

  /** The requests that the exchange has received since this was asked last. */
  async newRequests(): Promise<RequestLine[]> {
    const requests = (await this.exchange?.requests(this.#requestsSeen)) ?? [];
    this.#requestsSeen += requests.length;
    return requests;
  }

  /** Tells prices to everyone who follows the market. */
  async tell(prices: readonly ScenePrice[]): Promise<void> {
    const at = Date.now();
    for (const { base, price } of prices) this.#last.set(base, price);
    const rows = [...this.#last].map(([base, price]) => ({
      ...{ base, quote: 'USDT', price: Number(price) },
      ...{ change24hPercent: null, time: at },
    }));
    const market = markets[this.venue];
    await new Prices(this.client).put(market, rows);
    await this.exchange?.apply(
      ...prices.map(({ base, price, volume: quantity }) => {
        return { type: 'price' as const, symbol: `${base}USDT`, price, quantity };
      }),
    );
    await new TickPublisher(this.client, market, 0).publish(at, (since) =>
      prices.map(({ base, price, volume }) => {
        const value = Decimal.read(price);
        const traded = volume === null ? null : Decimal.read(volume);
        return {
          pair: { base, quote: 'USDT' },
          price: value,
          high: value,
          low: value,
          volume: traded,
          since,
          at,
        };
      }),
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.close()));
    this.client.disconnect();
    await Promise.all([this.storage.close(), this.mongo.close()]);
    await Promise.all([this.redis.close(), this.mongodb.close(), this.exchange?.close()]);
  }
}

/** A pair of the demo market as the fake exchange trades it. */
function pairOf(base: string): TradedPair {
  const rules = demoPairRules({ base, quote: 'USDT' })!;
  const [tickSize, stepSize, minQuantity, minNotional] = [
    rules.tickSize,
    rules.stepSize,
    rules.minQuantity,
    rules.minNotional,
  ].map(String);
  const filters = { tickSize, stepSize, minQuantity, minNotional };
  return { base, quote: 'USDT', spot: filters, futures: filters };
}
