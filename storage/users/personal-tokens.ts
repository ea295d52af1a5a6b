import { hash, randomBytes, randomInt } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import { AppError } from '../../compute/model/errors.js';
import { insertOnce, isDuplicate } from '../servers/mongo.js';
import { openCollection } from '../servers/open-collection.js';
import type { AnnounceRevoked } from './revoked.js';
import type { TokenScope } from './token-scopes.js';

/** A personal access token, without its secret. */
export interface PersonalToken {
  /** By which its user names it. It gives no access. */
  id: string;
  userId: string;
  name: string;
  scopes: TokenScope[];
  createdAt: Date;
  expiresAt: Date;
  /** To the minute; null before the first use. */
  lastUsedAt: Date | null;
}

/**
 * Stored under the SHA-256 of the secret. The places 0 to 9 of a user bound how many there are. `networks`: those that have
 * used it, the last 50.
 */
type TokenDocument = PersonalToken & { _id: string; place: number; networks?: string[] };

/** Tokens that a user may have at the same time. */
export const mostTokens = 10;

const mostNetworks = 50;

/** How often the last use is stored. */
const useStoredEveryMs = 60_000;

/** `pat_` and 256 random bits in hex. */
const secretPattern = /^pat_[0-9a-f]{64}$/;

/** The key under which a token is stored; null for a text that is no token. */
export const tokenKeyOf = (secret: string): string | null =>
  secretPattern.test(secret) ? hash('sha256', secret, 'base64url') : null;

/** Personal access tokens of users. Only the user knows the secret; its SHA-256 is stored. */
export class PersonalTokenRepository {
  readonly #collection: Collection<TokenDocument>;
  readonly #announce: AnnounceRevoked;

  /** `announce` tells the gateways, which cache tokens, that some are revoked. */
  constructor(db: Db, announce: AnnounceRevoked = async () => undefined) {
    this.#collection = openCollection(db, 'personal_tokens');
    this.#announce = announce;
  }

  /**
   * Makes a token and returns it with its secret, which is shown this once. Throws `already_exists` when the user has a token
   * of that name, and `too_many_tokens` when they have 10. Unique indexes on name and place decide between calls at the same time.
   */
  async add(
    given: Pick<PersonalToken, 'userId' | 'name' | 'scopes' | 'expiresAt'>,
    now = Date.now(),
  ): Promise<{ token: PersonalToken; secret: string }> {
    await this.#collection.deleteMany({ userId: given.userId, expiresAt: { $lte: new Date(now) } });
    const secret = `pat_${randomBytes(32).toString('hex')}`;
    const token: PersonalToken = {
      ...given,
      id: randomBytes(12).toString('hex'),
      createdAt: new Date(now),
      lastUsedAt: null,
    };
    for (;;) {
      const free = await this.#freePlaces(given.userId);
      if (free.length === 0)
        throw new AppError(
          'too_many_tokens',
          `an account has at most ${mostTokens} tokens: revoke one first`,
        );
      const place = free[randomInt(free.length)];
      // Another call may have taken the place meanwhile: then fewer are free.
      if (await this.#insert({ ...token, _id: tokenKeyOf(secret)!, place })) return { token, secret };
    }
  }

  /** The token with that key; null if it is unknown or expired. */
  async find(key: string, now = Date.now()): Promise<PersonalToken | null> {
    const found = await this.#collection.findOne({ _id: key, expiresAt: { $gt: new Date(now) } });
    return found && toToken(found);
  }

  /** The tokens of a user that have not expired, newest first. */
  async ofUser(userId: string, now = Date.now()): Promise<PersonalToken[]> {
    const found = this.#collection.find({ userId, expiresAt: { $gt: new Date(now) } });
    return (await found.sort({ createdAt: -1, _id: 1 }).toArray()).map(toToken);
  }

  /** Revokes a token of a user by its id and answers it; null if there is none. */
  async revoke(userId: string, id: string): Promise<PersonalToken | null> {
    const removed = await this.#collection.findOneAndDelete({ userId, id });
    if (removed) await this.#announce({ tokens: [removed._id] });
    return removed && toToken(removed);
  }

  /** Revokes all tokens of a user and returns how many there were. */
  async removeAll(userId: string): Promise<number> {
    const { deletedCount } = await this.#collection.deleteMany({ userId });
    await this.#announce({ users: [userId] });
    return deletedCount;
  }

  /** Stores that a token was used, at most once a minute. */
  async noteUse(key: string, now = Date.now()): Promise<void> {
    const isOld = [{ lastUsedAt: null }, { lastUsedAt: { $lt: new Date(now - useStoredEveryMs) } }];
    await this.#collection.updateOne({ _id: key, $or: isOld }, { $set: { lastUsedAt: new Date(now) } });
  }

  /** Stores that a network has used a token; the token if that network is a new one for it, else null. */
  async addNetwork(key: string, network: string): Promise<PersonalToken | null> {
    const networks = { $each: [network], $slice: -mostNetworks };
    const isNew = { _id: key, networks: { $ne: network } };
    const found = await this.#collection.findOneAndUpdate(isNew, { $push: { networks } });
    return found && toToken(found);
  }

  async #freePlaces(userId: string): Promise<number[]> {
    const taken = await this.#collection.find({ userId }).project<{ place: number }>({ place: 1 }).toArray();
    const places = Array.from({ length: mostTokens }, (_, place) => place);
    return places.filter((place) => !taken.some((each) => each.place === place));
  }

  /** False where the place is taken. Throws `already_exists` where the name is. */
  async #insert(document: TokenDocument): Promise<boolean> {
    try {
      await insertOnce(this.#collection, document);
      return true;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      const { userId, name } = document;
      if ((await this.#collection.findOne({ userId, name })) === null) return false;
      throw new AppError('already_exists', `you have a token named "${name}" already`, {
        details: { field: 'name' },
        cause: error,
      });
    }
  }
}

const toToken = ({ _id, place: _place, networks: _networks, ...token }: TokenDocument): PersonalToken =>
  token;
