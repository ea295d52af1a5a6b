import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { AppError } from '../../compute/model/errors.js';
import type { ExchangeKey } from '../exchanges/open-ccxt.js';
import { answered } from '../servers/redis.js';
import type { SealedSecret } from './secret-box.js';
import type { KnownExchanges } from '../exchanges/known-exchanges.js';

/** A key that somebody wants to have tried. It says nothing of the key itself: that is found by the ticket. */
export interface KeyTrial {
  userId: string;
  /** The name of the exchange. */
  exchange: string;
  /** Of this one request: no two are the same. */
  ticket: string;
}

/**
 * Keys of exchanges on their way from a gateway to a market worker. They lie in Redis apart from the job that is about
 * them, so that no list of jobs has them, sealed for their user, exchange and request, until they were tried.
 */
export class SentKeys {
  readonly #redis: Redis;
  readonly #known: Pick<KnownExchanges, 'box'>;

  constructor(redis: Redis, known: Pick<KnownExchanges, 'box'>) {
    this.#redis = redis;
    this.#known = known;
  }

  /** Leaves a key for whoever tries it, for `keepMs` at most. Throws `redis_unavailable`. */
  async send(
    { userId, exchange }: Omit<KeyTrial, 'ticket'>,
    key: ExchangeKey,
    keepMs: number,
  ): Promise<KeyTrial> {
    const trial = { userId, exchange, ticket: randomUUID() };
    const sealed = (await this.#known.box()).seal(JSON.stringify(key), contextOf(trial));
    await answered(this.#redis.set(placeOf(trial), JSON.stringify(sealed), 'PX', keepMs));
    return trial;
  }

  /**
   * The key that was left. Throws `cancelled` when it is there no more, `secret_unreadable` when it was sealed with another
   * key than this process has, or for another trial, and `redis_unavailable`.
   */
  async open(trial: KeyTrial): Promise<ExchangeKey> {
    const text = await answered(this.#redis.get(placeOf(trial)));
    if (text === null) throw new AppError('cancelled', 'nobody waits any more for this key to be tried');
    const box = await this.#known.box();
    return JSON.parse(box.open(JSON.parse(text) as SealedSecret, contextOf(trial))) as ExchangeKey;
  }

  /** Throws the key away. */
  async drop(trial: KeyTrial): Promise<void> {
    await answered(this.#redis.del(placeOf(trial)));
  }
}

const placeOf = ({ ticket }: KeyTrial): string => `tidemark:sent-key:${ticket}`;

const contextOf = ({ userId, exchange, ticket }: KeyTrial): string =>
  `key trial:${userId}:${exchange}:${ticket}`;
