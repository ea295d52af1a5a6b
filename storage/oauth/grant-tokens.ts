import type { Collection, Db } from 'mongodb';
import { openCollection } from '../servers/open-collection.js';
import type { AnnounceRevoked } from '../users/revoked.js';
import type { TokenScope } from '../users/token-scopes.js';
import {
  grantKeys,
  toGrant,
  type AccessToken,
  type Grant,
  type GrantCode,
  type GrantDocument,
} from './grant-document.js';
import { grantKeyOf, newGrantSecret, successorOf } from './grant-secret.js';
import { RefreshClaimRepository } from './refresh-claims.js';
import { SharedCalls } from '../process/shared-calls.js';

const accessLifetimeMs = 3_600_000;
const refreshLifetimeMs = 30 * 86_400_000;

/** Access tokens of a grant that are valid at the same time. Another one ends the oldest. */
const mostAccessTokens = 10;

/** The tokens that a client is given. Secrets are not stored. */
export interface IssuedTokens {
  access: string;
  refresh: string;
  scopes: TokenScope[];
  /** Of the access token. */
  expiresAt: Date;
}

/** A request with a refresh token. */
interface Refresh {
  secret: string;
  /** Of the secret. */
  key: string;
  scopes: readonly TokenScope[];
  now: number;
  onReused: () => void;
}

/** What a revocation has ended: a grant with all its tokens, or one access token of it. */
export interface RevokedTokens {
  grant: Grant;
  isWholeGrant: boolean;
}

/** Gives the tokens of grants, and takes them back. */
export class GrantTokens {
  readonly #collection: Collection<GrantDocument>;
  readonly #claims: RefreshClaimRepository;
  readonly #announce: AnnounceRevoked;
  /** Replacements that are under way in this process: requests at the same time share one. */
  readonly #replacing = new SharedCalls<IssuedTokens | null>();

  /** `announce` tells the gateways, which cache access tokens, that one has ended. */
  constructor(db: Db, announce: AnnounceRevoked = async () => undefined) {
    this.#collection = openCollection(db, 'oauth_grants');
    this.#claims = new RefreshClaimRepository(db);
    this.#announce = announce;
  }

  /** The grant of a code and what the code is bound to, used and expired ones too; null if it is unknown. */
  async ofCode(secret: string): Promise<{ grant: Grant; code: GrantCode } | null> {
    const found = await this.#ofKey(grantKeyOf('code', secret));
    if (found?.code.key !== grantKeyOf('code', secret)) return null;
    return { grant: toGrant(found), code: found.code };
  }

  /** Exchanges a code for tokens, once: null if it was used already or has expired, or its grant has ended. */
  async exchange(secret: string, now = Date.now()): Promise<IssuedTokens | null> {
    const found = await this.#ofKey(grantKeyOf('code', secret));
    if (found?.code.usedAt !== null || found.code.expiresAt.getTime() <= now) return null;
    const made = { access: newGrantSecret('access'), refresh: newGrantSecret('refresh') };
    const after = withTokens(found, made, found.scopes, now);
    const used = { ...after, code: { ...found.code, usedAt: new Date(now) } };
    if (!(await this.#change(found, used))) return null;
    await this.#announceEnded(found, used, now);
    return issued(made, after.access.at(-1)!);
  }

  /** The grant of a refresh token, of a used one too; null if it is unknown, expired or revoked. */
  async ofRefresh(secret: string, now = Date.now()): Promise<Grant | null> {
    const key = grantKeyOf('refresh', secret);
    if (key === null) return null;
    const found = (await this.#current(key)) ?? (await this.#claimed(key));
    return found && found.expiresAt.getTime() > now ? toGrant(found) : null;
  }

  /**
   * Replaces a refresh token by its successor and gives an access token of these scopes. For 30 s the replaced token gets the
   * same answer again; after that its use ends the grant, because one of two users of it has stolen it: `onReused` is called by
   * the request that ends it. Null if no token is given. A replacement that was cut off is completed by the next request,
   * whenever that comes.
   */
  async refresh(
    secret: string,
    scopes: readonly TokenScope[],
    now = Date.now(),
    onReused: () => void = () => undefined,
  ): Promise<IssuedTokens | null> {
    const key = grantKeyOf('refresh', secret);
    if (key === null) return null;
    const id = [key, ...scopes].join(' ');
    return this.#replacing.run(id, () => this.#replace({ secret, key, scopes, now, onReused }));
  }

  async #replace(refresh: Refresh): Promise<IssuedTokens | null> {
    const { secret, key, scopes, now } = refresh;
    for (;;) {
      const found = await this.#current(key);
      if (!found) return this.#repeat(refresh);
      if (found.expiresAt.getTime() <= now) return null;
      const { _id: grantId, revision, expiresAt } = found;
      const nonce = await this.#claims.nonceOf(key, { grantId, revision, expiresAt }, now);
      const made = successorsOf(secret, nonce);
      const after = withTokens(found, made, scopes, now);
      // Another request may have changed the grant: then it is read again.
      if (!(await this.#change(found, after))) continue;
      await this.#announceEnded(found, after, now);
      await this.#claims.trim(grantId, revision, now);
      return issued(made, after.access.at(-1)!);
    }
  }

  /**
   * Revokes a token: an access token alone, a refresh token with its grant. Null, and nothing happens, if it is unknown or
   * belongs to another client than the given one.
   */
  async revoke(secret: string, clientId: string): Promise<RevokedTokens | null> {
    const accessKey = grantKeyOf('access', secret);
    if (accessKey !== null) return this.#revokeAccess(accessKey, clientId);
    const key = grantKeyOf('refresh', secret);
    if (key === null) return null;
    const found = (await this.#current(key)) ?? (await this.#claimed(key));
    if (!found || isOther(found, clientId)) return null;
    return (await this.end(found._id)) ? { grant: toGrant(found), isWholeGrant: true } : null;
  }

  /** Ends a grant and all its tokens; false if another request has ended it. */
  async end(grantId: string): Promise<boolean> {
    const { deletedCount } = await this.#collection.deleteOne({ _id: grantId });
    await this.#announce({ grants: [grantId] });
    await this.#claims.drop([grantId]);
    return deletedCount === 1;
  }

  async #revokeAccess(key: string, clientId: string): Promise<RevokedTokens | null> {
    for (;;) {
      const found = await this.#ofKey(key);
      if (!found || isOther(found, clientId)) return null;
      const access = found.access.filter((each) => each.key !== key);
      if (!(await this.#change(found, { ...found, access }))) continue;
      await this.#announce({ tokens: [key] });
      return { grant: toGrant(found), isWholeGrant: false };
    }
  }

  /** The answer to a refresh token that was replaced: the same again, or the end of the grant. */
  async #repeat({ secret, key, now, onReused }: Refresh): Promise<IssuedTokens | null> {
    const claim = await this.#claims.find(key);
    if (!claim) return null;
    const { grantId, nonce, until } = claim;
    if (nonce === null || until.getTime() <= now) {
      if (await this.end(grantId)) onReused();
      return null;
    }
    const found = await this.#collection.findOne({ _id: grantId });
    const made = successorsOf(secret, nonce);
    const accessKey = grantKeyOf('access', made.access);
    const token = found?.access.find((each) => each.key === accessKey);
    return token ? issued(made, token) : null;
  }

  /** The grant whose valid refresh token has that key. */
  async #current(key: string): Promise<GrantDocument | null> {
    const found = await this.#ofKey(key);
    return found?.refresh?.key === key ? found : null;
  }

  /** The grant whose refresh token with that key was replaced. */
  async #claimed(key: string): Promise<GrantDocument | null> {
    const claim = await this.#claims.find(key);
    return claim && this.#collection.findOne({ _id: claim.grantId });
  }

  #ofKey(key: string | null): Promise<GrantDocument | null> {
    return key === null ? Promise.resolve(null) : this.#collection.findOne({ keys: key });
  }

  /** Tells the gateways of valid access tokens that gave way to newer ones. */
  async #announceEnded(before: GrantDocument, after: GrantDocument, now: number): Promise<void> {
    const kept = new Set(after.access.map(({ key }) => key));
    const ended = before.access.filter(({ key, expiresAt }) => !kept.has(key) && expiresAt.getTime() > now);
    if (ended.length > 0) await this.#announce({ tokens: ended.map(({ key }) => key) });
  }

  /** Changes code and tokens of a grant in one write; false if it was changed or ended meanwhile. */
  async #change({ _id, revision }: GrantDocument, after: GrantDocument): Promise<boolean> {
    const { code, access, refresh, expiresAt, lastUsedAt } = after;
    const changed = { code, access, refresh, expiresAt, lastUsedAt, keys: grantKeys(after) };
    const { matchedCount } = await this.#collection.updateOne(
      { _id, revision },
      { $set: { ...changed, revision: revision + 1 } },
    );
    return matchedCount === 1;
  }
}

type TokenPair = Pick<IssuedTokens, 'access' | 'refresh'>;

const successorsOf = (presented: string, nonce: string): TokenPair => ({
  access: successorOf('access', presented, nonce),
  refresh: successorOf('refresh', presented, nonce),
});

/** The grant with a new pair of tokens beside its newest access tokens. */
function withTokens(
  grant: GrantDocument,
  made: TokenPair,
  scopes: readonly TokenScope[],
  now: number,
): GrantDocument {
  const key = grantKeyOf('access', made.access)!;
  const valid = grant.access.filter(({ expiresAt }) => expiresAt.getTime() > now);
  const expiresAt = new Date(now + refreshLifetimeMs);
  return {
    ...grant,
    access: [
      ...valid.slice(1 - mostAccessTokens),
      { key, scopes: [...scopes], expiresAt: new Date(now + accessLifetimeMs) },
    ],
    refresh: { key: grantKeyOf('refresh', made.refresh)!, expiresAt },
    expiresAt,
    lastUsedAt: new Date(now),
  };
}

const issued = (made: TokenPair, { scopes, expiresAt }: AccessToken): IssuedTokens => ({
  ...made,
  scopes,
  expiresAt,
});

const isOther = (grant: GrantDocument, clientId: string): boolean => clientId !== grant.clientId;
