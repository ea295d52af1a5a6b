import type { Redis } from 'ioredis';
import { Decimal } from '../../../compute/model/decimal.js';
import { demoAssets } from '../../../compute/demo/demo-assets.js';
import { TickPublisher } from '../../../storage/candles/market-ticks.js';
import { Prices } from '../../../storage/candles/prices.js';
import { openStorage, type Storage } from '../../../storage/index.js';
import { openMongo, type Mongo } from '../../../storage/servers/mongo.js';
import { connected, openRedis, patient } from '../../../storage/servers/redis.js';
import { OwnServer } from '../servers/own-server.js';
import { SignalsWorker } from './signals-worker.js';
import type { ScenarioPair } from './signal-scenario.js';

/** A price of a pair against USDT, and what was traded at it; null: any quantity. */
export interface ScenePrice {
  base: string;
  price: string;
  volume: string | null;
}

const market = 'demo';

/** Servers that can be broken, workers that can be killed, and a market whose prices the campaign makes. */
export class FaultScene {
  readonly redis: OwnServer;
  readonly mongodb: OwnServer;
  readonly storage: Storage;
  readonly mongo: Mongo;
  readonly client: Redis;
  readonly workers: SignalsWorker[] = [];
  readonly #last = new Map<string, string>();

  private constructor(redis: OwnServer, mongodb: OwnServer, client: Redis) {
    this.redis = redis;
    this.mongodb = mongodb;
    this.storage = openStorage(mongodb.url, { timeoutMs: 20_000 });
    this.mongo = openMongo(mongodb.url, { timeoutMs: 20_000 });
    this.client = client;
  }

  static async open(): Promise<FaultScene> {
    const [redis, mongodb] = await Promise.all([OwnServer.open('redis'), OwnServer.open('mongodb')]);
    const client = openRedis(redis.url, patient);
    await connected(client);
    const scene = new FaultScene(redis, mongodb, client);
    await scene.storage.migrate();
    return scene;
  }

  /** Pairs whose prices differ, each against USDT. */
  get pairs(): ScenarioPair[] {
    return demoAssets.map(({ base, price, decimals }) => ({ base, price, decimals }));
  }

  async startWorker(env: Record<string, string> = {}): Promise<SignalsWorker> {
    const worker = await SignalsWorker.start(this.mongodb.url, {
      MARKET: market,
      REDIS_URL: this.redis.url,
      ...env,
    });
    this.workers.push(worker);
    return worker;
  }

  /** Tells prices to everyone who follows the market. */
  async tell(prices: readonly ScenePrice[]): Promise<void> {
    const at = Date.now();
    for (const { base, price } of prices) this.#last.set(base, price);
    const rows = [...this.#last].map(([base, price]) => ({
      ...{ base, quote: 'USDT', price: Number(price) },
      ...{ change24hPercent: null, time: at },
    }));
    await new Prices(this.client).put(market, rows);
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
    await Promise.all([this.redis.close(), this.mongodb.close()]);
  }
}
