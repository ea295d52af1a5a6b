import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { AppError } from '../../compute/model/errors.js';
import type { ExchangeKey } from '../exchanges/open-ccxt.js';
import { awaitRedis } from '../servers/redis.js';
import type { SealedSecret } from './secret-box.js';
import type { KnownExchanges } from '../exchanges/known-exchanges.js';

/** A request to test an exchange key. It does not contain the key, which is stored under the ticket. */
export interface KeyTrial {
  userId: string;
  exchange: string;
  /** Unique to this request. */
  ticket: string;
}

/**
 * Exchange keys on their way from a gateway to a market worker. They are stored in Redis apart from their job, so that no
 * list of jobs contains them, and sealed for their user, exchange and request. They are deleted once they were tested.
 */
export class SentKeys {
  readonly #redis: Redis;
  readonly #known: Pick<KnownExchanges, 'box'>;

  constructor(redis: Redis, known: Pick<KnownExchanges, 'box'>) {
    this.#redis = redis;
    this.#known = known;
  }

  /** Stores a key for the worker that tests it, for `keepMs` at most. Throws `redis_unavailable`. */
  async send(
    { userId, exchange }: Omit<KeyTrial, 'ticket'>,
    key: ExchangeKey,
    keepMs: number,
  ): Promise<KeyTrial> {
    const trial = { userId, exchange, ticket: randomUUID() };
    const sealed = (await this.#known.box()).seal(JSON.stringify(key), contextOf(trial));
    await awaitRedis(this.#redis.set(redisKeyOf(trial), JSON.stringify(sealed), 'PX', keepMs));
    return trial;
  }

  /**
   * The stored key. Throws `cancelled` when it is no longer there, `secret_unreadable` when it was sealed for another trial
   * or with a key that this process does not have, and `redis_unavailable`.
   */
  async open(trial: KeyTrial): Promise<ExchangeKey> {
    const text = await awaitRedis(this.#redis.get(redisKeyOf(trial)));
    if (text === null) throw new AppError('cancelled', 'the request to test this key has ended');
    const box = await this.#known.box();
    return JSON.parse(box.open(JSON.parse(text) as SealedSecret, contextOf(trial))) as ExchangeKey;
  }

  async drop(trial: KeyTrial): Promise<void> {
    await awaitRedis(this.#redis.del(redisKeyOf(trial)));
  }
}

const redisKeyOf = ({ ticket }: KeyTrial): string => `tidemark:sent-key:${ticket}`;

const contextOf = ({ userId, exchange, ticket }: KeyTrial): string =>
  `key trial:${userId}:${exchange}:${ticket}`;
