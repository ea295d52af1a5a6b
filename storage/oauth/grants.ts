import { randomBytes } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import { insertOnce } from '../servers/mongo.js';
import { openCollection } from '../servers/open-collection.js';
import type { AnnounceRevoked } from '../users/revoked.js';
import {
  toGrant,
  type AccessToken,
  type Grant,
  type GrantCode,
  type GrantDocument,
} from './grant-document.js';
import { grantKeyOf, newGrantSecret } from './grant-secret.js';
import { RefreshClaimRepository } from './refresh-claims.js';

/** What a user consents to. */
export type NewGrant = Pick<
  Grant,
  'userId' | 'clientId' | 'clientName' | 'redirectHost' | 'scopes' | 'resource'
> &
  Pick<GrantCode, 'redirectUri' | 'challenge' | 'challengeMethod'>;

/** Connected apps that a user may have at the same time. Another one ends the oldest. */
export const mostGrants = 100;

export const codeLifetimeMs = 300_000;

/** How often the last use is stored. */
const useStoredEveryMs = 60_000;

/** Consents of users to clients: the connected apps. Tokens are given by `GrantTokens`. */
export class GrantRepository {
  readonly #collection: Collection<GrantDocument>;
  readonly #claims: RefreshClaimRepository;
  readonly #announce: AnnounceRevoked;

  /** `announce` tells the gateways, which cache access tokens, that a grant has ended. */
  constructor(db: Db, announce: AnnounceRevoked = async () => undefined) {
    this.#collection = openCollection(db, 'oauth_grants');
    this.#claims = new RefreshClaimRepository(db);
    this.#announce = announce;
  }

  /**
   * Stores a consent and returns the code for the client, which is not stored and valid for 5 minutes. The grant ends with
   * the code unless tokens are given for it. Ends the oldest grants of a user who has more than 100 by then.
   */
  async consent(
    { redirectUri, challenge, challengeMethod, ...given }: NewGrant,
    now = Date.now(),
  ): Promise<string> {
    const secret = newGrantSecret('code');
    const key = grantKeyOf('code', secret)!;
    const expiresAt = new Date(now + codeLifetimeMs);
    const document: GrantDocument = {
      ...given,
      _id: randomBytes(12).toString('hex'),
      createdAt: new Date(now),
      expiresAt,
      lastUsedAt: null,
      code: { key, redirectUri, challenge, challengeMethod, expiresAt, usedAt: null },
      access: [],
      refresh: null,
      keys: [key],
      revision: 0,
    };
    await insertOnce(this.#collection, document);
    await this.#endOldest(document);
    return secret;
  }

  /** The connected apps of a user, newest first: grants for which tokens were given and which have not expired. */
  async ofUser(userId: string, now = Date.now()): Promise<Grant[]> {
    const found = this.#collection.find({
      userId,
      expiresAt: { $gt: new Date(now) },
      refresh: { $ne: null },
    });
    return (await found.sort({ createdAt: -1, _id: 1 }).toArray()).map(toGrant);
  }

  /** The grant and the access token with that key; null if it is unknown, expired or revoked. */
  async ofAccess(key: string, now = Date.now()): Promise<{ grant: Grant; token: AccessToken } | null> {
    const found = await this.#collection.findOne({ keys: key });
    const token = found?.access.find((each) => each.key === key);
    return found && token && token.expiresAt.getTime() > now ? { grant: toGrant(found), token } : null;
  }

  /** Ends a grant of a user and all its tokens, and returns it; null if there is none. */
  async revoke(userId: string, id: string): Promise<Grant | null> {
    const ended = await this.#collection.findOneAndDelete({ _id: id, userId });
    await this.#forget([id]);
    return ended && toGrant(ended);
  }

  /** Ends all grants of a user and returns how many there were. */
  async removeAll(userId: string): Promise<number> {
    const found = await this.#collection.find({ userId }).project<{ _id: string }>({ _id: 1 }).toArray();
    const { deletedCount } = await this.#collection.deleteMany({ userId });
    await this.#announce({ users: [userId] });
    await this.#claims.drop(found.map(({ _id }) => _id));
    return deletedCount;
  }

  /** Stores that a grant was used, at most once a minute. */
  async noteUse(id: string, now = Date.now()): Promise<void> {
    const isOld = [{ lastUsedAt: null }, { lastUsedAt: { $lt: new Date(now - useStoredEveryMs) } }];
    const noted = await this.#collection.updateOne(
      { _id: id, $or: isOld },
      { $set: { lastUsedAt: new Date(now) } },
    );
    if (noted.modifiedCount === 1) await this.#claims.eraseNonces(id, now);
  }

  /** Deletes expired grants and returns how many: the database may do so late or never. */
  async dropExpired(now = Date.now()): Promise<number> {
    await this.#claims.dropExpired(now);
    return (await this.#collection.deleteMany({ expiresAt: { $lte: new Date(now) } })).deletedCount;
  }

  /** The grant just made stays, even if the clock of another process is ahead. */
  async #endOldest({ _id, userId }: GrantDocument): Promise<void> {
    const others = this.#collection.find({ userId, _id: { $ne: _id } }).sort({ createdAt: -1, _id: -1 });
    const oldest = await others
      .skip(mostGrants - 1)
      .project<{ _id: string }>({ _id: 1 })
      .toArray();
    if (oldest.length === 0) return;
    const ids = oldest.map((each) => each._id);
    await this.#collection.deleteMany({ userId, _id: { $in: ids } });
    await this.#forget(ids);
  }

  /** Tells gateways that grants have ended; what is left of them gives no access. */
  async #forget(ids: readonly string[]): Promise<void> {
    await this.#announce({ grants: ids });
    await this.#claims.drop(ids);
  }
}
