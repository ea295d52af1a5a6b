import type { TokenScope } from '../users/token-scopes.js';

/** How a client proves that it is the one that asked for a code (RFC 7636). */
export type ChallengeMethod = 'S256' | 'plain';

/** A consent of a user to a client, as the user sees it: a connected app. */
export interface Grant {
  /** By which the user names it. It gives no access. */
  id: string;
  userId: string;
  clientId: string;
  clientName: string;
  /** Host, with port if any, that the browser was sent back to. */
  redirectHost: string;
  scopes: TokenScope[];
  /** URL of the service that its tokens are for. */
  resource: string;
  createdAt: Date;
  /** When it ends unless it is used: the expiry of its newest refresh token. */
  expiresAt: Date;
  /** To the minute; null before the first use. */
  lastUsedAt: Date | null;
}

/** What the code of a grant is bound to. */
export interface GrantCode {
  /** SHA-256 of the secret. */
  key: string;
  redirectUri: string;
  challenge: string;
  challengeMethod: ChallengeMethod;
  expiresAt: Date;
  /** When tokens were given for it; null before. */
  usedAt: Date | null;
}

/** An access token without its secret. */
export interface AccessToken {
  /** SHA-256 of the secret. */
  key: string;
  scopes: TokenScope[];
  expiresAt: Date;
}

/**
 * A grant with its code and tokens in one document, so that each step (consent, exchange, refresh, revocation) is one write:
 * it happens as a whole or not at all. Secrets are stored only as their SHA-256. A revoked grant is deleted.
 */
export interface GrantDocument extends Omit<Grant, 'id'> {
  _id: string;
  code: GrantCode;
  /** The newest last. */
  access: AccessToken[];
  /** The refresh token that is valid now; null before the exchange. */
  refresh: { key: string; expiresAt: Date } | null;
  /** SHA-256 of every secret that leads here: code, access tokens, refresh token. */
  keys: string[];
  /** Counts changes of tokens: a change that is based on an older state is refused. */
  revision: number;
}

/** The keys of a grant, which are indexed. */
export const grantKeys = ({ code, access, refresh }: Pick<GrantDocument, 'code' | 'access' | 'refresh'>) => [
  code.key,
  ...access.map(({ key }) => key),
  ...(refresh ? [refresh.key] : []),
];

export function toGrant(document: GrantDocument): Grant {
  const {
    _id: id,
    code: _code,
    access: _access,
    refresh: _refresh,
    keys: _keys,
    revision: _of,
    ...grant
  } = document;
  return { id, ...grant };
}
