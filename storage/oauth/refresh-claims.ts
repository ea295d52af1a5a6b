import { randomBytes } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import { isDuplicate } from '../servers/mongo.js';
import { portions } from '../servers/find-by-values.js';
import { openCollection } from '../servers/open-collection.js';

/** How long the same refresh token gets the same successor again, for clients that lost the answer or asked twice. */
const repeatMs = 30_000;

/** Used refresh tokens of a grant that are remembered: more than a client needs that refreshes every hour. */
const mostRemembered = 1_000;

/** A refresh token that was exchanged, or is being exchanged, for its successor. */
export interface RefreshClaim {
  grantId: string;
  /** From which its successor is derived; null once that is not given out again. */
  nonce: string | null;
  /** Until when it gets the same successor again. After that its use ends the grant. */
  until: Date;
}

interface ClaimDocument extends RefreshClaim {
  /** SHA-256 of the token. */
  _id: string;
  /** The revision of the grant that it belonged to. */
  revision: number;
  expiresAt: Date;
}

export type NewClaim = Pick<ClaimDocument, 'grantId' | 'revision' | 'expiresAt'>;

/** The refresh tokens that were used, so that the use of a stolen one is seen. */
export class RefreshClaimRepository {
  readonly #collection: Collection<ClaimDocument>;

  constructor(db: Db) {
    this.#collection = openCollection(db, 'oauth_refresh_claims');
  }

  /**
   * The nonce by which the token with that key is replaced: of all who ask at the same time, the first decides it. The time
   * in which it is given again begins anew, because the token is still the valid one.
   */
  async nonceOf(key: string, claim: NewClaim, now: number): Promise<string> {
    const nonce = randomBytes(32).toString('base64url');
    const until = new Date(now + repeatMs);
    await this.#collection
      .updateOne({ _id: key }, { $set: { until }, $setOnInsert: { ...claim, nonce } }, { upsert: true })
      .catch((error: unknown) => {
        // Another request has just made it.
        if (!isDuplicate(error)) throw error;
      });
    // A claim that was cut off long ago has lost its nonce.
    await this.#collection.updateOne({ _id: key, nonce: null }, { $set: { nonce, until } });
    const stored = await this.#collection.findOne({ _id: key });
    // The grant has ended meanwhile: what is derived from this leads nowhere.
    return stored?.nonce ?? nonce;
  }

  /** The claim of a token that was used; null for one that was not, or is unknown. */
  async find(key: string): Promise<RefreshClaim | null> {
    return this.#collection.findOne({ _id: key }, { projection: { grantId: 1, nonce: 1, until: 1 } });
  }

  /** Forgets the oldest tokens of a grant beyond 1,000, and nonces that are not needed any more. */
  async trim(grantId: string, revision: number, now: number): Promise<void> {
    await this.#collection.deleteMany({ grantId, revision: { $lt: revision - mostRemembered } });
    await this.eraseNonces(grantId, now);
  }

  /** Erases the nonces of a grant whose time is over. */
  async eraseNonces(grantId: string, now: number): Promise<void> {
    const isOver = { grantId, until: { $lte: new Date(now) }, nonce: { $ne: null } };
    await this.#collection.updateMany(isOver, { $set: { nonce: null } });
  }

  /** Deletes the claims of grants that have ended. */
  async drop(grantIds: readonly string[]): Promise<void> {
    for (const some of portions(grantIds)) await this.#collection.deleteMany({ grantId: { $in: some } });
  }

  /** Deletes claims of tokens that have expired, and erases nonces whose time is over. */
  async dropExpired(now: number): Promise<void> {
    await this.#collection.deleteMany({ expiresAt: { $lte: new Date(now) } });
    const isOver = { until: { $lte: new Date(now) }, nonce: { $ne: null } };
    await this.#collection.updateMany(isOver, { $set: { nonce: null } });
  }
}
