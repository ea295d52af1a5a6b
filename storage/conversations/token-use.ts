import type { Collection, Db } from 'mongodb';
import { isDuplicate } from '../servers/mongo.js';
import { openCollection } from '../servers/open-collection.js';

/** Tokens of a language model that one user, network or the whole service has used in a month. */
interface UseDocument {
  /** Month and key. */
  _id: string;
  tokens: number;
  /** Absent for networks and the whole service. */
  userId?: string;
  expiresAt: Date;
}

/** How long the count of a month is kept after the beginning of that month, in ms. */
const keptMs = 70 * 86_400_000;

/** The tokens that a user, a network or the whole service may use in a month. */
export interface TokenBudget {
  /** Such as `user:<id>`; unique. */
  key: string;
  userId?: string;
  /** Most tokens of a month. */
  limit: number;
}

/** Counts tokens by calendar month, UTC. What is reserved counts at once, so that parallel questions keep to the limit. */
export class TokenUseRepository {
  readonly #collection: Collection<UseDocument>;

  constructor(db: Db) {
    this.#collection = openCollection(db, 'token_use');
  }

  /** Counts `tokens` of a budget unless they exceed what is left of this month; false then. */
  async reserve({ key, userId, limit }: TokenBudget, tokens: number, now = Date.now()): Promise<boolean> {
    if (tokens > limit) return false;
    const month = monthOf(now);
    const enoughLeft = { _id: `${month}:${key}`, tokens: { $lte: limit - tokens } };
    const expiresAt = new Date(Date.parse(`${month}-01`) + keptMs);
    const first = { expiresAt, ...(userId === undefined ? {} : { userId }) };
    try {
      const change = { $inc: { tokens }, $setOnInsert: first };
      await this.#collection.updateOne(enoughLeft, change, { upsert: true });
      return true;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      // The month is stored: too little is left of it, or another process has just inserted it and enough is left.
      return (await this.#collection.updateOne(enoughLeft, { $inc: { tokens } })).matchedCount === 1;
    }
  }

  /** Corrects a reservation by used minus reserved tokens. `reservedAt`: when it was made, in ms. */
  async settle({ key }: Pick<TokenBudget, 'key'>, difference: number, reservedAt: number): Promise<void> {
    if (difference === 0) return;
    await this.#collection.updateOne(
      { _id: `${monthOf(reservedAt)}:${key}` },
      { $inc: { tokens: difference } },
    );
  }

  /** Tokens of this month. */
  async used(key: string, now = Date.now()): Promise<number> {
    return (await this.#collection.findOne({ _id: `${monthOf(now)}:${key}` }))?.tokens ?? 0;
  }
}

const monthOf = (now: number): string => new Date(now).toISOString().slice(0, 7);
